/* slice.h - jobs of a store as a worker gives them to whoever explores them, and gets them back
 *
 * A slice is text: its length in seconds and the most executions, then lines
 *     domain NAME PARENT ENTRY SIZE    and SIZE bytes of entries: a part of the store's tree
 *     job DOMAIN ENTRY NAME            a job to explore; if it is split, the rest is called NAME
 *     drop DOMAIN ENTRY                a job that was not begun and is not ours any more
 * and what becomes of its jobs is lines
 *     job DOMAIN ENTRY NAME over|split|kept SIZE    and SIZE bytes of entries
 */
#ifndef CORE_TREE_SLICE_H
#define CORE_TREE_SLICE_H

#include "core/tree/jobs.h"

typedef struct SliceJob {
    uint64_t domain, name;
    uint32_t entry;
} SliceJob;
typedef VEC(SliceJob) SliceJobs;

typedef struct SliceLimits {
    double seconds;
    uint64_t executions; /* UINT64_MAX: no limit */
} SliceLimits;

/* Brings what the slice tells into the tree; its jobs are added to `held`, what is dropped is
 * taken from there. */
bool slice_read(const Text *slice, Jobs *jobs, Program *program, SliceJobs *held, SliceLimits *limits, Error *error);

/* When nobody is running: writes what became of the jobs held. Those that were not begun stay. */
void slice_write(SliceJobs *held, Jobs *jobs, Program *program, Text *out);

#endif
