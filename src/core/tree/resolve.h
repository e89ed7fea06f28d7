/* resolve.h - finding out what the steps of jobs touch, by running them
 *
 * A job that comes from a file or from another machine is agents and outcomes. Names of
 * resources and of conditions belong to a process; a partial run along the way tells them.
 * A step with conditions on inputs may at first take another outcome than the one wanted:
 * the run then names the condition, and the next run asks for it.
 */
#ifndef CORE_TREE_RESOLVE_H
#define CORE_TREE_RESOLVE_H

#include "core/strategy.h"
#include "core/tree/jobs.h"

typedef enum ResolveResult {
    RESOLVE_DONE,
    RESOLVE_UNKNOWN, /* inputs of a run that is needed could not be found */
    RESOLVE_LOST     /* the program does not do what the tree says        */
} ResolveResult;

/* Resolves everything that a worker on `job` may look at.
 * `*busy` (in the region) is set while the program runs: if the process
 * dies, the next one calls again and the step that killed it is taken as it is. */
ResolveResult resolve_jobs(Search *search, Jobs *jobs, Job *job, bool *busy);

#endif
