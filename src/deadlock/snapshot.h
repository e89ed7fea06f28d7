/* snapshot.h - the current state of an execution, abstracted for the guided search
 *
 * For each unfinished task: its abstraction, what it waits for now, what it may still wait for and start.
 */
#ifndef DEADLOCK_SNAPSHOT_H
#define DEADLOCK_SNAPSHOT_H

#include "deadlock/alpha.h"
#include "deadlock/reach.h"

typedef struct TaskView {
    AgentId id;
    uint32_t cog;           /* concrete                                    */
    uint32_t abstract;      /* task of the analysis                        */
    uint64_t *waits;        /* waits of its own that it may still reach    */
    uint64_t *tasks;        /* abstract tasks that it may still start      */
    bool enabled;
    bool promising;         /* may reach a wanted wait (set by the search) */
    bool lost;              /* part of a deadlock: takes no further step   */
} TaskView;

/* A task that waits now for one that is not over. */
typedef struct WaitView {
    uint32_t wait;          /* of the analysis                                   */
    AgentId task, wanted;
    uint32_t cog, wanted_cog;
    bool lost;
} WaitView;

typedef struct Snapshot {
    const Analysis *analysis;
    ReachTable reach;
    VEC(TaskView) tasks;
    VEC(WaitView) waits;
    VEC(WaitView) hopes;    /* waits for a condition: a view for each task that could make it true */
    uint64_t *startable;    /* abstract tasks that may still be started      */
    uint8_t *lost;          /* by agent, set by the search                   */
    bool unknown;           /* it contains something unknown to the analysis */
} Snapshot;

/* For an analysis (borrowed); empty until snapshot_take, reusable for many states. */
void snapshot_init(Snapshot *snapshot, const Analysis *analysis);
void snapshot_release(Snapshot *snapshot);
/* Fills the snapshot from the machine's state, between two steps. */
void snapshot_take(Snapshot *snapshot, Machine *machine);

#endif
