/* reach.h - what an activation may still do from an instruction on
 *
 * An over-approximation by control flow and calls: the waits of its own task, and the tasks that may be started.
 * Results are cached.
 */
#ifndef DEADLOCK_REACH_H
#define DEADLOCK_REACH_H

#include "deadlock/analysis.h"

typedef struct ReachSet {
    uint64_t *activations; /* whose code its own task may still run from the start */
    uint64_t *waits;       /* waits of the task itself that it may still reach     */
    uint64_t *tasks;       /* that may still be started, also by tasks started     */
} ReachSet;

typedef struct ReachTable {
    const Analysis *analysis;
    Arena arena;
    Map known;             /* activation and instruction -> ReachSet                    */
} ReachTable;

/* An empty cache for an analysis (borrowed). */
void reach_init(ReachTable *reach, const Analysis *analysis);
void reach_release(ReachTable *reach);
/* From an instruction on, itself included. The waits are those of every task that runs the
 * activation: the caller knows which task it is. */
const ReachSet *reach_from(ReachTable *reach, uint32_t activation, uint32_t at);
/* The same without the instruction itself. */
const ReachSet *reach_after(ReachTable *reach, uint32_t activation, uint32_t at);

#endif
