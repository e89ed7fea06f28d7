/* lifetime.c - see lifetime.h
 *
 * A handle is the agent number plus one, so it is the same in every schedule and never 0.
 * Joining writes RES_END: two threads that join the same one are ordered, and the second one
 * misuses it. With a single joiner a write has no more conflicts than a read, since the only
 * other access is the exit. Detaching is no step: a thread that is both joined and detached is
 * misused in either order.
 */
#include "rt/sync/lifetime.h"

#include <string.h>

#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/node.h"
#include "rt/kernel/object.h"
#include "rt/kernel/process.h"
#include "rt/kernel/seat.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/memory/memory.h"
#include "rt/sync/cancel.h"
#include "rt/sync/keys.h"
#include "rt/sync/misuse.h"
#include "rt/sync/mutex.h"
#include "rt/sync/plain.h"
#include "rt/sync/vtime.h"

ThreadRecord *lifetime_of_main(void)
{
    ThreadRecord *thread = transient_alloc(sizeof *thread);
    thread->agent = rt.self->id;
    rt.self->slot = thread;
    return thread;
}

ThreadRecord *lifetime_first_of(unsigned process)
{
    Thread *first = thread_get(process_get(process)->first);
    if (!first->slot)
        first->slot = transient_alloc(sizeof(ThreadRecord)); /* of agent 0 */
    return first->slot;
}

ThreadRecord *lifetime_first(void) { return lifetime_first_of(process_self()); }

ThreadRecord *lifetime_fork(Thread *child)
{
    ThreadRecord *record = transient_alloc(sizeof *record), *self = lifetime_self();
    *record = *self;
    record->agent = child->id;
    record->creations = NULL;
    record->signals = record->sent = NULL;
    record->signals_known = 0;
    record->robust_held = NULL;
    record->values = keys_copy_values(self->values);
    child->slot = record;
    return record;
}

/* Handles of threads that never start consist of this bit, their creator's number and their
 * number among those of its children. */
static const pthread_t UNBORN = (pthread_t)1 << 55;
enum { MOST_UNBORN = 1 << 14 }; /* of one thread */

static void *unborn_key(pthread_t handle) { return (void *)(uintptr_t)handle; }

ThreadRecord *lifetime_find(pthread_t handle)
{
    if (handle & UNBORN)
        return object_find(RES_END, unborn_key(handle));
    AgentId agent = handle == 0 ? AGENT_NONE : seat_find(handle - 1);
    if (agent == AGENT_NONE)
        return NULL;
    return agent == rt.self->id ? lifetime_self() : *thread_slot(agent);
}

pthread_t lifetime_handle(const ThreadRecord *thread)
{
    return thread->unborn ? thread->unborn : (pthread_t)seat_number(thread->agent) + 1;
}

/* ---- Creation ---------------------------------------------------------- */

static void run_thread(void *argument)
{
    ThreadRecord *thread = argument;
    void *given = thread->argument;
    if (UNLIKELY(tracking.on))
        shadow_pass(CALLEE(thread->start), &thread->argument);
    thread->argument = NULL; /* transient memory counts as reachable */
    thread->result = thread->start(given);
    if (UNLIKELY(tracking.on))
        shadow_keep(&thread->result, shadow_result(CALLEE(thread->start)));
    lifetime_exit(thread->result);
}

/* The threads that one thread has created at one place. */
struct Creations {
    const SennitSite *site;
    uint32_t count;
    Creations *next;
};

/* The two versions of a function have places of their own. */
static bool same_place(const SennitSite *a, const SennitSite *b)
{
    return a == b || (a && b && a->line == b->line && a->column == b->column && strcmp(a->file, b->file) == 0);
}

/* Counts a creation. Which threads never start follows from their creator's own history, so the bound means the same in
 * every schedule of a class. */
static bool is_within_bound(ThreadRecord *creator)
{
    Creations *place = creator->creations;
    if (!rt.options.max_children)
        return true;
    while (place && !same_place(place->site, sennit_rt_site))
        place = place->next;
    if (!place) {
        place = transient_alloc(sizeof *place);
        *place = (Creations){.site = sennit_rt_site, .next = creator->creations};
        creator->creations = place;
    }
    return ++place->count <= rt.options.max_children;
}

/* A thread that creates them without end is stopped too. */
static ThreadRecord *make_unborn(ThreadRecord *creator)
{
    if (creator->unborn_count == MOST_UNBORN)
        thread_cut(CUT_CHILDREN);
    pthread_t handle = UNBORN | (pthread_t)seat_number(creator->agent) << 32 | ++creator->unborn_count;
    ThreadRecord *thread = object_state(RES_END, unborn_key(handle), sizeof *thread, NULL);
    thread->agent = AGENT_NONE;
    thread->unborn = handle;
    execution_cut(rt.ex, CUT_CHILDREN);
    rt.stopped_agents = rt.halted_agents = true;
    return thread;
}

static void launch(ThreadRecord *thread, const void *name)
{
    thread->agent = thread_spawn(run_thread, thread, name);
    if (thread->agent == AGENT_NONE)
        thread_cut(CUT_AGENTS);
    thread_get(thread->agent)->slot = thread;
}

AgentId lifetime_create_own(void *(*start)(void *argument), void *argument)
{
    ThreadRecord *thread = transient_alloc(sizeof *thread);
    *thread = (ThreadRecord){.start = start, .argument = argument, .detached = true, .last = misuse_witness(),
                              .signals_blocked = UINT64_MAX};
    launch(thread, (const void *)(uintptr_t)start);
    rt.self->assistants++;
    thread_get(thread->agent)->helps = true;
    return thread->agent;
}

ThreadRecord *lifetime_create(void *(*start)(void *argument), void *argument, const void *name, bool detached)
{
    ThreadRecord *self = lifetime_self();
    bool begins = is_within_bound(self);
    ThreadRecord *thread = begins ? transient_alloc(sizeof *thread) : make_unborn(self);
    thread->start = start;
    thread->argument = argument;
    thread->detached = detached;
    thread->last = misuse_witness();
    thread->signals_blocked = self->signals_blocked;
    memcpy(thread->name, self->name, sizeof thread->name);
    if (begins) {
        launch(thread, name);
        node_note_thread();
    }
    return thread;
}

/* POSIX gives a thread that has been joined or detached no further meaning; glibc may have freed its memory. */
static _Noreturn void report_gone(const char *verb, const ThreadRecord *thread)
{
    misuse_report(verb, "thread", resource_make(RES_END, thread->agent),
                  thread->detached ? "which was detached" : "which was joined",
                  thread->last.site ? &thread->last : NULL);
}

int lifetime_detach(pthread_t handle)
{
    ThreadRecord *thread = lifetime_find(handle);
    if (!thread)
        return ESRCH;
    if (!thread->unborn && (thread->detached || thread->end == 2))
        report_gone("detaches", thread);
    thread->detached = true;
    thread->last = misuse_witness();
    return 0;
}

/* ---- Join -------------------------------------------------------------- */

static Access *announce_join(const ThreadRecord *thread)
{
    return step_begin(OP_JOIN, resource_make(RES_END, thread->agent));
}

/* Inside the step: takes the result unless another thread has joined before. */
static int take_result(ThreadRecord *thread, void **result)
{
    bool first = thread->end == 1;
    step_value(0, thread->end, 2);
    thread->end = 2;
    if (first)
        race_acquire(resource_make(RES_END, thread->agent));
    step_done();
    if (first) {
        *result = thread->result;
        if (tracking.on)
            shadow_memory_copy(address_of(result), address_of(&thread->result), sizeof *result);
    }
    if (!first || thread->detached)
        report_gone("joins", thread);
    thread->last = misuse_witness();
    thread->result = NULL;
    return 0;
}

static int wait_join(ThreadRecord *thread, void **result)
{
    step_guard(announce_join(thread), &thread->end, REL_NE, 0);
    cancel_watch(CANCEL_ENABLES);
    step_wait();
    if (cancel_pending(1)) {
        step_value(0, thread->end, thread->end);
        cancel_act();
    }
    return take_result(thread, result);
}

static int try_join(ThreadRecord *thread, void **result, int failure)
{
    step_switch(announce_join(thread), REL_NE, 0, MODE_WRITE, MODE_READ);
    step_wait();
    step_mode(0, thread->end ? MODE_WRITE : MODE_READ);
    if (thread->end)
        return take_result(thread, result);
    step_value(0, 0, 0);
    step_done();
    return failure;
}

/* For all its creator knows the thread is slow: once it is not there yet, then waiting for it leads nowhere. */
static int join_unborn(ThreadRecord *thread, JoinPatience patience, const struct timespec *deadline)
{
    if (patience == JOIN_TIMED && sync_may_time_out())
        return sync_time_out(deadline);
    if (patience != JOIN_TRY || thread->end)
        thread_halt();
    thread->end = 1;
    return EBUSY;
}

int lifetime_join(pthread_t handle, void **result, JoinPatience patience, const struct timespec *deadline)
{
    ThreadRecord *thread = lifetime_find(handle);
    if (!thread)
        return ESRCH;
    if (thread->detached && !thread->unborn)
        report_gone("joins", thread);
    if (thread->agent == thread_self())
        return EDEADLK;
    if (thread->unborn)
        return join_unborn(thread, patience, deadline);
    if (patience == JOIN_TRY)
        return try_join(thread, result, EBUSY);
    if (patience == JOIN_WAIT)
        return wait_join(thread, result);
    if (sync_may_time_out()) {
        int error = try_join(thread, result, ETIMEDOUT);
        return error == ETIMEDOUT ? sync_time_out(deadline) : error;
    }
    sync_wait_past_bound(true);
    int error = wait_join(thread, result);
    sync_wait_past_bound(false);
    return error;
}

void lifetime_hand_over(void *const *taken, void *to, size_t size)
{
    plain_write(address_of(to), size);
    memcpy(to, taken, size);
    if (tracking.on)
        shadow_memory_copy(address_of(to), address_of(taken), size);
}

/* ---- The end ----------------------------------------------------------- */

void lifetime_exit(void *result)
{
    ThreadRecord *self = lifetime_self();
    self->result = result;
    self->ending = true;
    if (UNLIKELY(self->waits_past_bound))
        sync_wait_past_bound(false); /* it was cancelled there */
    if (UNLIKELY(self->cleanups))
        cancel_unwind();
    lifetime_finish();
}

void lifetime_finish(void)
{
    ThreadRecord *self = lifetime_self();
    const SennitSite *site = sennit_rt_site;
    if (UNLIKELY(self->values))
        keys_destroy_values();
    if (UNLIKELY(self->robust_held))
        mutex_release_robust();
    if (self->agent != process_get(rt.self->process)->first)
        memory_free_thread();
    sennit_rt_site = site;
    frame_end(FRAME_THREAD_OVER, 0);
    step_begin(OP_EXIT, resource_make(RES_END, self->agent));
    step_wait();
    self->end = 1;
    step_value(0, 0, 1);
    race_release(resource_make(RES_END, self->agent));
    thread_stop();
}

void lifetime_kill(void)
{
    ThreadRecord *self = lifetime_self();
    self->values = NULL;
    self->robust_held = NULL;
    lifetime_finish();
}
