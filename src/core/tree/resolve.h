/* resolve.h - finding the footprints of the steps of jobs, by running them
 *
 * A job that comes from a file or from another machine consists of agents and outcomes. Names of resources and
 * numbers of conditions belong to a process; a partial run along the prefix provides them. A step with conditions
 * on inputs may at first have another outcome than the wanted one: the run then names the condition, and the
 * next run asks for the outcome.
 */
#ifndef CORE_TREE_RESOLVE_H
#define CORE_TREE_RESOLVE_H

#include "core/schedule.h"
#include "core/strategy.h"
#include "core/tree/jobs.h"

typedef enum ResolveResult {
    RESOLVE_DONE,
    RESOLVE_UNKNOWN, /* no inputs were found for a run that is needed */
    RESOLVE_LOST     /* the program does not do what is wanted        */
} ResolveResult;

/* Replaces conditions that are CONDITION_UNKNOWN; search->probe then contains a run of the schedule. `*busy` (in the
 * region) is set while the program runs: if the process dies, the next one calls again, and the step that killed it is
 * resolved as far as it went. */
ResolveResult resolve_schedule(Search *search, Schedule *wanted, bool *busy);

/* Resolves all nodes of a wakeup tree that a worker on `job` may need. */
ResolveResult resolve_jobs(Search *search, Jobs *jobs, Job *job, bool *busy);

#endif
