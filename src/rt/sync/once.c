/* once.c - see once.h
 *
 * The value of RES_ONCE is 0 before the first call, owner + 1 while the routine runs, -1
 * when it is done. A thread that has seen it done needs no step: that never changes.
 */
#include "rt/sync/once.h"

#include "rt/detect/race_clock.h"
#include "rt/kernel/object.h"
#include "rt/kernel/thread.h"
#include "rt/sync/cancel.h"
#include "rt/sync/plain.h"

enum { DONE = -1, CONTROL_USED = 2 };

typedef struct Once {
    uint64_t resource;
    int64_t value;
    AgentTable seen_done;
} Once;

static void make_fresh(void *state, const void *object)
{
    *(Once *)state = (Once){.resource = resource_of(RES_ONCE, object)};
}

/* The control is 0 until it is used; assigning the initialiser again resets it. */
static Once *once_of(int *control)
{
    sync_check_room(control, ROOM_ONCE);
    plain_use(control, 1);
    Once *once = object_state(RES_ONCE, control, sizeof *once, make_fresh);
    if (*control == 0) {
        if (once->value != 0) {
            step_begin(OP_LOCK_INIT, once->resource);
            step_wait();
            step_value(0, once->value, 0);
        }
        make_fresh(once, control);
        *control = CONTROL_USED;
    }
    return once;
}

/* Ends the routine: done, or as if it had never been called. */
static void finish(Once *once, int64_t value)
{
    step_begin(OP_ONCE_END, once->resource);
    step_wait();
    step_value(0, once->value, value);
    once->value = value;
    race_release(once->resource);
    step_done();
}

/* The thread ended inside the routine: the next caller runs it again. */
static void give_up(void *once)
{
    finish(once, 0);
}

static void run_routine(Once *once, void (*routine)(void))
{
    const SennitSite *site = sennit_rt_site;
    cancel_push_routine(give_up, once);
    routine();
    cancel_pop(false);
    sennit_rt_site = site;
    finish(once, DONE);
}

void once_call(int *control, void (*routine)(void))
{
    Once *once = once_of(control);
    if (agent_table_get(&once->seen_done, thread_strand()))
        return;
    Access *access = step_begin(OP_ONCE_BEGIN, once->resource);
    step_guard(access, &once->value, REL_SLE, 0);
    step_opaque(); /* a write or, when done, a read */
    step_wait();
    bool first = once->value == 0;
    int64_t after = first ? (int64_t)thread_strand() + 1 : DONE;
    step_mode(0, first ? MODE_WRITE : MODE_READ);
    step_value(0, once->value, after);
    once->value = after;
    race_acquire(once->resource);
    step_done();
    if (first)
        run_routine(once, routine);
    *agent_table_at(&once->seen_done, thread_strand()) = 1;
}
