/* jobs.h - one search shared by several workers: the common tree and its jobs
 *
 * The common tree holds prescribed branches. Each of its leaves is a job: a decision prefix at whose end
 * nothing sleeps, so a worker that takes it needs to know nothing else (WUT-1). A worker explores below its
 * job with a wakeup tree of its own. Sequences that have to be explored above its job's root are inserted
 * here (jobs_insert.h); when other workers wait, it gives away the shallowest part of its own tree.
 * Invariants (docs/design/exploration.md):
 * JOB-1  a node that is or was a job covers every sequence that reaches it from above;
 * JOB-2  a node that is only prescribed does not: the sequence descends further;
 * JOB-3  all earlier siblings sleep, whether finished, running or not begun;
 * JOB-4  what lies below a job is of interest to workers below that job only;
 * JOB-5  the tree and what a worker has in hand change together.
 *
 * The tree can leave the process: jobs_wire.h writes it to checkpoints, jobs_replica.h shares it with other
 * machines through a store.
 */
#ifndef CORE_TREE_JOBS_H
#define CORE_TREE_JOBS_H

#include "base/error.h"
#include "base/region.h"
#include "base/text.h"
#include "core/execution.h"
#include "core/hb.h"
#include "core/tree/wakeup.h"

typedef struct Job Job;
typedef struct Jobs Jobs;

/* A search that has not begun: one job, the empty prefix. The region must be shared by the workers and used
 * for nothing else. */
Jobs *jobs_create(Region *region);
void jobs_destroy(Jobs *jobs);

/* What a worker has in hand. It lies in memory that outlives the worker, so that the process that takes over
 * after its death can rely on it (JOB-5). Start with {0}. */
typedef struct JobHand {
    Job *job;        /* being explored, or NULL                        */
    uint32_t serial; /* increases whenever another job comes in hand   */
    bool waiting;    /* counted among the workers that wait            */
} JobHand;

/* Takes a job that has not been begun. If there is none, *finished says whether the whole search has ended;
 * otherwise other workers may still give jobs away. */
void jobs_take(Jobs *jobs, JobHand *hand, bool *finished);
/* Everything below the job in hand has been explored. */
void jobs_end(Jobs *jobs, JobHand *hand);
/* Returns the job in hand, which was taken but not begun. */
void jobs_put_back(Jobs *jobs, JobHand *hand);

/* False if a worker died while it was changing the tree: then the search cannot be continued. */
bool jobs_are_sound(Jobs *jobs);

/* Whether more workers wait than jobs are open. Takes no lock; may be out of date. */
bool jobs_wanted(const Jobs *jobs);
/* The number of jobs that have not been begun, and of those being explored. */
uint32_t jobs_open(const Jobs *jobs);
uint32_t jobs_running(const Jobs *jobs);
/* The number of nodes of the common tree. */
uint32_t jobs_nodes(const Jobs *jobs);
/* The share of the search that has finished, if the children of a node are assumed to be equally large.
 * Negative if it is not known now, because a process is changing the tree. */
double jobs_progress(Jobs *jobs);
/* Notes the finished share of a job that is being explored. */
void job_note_progress(Job *job, double share);

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
