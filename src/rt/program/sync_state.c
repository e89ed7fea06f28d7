/* sync_state.c - see sync_state.h */
#include "rt/program/sync_state.h"

#include "rt/detect/bug.h"
#include "rt/kernel/object.h"
#include "rt/kernel/part.h"
#include "rt/kernel/seat.h"
#include "rt/sync/barrier.h"
#include "rt/sync/condvar.h"
#include "rt/sync/sem.h"

static void add_table(Fingerprint *print, const AgentTable *table)
{
    for (AgentId agent = 0; agent < table->capacity; agent++)
        if (table->values[agent])
            fingerprint_add(print, (uint64_t)agent << 32 | table->values[agent]);
}

/* ---- Objects --------------------------------------------------------------------------- */

static void add_lock(Fingerprint *print, const Lock *lock)
{
    if (lock->robust)
        report_refused("--reduction=states: the state of robust mutexes is not known");
    part_add(print, PART_LOCKS, (uint64_t)lock->value);
    part_add(print, PART_DEPTH, lock->depth);
    part_add(print, PART_KIND, (uint64_t)lock->type << 8 | lock->kind);
    part_add(print, PART_DESTROYED, lock->destroyed);
    fingerprint_add(print, (uint64_t)lock->waiting << 1 | lock->prefers_writers);
    if (part_counts(PART_READERS))
        add_table(print, &lock->readers);
}

/* The mutex that its waiters use matters while there are some. */
static void add_condvar(Fingerprint *print, const Condvar *cond)
{
    part_add(print, PART_QUEUE, (uint64_t)cond->value);
    part_add(print, PART_DESTROYED, cond->destroyed);
    if (cond->count)
        part_add(print, PART_QUEUE, cond->mutex->resource);
}

static void add_semaphore(Fingerprint *print, const Semaphore *sem)
{
    part_add(print, PART_SEMAPHORES, (uint64_t)sem->value);
    part_add(print, PART_DESTROYED, sem->destroyed);
    fingerprint_add(print, sem->near_limit);
}

/* The number of rounds is not taken out: it tells who has joined which. */
static void add_rounds(Fingerprint *print, const Barrier *barrier)
{
    for (unsigned i = 0; i < BARRIER_NAMES; i++) {
        fingerprint_add(print, (uint64_t)barrier->arrived[i]);
        fingerprint_add(print, (uint64_t)barrier->serial[i]);
    }
    add_table(print, &barrier->joined);
}

static void add_barrier(Fingerprint *print, const Barrier *barrier)
{
    part_add(print, PART_DESTROYED, barrier->state < 0);
    fingerprint_add(print, barrier->threads);
    if (part_counts(PART_ROUNDS)) {
        part_add(print, PART_ROUNDS, (uint64_t)barrier->state);
        add_rounds(print, barrier);
    }
}

static void add_object(void *state, uint64_t resource, const void *object)
{
    Fingerprint print = {10, resource};
    switch ((ResourceKind)(resource >> 56)) {
    case RES_LOCK:
    case RES_RWLOCK: add_lock(&print, object); break;
    case RES_COND: add_condvar(&print, object); break;
    case RES_SEM: add_semaphore(&print, object); break;
    case RES_BARRIER: add_barrier(&print, object); break;
    case RES_OTHER: return; /* of the race detector */
    default: report_refused("--reduction=states: the state of an object that the program uses is not known");
    }
    fingerprint_join(state, fingerprint_seal(print));
}

/* ---- Threads ------------------------------------------------------------------------------ */

static void add_record(Fingerprint *print, const ThreadRecord *record)
{
    part_add(print, PART_JOINED, (uint64_t)record->end);
    part_add(print, PART_RESULT, record->end < 2 ? address_of(record->result) : 0); /* it may be about to end */
    part_add(print, PART_QUEUE, (uint64_t)record->woken);
    part_add(print, PART_QUEUE, record->waits_on ? record->waits_on->resource : 0);
    part_add(print, PART_DETACHED, record->detached);
    fingerprint_add(print, (uint64_t)record->ending << 1 | record->waits_past_bound);
    fingerprint_add(print, (uint64_t)record->timeouts << 32 | record->spurious);
    fingerprint_add(print, record->failed);
}

void sync_state_add(Fingerprint *state)
{
    object_each(add_object, state);
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++) {
        const Thread *thread = thread_get(agent);
        const ThreadRecord *record = *thread_slot(agent);
        if (thread->state == THREAD_ABSENT || !record)
            continue;
        Fingerprint print = {11, seat_number(thread->strand)}; /* not the message that lets an actor run */
        fingerprint_add(&print, (uint64_t)thread->state << 1 | thread->stopped);
        fingerprint_add(&print, thread->named);
        add_record(&print, record);
        fingerprint_join(state, fingerprint_seal(print));
    }
}
