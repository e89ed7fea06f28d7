/* guided.h - the search for deadlocks guided by the cycles of the analysis
 *
 * A depth-first search over all schedules and choices of an ABS model, without those that cannot end in a deadlock
 * along one of the wanted cycles (constraint.h), and without equivalent ones: sufficient sets (persistent.h) and sleep
 * sets. A state is pruned only if no wanted deadlock is reachable from it; that is a property of the state, however it
 * was reached, so both reductions stay complete for the deadlocks (docs/design/deadlock.md).
 */
#ifndef DEADLOCK_GUIDED_H
#define DEADLOCK_GUIDED_H

#include "abs/program/program_abs.h"
#include "deadlock/snapshot.h"

typedef enum GuidedEnd {
    GUIDED_COMPLETE, /* everything was explored                            */
    GUIDED_FOUND,    /* a deadlock, and one was enough                     */
    GUIDED_TIMEOUT,
    GUIDED_STOPPED,  /* the model uses an unsupported feature              */
    GUIDED_DIVERGED  /* nondeterministic: a schedule could not be repeated */
} GuidedEnd;

typedef struct GuidedStats {
    uint64_t states;     /* reached, the first one included               */
    uint64_t executions; /* begun                                         */
    uint64_t complete;   /* that ended without a wanted deadlock          */
    uint64_t pruned;     /* given up: no wanted deadlock is reachable     */
    uint64_t asleep;     /* given up: equivalent to others (sleep sets)   */
    uint64_t deadlocked; /* with a wanted deadlock                        */
    uint64_t bounded;    /* with a task stopped by a bound                */
    uint32_t depth;      /* longest execution                             */
    uint32_t tasks;      /* most tasks in one                             */
    uint64_t unknown;    /* states with something unknown to the analysis */
} GuidedStats;

typedef struct GuidedOptions {
    const ModelCycle *const *cycles;    /* wanted                                 */
    uint32_t cycle_count;
    bool stuck;          /* instead: executions at whose end a task waits for a condition */
    bool unguided;       /* every deadlock is wanted, nothing is pruned           */
    bool first;          /* stop at the first wanted deadlock                     */
    bool reduce;         /* sufficient sets and sleep sets                        */
    uint32_t max_agent_steps; /* 0: no bound                                      */
    double seconds;      /* budget; 0: none                                       */
} GuidedOptions;

/* A deadlock that was found. Valid during the call of GuidedFound. */
typedef struct GuidedDeadlock {
    const Execution *ex;    /* ends in the deadlock                              */
    const AgentId *tasks;   /* each waits for the next                           */
    uint32_t task_count;
    const CycleStep *steps; /* its abstraction (alpha_deadlock); none if unknown */
    uint32_t step_count;
} GuidedDeadlock;

typedef void GuidedFound(void *context, AbsProgram *program, const GuidedDeadlock *deadlock);

/* Searches the program, which must not be used for other executions meanwhile. Calls `found` for each wanted deadlock
 * and fills `stats`. */
GuidedEnd guided_search(AbsProgram *program, const Analysis *analysis, const GuidedOptions *options,
                        GuidedFound *found, void *context, GuidedStats *stats);

#endif
