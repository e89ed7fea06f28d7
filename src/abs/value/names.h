/* names.h - names of tasks and objects that do not depend on the schedule
 *
 * The name of a task is its creator and the position among the tasks its creator created; that of an object likewise.
 * Both get small numbers when they first occur. The numbers differ from process to process unless the table is shared;
 * hashes and the order are the same everywhere.
 */
#ifndef ABS_VALUE_NAMES_H
#define ABS_VALUE_NAMES_H

#include <stddef.h>

#include "core/event.h"

enum { NAMES_MAX_OBJECTS = 1 << 16 };

typedef struct TaskName {
    AgentId creator;
    uint32_t nth;          /* from 1; 0 for the first task of all, and for the clock */
    uint32_t depth;
    AgentId shown;         /* itself, or its ancestor at the depth below which no text of its path is shown */
    AgentId first_child, next_sibling;
    uint32_t last_object;  /* of those it created, or 0 */
    uint64_t hash;
} TaskName;

typedef struct ObjectName {
    AgentId creator;
    uint32_t nth;          /* from 1 */
    uint32_t next_sibling;
    uint64_t hash;
} ObjectName;

typedef struct NameTable NameTable;

/* In memory that forked processes share. Task 0 and object 0 (null) exist. */
NameTable *names_create(void);
void names_destroy(NameTable *names);

/* The number of the nth task, or object, of a creator. AGENT_NONE or 0 if the table is full. */
AgentId names_task(NameTable *names, AgentId creator, uint32_t nth);
uint32_t names_object(NameTable *names, AgentId creator, uint32_t nth);
/* The same, but AGENT_NONE if it has never occurred. */
AgentId names_find_task(const NameTable *names, AgentId creator, uint32_t nth);

const TaskName *names_task_name(const NameTable *names, AgentId task);
const ObjectName *names_object_name(const NameTable *names, uint32_t object);

/* By age: the creator before its children, an earlier child before a later one. */
int names_compare_tasks(const NameTable *names, AgentId a, AgentId b);
int names_compare_objects(const NameTable *names, uint32_t a, uint32_t b);

/* "0", "0.2", "0.2.1" and back; AGENT_NONE if the text is no path. What does not fit ends in "~" and a hash, which is
 * found again once the task was created. */
void names_print_task(const NameTable *names, AgentId task, char *text, size_t size);
AgentId names_parse_task(NameTable *names, const char *path);

#endif
