/* idle.h - tasks that repeat the same step without effect
 *
 * A task that was suspended, took a step that changed nothing (no field, no new task or object, no output or input)
 * and is suspended again with the same variables at the same place will do the same in its next step, unless a field
 * that the step read changes. It is idle: not enabled until then. So a loop around `suspend` is a wait for these
 * fields; at the end of an execution an idle task is in a loop that never ends.
 */
#ifndef ABS_RUN_IDLE_H
#define ABS_RUN_IDLE_H

#include "abs/run/machine.h"

/* A field that the repeated step reads, with the value it had (field_key in footprint.c). */
typedef struct IdleRead {
    uint32_t object, field;
    int64_t key;
} IdleRead;

struct IdleReads {
    uint32_t count;
    uint32_t guard;     /* number of the guard: one of them changes (guard.h) */
    IdleRead reads[];
};

/* Around a step of a suspended task; after it the task may be idle. */
void idle_begin_step(Machine *machine, const Task *task);
void idle_end_step(Machine *machine, Task *task);
/* Has a field changed that the task reads? */
bool idle_is_over(const Machine *machine, const Task *task);

/* A hash of the variables and places of all activations of a task. */
uint64_t idle_hash_frames(const Machine *machine, const Frame *frame);

#endif
