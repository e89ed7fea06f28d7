/* slice.h - the text by which a worker passes jobs of a store to the processes that explore, and its answer
 *
 * A slice is text: its duration in seconds and the largest number of executions, then lines
 *     domain NAME PARENT ENTRY SIZE    and SIZE bytes of entries: a part of the store's tree
 *     job DOMAIN ENTRY NAME            a job to explore; if it is split, the rest is the domain NAME
 *     drop DOMAIN ENTRY                a job that was not begun and has been returned to the store
 * The answer says what became of the jobs:
 *     job DOMAIN ENTRY NAME over|split|kept SIZE    and SIZE bytes of entries
 */
#ifndef CORE_TREE_SLICE_H
#define CORE_TREE_SLICE_H

#include "core/tree/jobs_replica.h"

typedef struct SliceJob {
    uint64_t domain, name;
    uint32_t entry;
} SliceJob;
typedef VEC(SliceJob) SliceJobs;

typedef struct SliceLimits {
    double seconds;
    uint64_t executions; /* UINT64_MAX: no limit */
} SliceLimits;

/* Applies the slice to the tree: its jobs are added to `held`, dropped ones are removed from there. */
bool slice_read(const Text *slice, Jobs *jobs, Program *program, SliceJobs *held, SliceLimits *limits, Error *error);

/* Writes what became of the jobs held; no job may be running. Jobs that were not begun stay in `held`. */
void slice_write(SliceJobs *held, Jobs *jobs, Program *program, Text *out);

#endif
