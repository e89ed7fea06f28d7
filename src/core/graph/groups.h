/* groups.h - strong resources that steps access together
 *
 * The strong steps of a group are totally ordered in a graph. Which resources belong together shows while a program
 * runs; a search that finds a new connection begins again.
 */
#ifndef CORE_GRAPH_GROUPS_H
#define CORE_GRAPH_GROUPS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/region.h"
#include "core/event.h"

typedef struct Groups Groups;

/* In memory that survives the process. */
Groups *groups_create(Region *region);
void groups_destroy(Groups *groups);

/* The name of the group of a resource. */
uint64_t groups_find(const Groups *groups, uint64_t resource);
/* Joins the groups of two resources; false if they were one already. */
bool groups_join(Groups *groups, uint64_t a, uint64_t b);
/* Joins the groups of all that a step accesses; false if they were one already. */
bool groups_join_step(Groups *groups, const Access *accesses, uint32_t count);

/* Joins what is joined in the other groups; false if all of it was already. */
bool groups_adopt(Groups *groups, const Groups *others);

#endif
