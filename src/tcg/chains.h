/* chains.h - which methods lead to which by calls, and which do not meet on one object
 *
 * Found from the code alone: a call may reach the method of that name in every class that has
 * one. Two methods are independent if neither writes a field that the other one touches, and
 * neither may keep its object busy (get) nor make it die (an exception): then all of their
 * steps commute, wherever they stand.
 */
#ifndef TCG_CHAINS_H
#define TCG_CHAINS_H

#include "abs/lower/ir.h"

typedef struct Chains Chains;

/* Of all code of the image (borrowed). With `whole_objects` the fields of an object count as one. */
Chains *chains_create(const Image *image, bool whole_objects);
void chains_destroy(Chains *chains);

bool chains_independent(const Chains *chains, const Code *a, const Code *b);
/* May a task with code `from` come to a task that runs `to`, which may be itself? */
bool chains_lead_to(const Chains *chains, const Code *from, const Code *to);
/* Does `from` call `to` directly, or start it by creating an object? */
bool chains_calls(const Chains *chains, const Code *from, const Code *to);
/* May a task with code `from`, or one that it leads to, create an object of the class? */
bool chains_create_class(const Chains *chains, const Code *from, const ClassCode *class);
/* Are results of tasks read anywhere? */
bool chains_use_results(const Chains *chains);

#endif
