/* race_clock.h - happens-before in the sense of C11, for the race detector
 *
 * Operations that synchronise are logged; the log is evaluated only when the order of two
 * accesses is asked for and nothing cheaper answers that.
 *
 * The clock of an agent counts its operations and the threads it created together: the nth of
 * them (from 1) has clock 2n, plain accesses between it and the next have 2n+1. Everything that
 * an actor does has one clock: the messages it handles continue its count, and are known here
 * by the actor's number (Thread.strand).
 */
#ifndef RT_DETECT_RACE_CLOCK_H
#define RT_DETECT_RACE_CLOCK_H

#include "base/error.h"
#include "rt/kernel/image.h"
#include "rt/kernel/runtime.h"

/* The clock of the running thread's plain accesses now. */
static inline uint32_t race_now(void) { return 2 * (rt.agents[rt.self->id].steps + rt.self->children) + 1; }
/* The clock of a step of an agent. */
uint32_t race_clock_of(AgentId agent, uint32_t step);
/* How many steps had an agent taken when it had this clock? */
uint32_t race_steps_at(AgentId agent, uint32_t clock);

/* ---- The log ------------------------------------------------------------------------ */

typedef enum RaceOp {
    LOG_LOAD,
    LOG_STORE,
    LOG_RMW,
    LOG_UPDATE,        /* an RMW that commutes */
    LOG_FENCE,
    LOG_MESSAGE_LOAD,  /* under weak memory: of this message         */
    LOG_MESSAGE,       /* this one was written, perhaps by an update */
    LOG_RELEASE,
    LOG_ACQUIRE,
    LOG_CREATE
} RaceOp;

typedef struct RaceEntry {
    uint64_t object;   /* an address; LOG_CREATE: the child; LOG_MESSAGE: a WeakMessage; LOG_RELEASE: a hash of a
                          resource                          */
    uint32_t clock;
    uint16_t agent;
    uint8_t op;        /* RaceOp        */
    uint8_t order;     /* memory_order  */
} RaceEntry;

typedef struct RaceLog {
    RaceEntry *entries;
    uint32_t count;
} RaceLog;

extern RaceLog race_log __attribute__((visibility("hidden")));

enum { RACE_LOG_CAPACITY = 1 << 24 };
/* Evaluates the log and empties it. */
void race_log_flush(void);

/* Logs the running thread's newest operation. */
static inline void race_log_add(RaceOp op, uint64_t object, uint32_t order)
{
    if (UNLIKELY(race_log.count == RACE_LOG_CAPACITY))
        race_log_flush();
    race_log.entries[race_log.count++] = (RaceEntry){.object = object,
                                                     .clock = race_now() - 1,
                                                     .agent = (uint16_t)rt.self->strand,
                                                     .op = (uint8_t)op,
                                                     .order = (uint8_t)order};
}
void race_log_create(AgentId child);

/* For primitives, inside a step. Release: what this thread did so far happens before whatever acquires
 * the resource later; acquire: what was released into the resource happens before what this thread
 * does next. Under weak memory the step's footprint tells it: an access of MODE_NONE to RES_SYNC. (WEAK-5) */
void race_release(uint64_t resource);
void race_acquire(uint64_t resource);
/* The same where the engine knows it anyway: from the creation of an agent, or since the step is quiet. */
void race_log_release(uint64_t resource);
void race_log_acquire(uint64_t resource);

/* ---- Queries ------------------------------------------------------------------------ */

bool race_clock_init(Error *error);
void race_clock_reset(void);
/* For an image of the execution; false: the log is not complete. */
bool race_clock_save(RtImage *image);
/* Does what `agent` did up to `clock` happen before what the running thread does now? */
bool race_ordered(AgentId agent, uint32_t clock);
/* For race_verify.c: are there updates that commute and would acquire? */
bool race_clock_has_updates(void);
/* race_ordered, if they acquired. */
bool race_clock_ordered_by_updates(AgentId agent, uint32_t clock);

#endif
