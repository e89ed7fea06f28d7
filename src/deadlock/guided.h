/* guided.h - the search for deadlocks that follows the cycles of the analysis
 *
 * Depth first over all schedules and choices of an ABS model, without those that cannot
 * end in a deadlock along one of the wanted cycles (constraint.h), and without repeating
 * equivalent ones: sufficient sets (persistent.h) and sleep sets. A state is left only if
 * no wanted deadlock lies behind it; that is a property of the state, so it holds however
 * the state was reached, and both reductions stay complete for the deadlocks
 * (docs/design/deadlock.md).
 */
#ifndef DEADLOCK_GUIDED_H
#define DEADLOCK_GUIDED_H

#include "abs/program/program_abs.h"
#include "deadlock/snapshot.h"

typedef enum GuidedEnd {
    GUIDED_COMPLETE, /* nothing is left                                           */
    GUIDED_FOUND,    /* a deadlock, and one was enough                            */
    GUIDED_TIMEOUT,
    GUIDED_STOPPED,  /* the model needs something that Sennit does not have       */
    GUIDED_DIVERGED
} GuidedEnd;

typedef struct GuidedStats {
    uint64_t states;     /* reached, the first one included                       */
    uint64_t executions; /* begun                                                 */
    uint64_t complete;   /* that came to an end without a wanted deadlock         */
    uint64_t pruned;     /* left: no wanted deadlock lies ahead                   */
    uint64_t asleep;     /* left: they would repeat others                        */
    uint64_t deadlocked; /* with a wanted deadlock                                */
    uint64_t bounded;    /* with a task stopped by a bound                        */
    uint32_t depth;      /* longest execution                                     */
    uint32_t tasks;      /* most tasks in one                                     */
    uint64_t unknown;    /* states that the analysis does not know                */
} GuidedStats;

typedef struct GuidedOptions {
    const ModelCycle *const *cycles;    /* wanted                                 */
    uint32_t cycle_count;
    bool unguided;       /* every deadlock is wanted, nothing is pruned           */
    bool first;          /* stop at the first wanted deadlock                     */
    bool reduce;         /* sufficient sets and sleep sets                        */
    uint32_t max_agent_steps; /* 0: no limit                                      */
    double seconds;      /* 0: no limit                                           */
} GuidedOptions;

/* A deadlock as it was found. Valid during the call. */
typedef struct GuidedDeadlock {
    const Execution *ex;    /* ends in the deadlock                                */
    const AgentId *tasks;   /* each waits for the next                             */
    uint32_t task_count;
    const CycleStep *steps; /* its way in the analysis; none if that is unknown    */
    uint32_t step_count;
} GuidedDeadlock;

typedef void GuidedFound(void *context, AbsProgram *program, const GuidedDeadlock *deadlock);

/* Searches a program of its own (no other execution may run in it meanwhile). */
GuidedEnd guided_search(AbsProgram *program, const Analysis *analysis, const GuidedOptions *options,
                        GuidedFound *found, void *context, GuidedStats *stats);

#endif
