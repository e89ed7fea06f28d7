/* jobs_steps.h - the common tree of wakeup trees: its nodes are steps
 *
 * The tree holds prescribed branches. Each of its leaves is a job: a decision prefix at whose end nothing sleeps, so a
 * worker that takes it needs to know nothing else (WUT-1). A worker explores below its job with a wakeup tree of its
 * own. Sequences that have to be explored above its job's root are inserted here (jobs_insert.h).
 * Invariants (docs/design/exploration.md):
 * JOB-1  a node that is or was a job covers every sequence that reaches it from above;
 * JOB-2  a node that is only prescribed does not: the sequence descends further;
 * JOB-3  all earlier siblings sleep, whether finished, running or not begun.
 */
#ifndef CORE_TREE_JOBS_STEPS_H
#define CORE_TREE_JOBS_STEPS_H

#include "core/hb.h"
#include "core/tree/jobs.h"
#include "core/tree/wakeup.h"

extern const JobForm jobs_of_steps;

/* The length of the job's prefix. */
uint32_t job_depth(const Job *job);
/* Makes the job's prefix the plan of `ex`. */
void job_plan(const Job *job, Execution *ex);
/* Whether the first events of the execution are the steps of the prefix (WUT-3). */
bool job_followed(const Job *job, const Hb *hb);

/* Gives away what is pending at the levels job_depth(job)..end-1 of the worker's tree, where `end` is at least
 * one level below the job's root and nothing sleeps there. The worker continues with the job then in hand,
 * whose prefix are the first `end` events of `hb`. */
void jobs_give(Jobs *jobs, JobHand *hand, WakeupTree *tree, const Hb *hb, uint32_t end);
/* Gives everything away: the job in hand ends, and what was pending in the worker's tree becomes jobs. */
void jobs_give_all(Jobs *jobs, JobHand *hand, WakeupTree *tree, const Hb *hb);

#endif
