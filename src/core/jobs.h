/* jobs.h - one search shared by several workers
 *
 * The jobs hold the tree of prescribed branches that is common to all workers. Every leaf
 * of it is a job: a decision prefix at whose end nothing sleeps, so whoever takes it needs
 * to know nothing else (WUT-1). A worker explores below its job with a tree of its own.
 * What it finds to be explored above its job's root is inserted here; when others have
 * nothing to do, it gives away the shallowest part of its own tree.
 * Invariants (docs/design/exploration.md):
 * JOB-1  a node that is or was a job covers every sequence that reaches it from above;
 * JOB-2  a node that is only prescribed does not: the way goes on below it;
 * JOB-3  all earlier siblings sleep, whether finished, running or not begun.
 */
#ifndef CORE_JOBS_H
#define CORE_JOBS_H

#include "base/region.h"
#include "core/execution.h"
#include "core/hb.h"
#include "core/wakeup.h"

typedef struct Job Job;
typedef struct Jobs Jobs;

/* A search that has not begun: one job, the empty prefix. The region must be shared by the
 * workers and used by nobody else. */
Jobs *jobs_create(Region *region);
void jobs_destroy(Jobs *jobs);

/* Takes a job that nobody has begun; NULL if there is none: then *finished says whether
 * the whole search is over, or others may still give some away. *waiting belongs to the
 * worker, false at first: whether it is counted among those who wait. */
Job *jobs_take(Jobs *jobs, bool *waiting, bool *finished);
/* Everything below the job has been explored. */
void jobs_end(Jobs *jobs, Job *job);

/* Is somebody waiting for work? Cheap; may be out of date. */
bool jobs_wanted(const Jobs *jobs);
/* Jobs that nobody has begun. */
uint32_t jobs_open(const Jobs *jobs);

uint32_t job_depth(const Job *job);
/* Makes the job's prefix the plan of `ex`. */
void job_plan(const Job *job, Execution *ex);
/* Did the first events of the execution do what the prefix says? (WUT-3) */
bool job_followed(const Job *job, const Hb *hb);

/* Makes sure that `sequence` (used up) is explored after the first `first` steps of the job's
 * prefix, whose path condition is given. */
void jobs_insert(Jobs *jobs, const Job *job, uint32_t first, Insertion *insertion, const Literal *literals, uint32_t count,
                 LabelSequence *sequence);

/* Gives away what is pending at the levels job_depth(job)..end-1 of the worker's tree, where
 * `end` is at least one level below the job's root and nothing sleeps there; the worker goes
 * on with the job returned, whose prefix are the first `end` events of `hb`. */
Job *jobs_give(Jobs *jobs, Job *job, WakeupTree *tree, const Hb *hb, uint32_t end);

#endif
