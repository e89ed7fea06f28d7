/* tracking.h - the state of a process that tracks symbolic values, and the life of an execution with inputs
 *
 * Only programs that ask for inputs are tracked. The expressions of the current execution are in the pool of the
 * process's session; the conditions of the run are in the archive, which all processes share. `tracking` is part of the
 * runtime's global state (runtime.h).
 */
#ifndef RT_INPUTS_TRACKING_H
#define RT_INPUTS_TRACKING_H

#include "base/map.h"
#include "base/vec.h"
#include "rt/abi/shadow_hooks.h"
#include "rt/kernel/runtime.h"
#include "sym/session/session.h"

/* A place where symbolic values were concretised. */
typedef struct Concretised {
    uint64_t site;
    uint64_t count;
    char what[40];
} Concretised;

enum { MAX_CONCRETISED = 64 };

/* One input of an execution, for reports: its value is in the bytes from `first` on. */
typedef struct InputRecord {
    char name[72];
    uint32_t size;      /* bytes                         */
    uint32_t first;     /* into InputRecords.bytes       */
    bool text;          /* several bytes, not one number */
    bool is_signed;
} InputRecord;

enum { MAX_INPUT_RECORDS = 1 << 14, MAX_INPUT_BYTES = 1 << 18, MAX_RECORDED = 256 };

/* All inputs of an execution (Execution.inputs). */
typedef struct InputRecords {
    uint32_t count, byte_count;
    InputRecord records[MAX_INPUT_RECORDS];
    uint8_t bytes[MAX_INPUT_BYTES];
} InputRecords;

/* What survives the process. */
typedef struct TrackingShared {
    uint32_t recorded;                 /* executions that have records            */
    uint32_t concretised_count;
    uint64_t concretised_total;
    Concretised concretised[MAX_CONCRETISED];
    InputRecords records[MAX_RECORDED];
} TrackingShared;

/* An assumption that a thread has evaluated, whose step it has not yet taken. */
typedef struct PendingAssumption {
    AgentId agent;
    Literal literal;
} PendingAssumption;

typedef struct Tracking {
    bool on;                  /* the program asks for inputs                                       */
    bool restart;             /* the execution starts again: other inputs satisfy an assumption    */
    bool no_restart;          /* it does not: such inputs could not be found again                 */
    uint32_t retried;         /* number of choices up to the last one that a new start has changed, see assume_retry */
    bool solved;              /* the inputs of the next execution are known                        */
    bool *ready;              /* this process has its session; wiped on fork                       */
    Session *session;
    ExprPool *pool;
    Archive *archive;
    TrackingShared *shared;
    InputRecords *records;    /* of this execution                                                 */
    Map decided;              /* (agent, condition) decided by that agent in this execution        */
    Map origins;              /* shadow of an address -> 1 + number of its origin                  */
    Map numbers;              /* (agent, name) -> how many inputs of that name it has requested    */
    Map asked;                /* expression of an input -> tracking_moment when it was requested   */
    VEC(Literal) literals;    /* what the inputs of this execution had to satisfy                  */
    VEC(Literal) restart_with;
    VEC(PendingAssumption) pending;
} Tracking;

extern Tracking tracking __attribute__((visibility("hidden")));

static inline ExprId shadow_expr(uint32_t shadow) { return (ExprId){shadow}; }
/* The shadow of an expression: constants have none, since the value itself is available. */
static inline uint32_t shadow_of_expr(ExprId e)
{
    return expr_is_none(e) || expr_is_const(tracking.pool, e, NULL) ? 0 : e.id;
}
/* Hooks take values as two halves. */
static inline Bits join_halves(uint64_t low, uint64_t high) { return (Bits)high << 64 | low; }

/* Called once, before workers are forked. On failure `error` is filled. */
bool tracking_init(Error *error);
/* Solves the inputs of the planned execution; false if the solver finds none. */
bool tracking_solve(Program *self, const Execution *ex);
/* Begins the execution, and solves its inputs unless tracking_solve has done so; false if the solver finds none. */
bool tracking_begin(Execution *ex);
/* ProgramOps.feasible. */
bool tracking_feasible(Program *self, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                       uint32_t clauses);
/* How far the running thread has come as far as other threads can observe: decisions do not count. */
uint64_t tracking_moment(void);

/* What all processes of the run asked the solver; false if the program has no inputs. */
bool tracking_stats(SymStats *stats);
/* Adds what processes on other machines, or before this one, asked. */
void tracking_add_stats(const SymStats *stats);

#endif
