/* jobs.h - one search shared by several workers: the common tree and its jobs
 *
 * Leaves of the common tree are jobs: parts of the search that a worker can explore without knowing anything
 * else. A worker explores its job depth first, by itself; when other workers wait, it gives away the shallowest
 * part of what it has pending, and continues with a job that is the rest.
 *
 * What a node says is a matter of the strategy (JobForm). In a wakeup tree it is a step, and a job is the branch
 * that leads to its node (jobs_steps.h). A graph of weak memory stands for itself (core/graph/jobs.h): there the
 * tree only says which jobs came from which, and so how large a share of the search each one is.
 *
 * JOB-4  what lies below a job is of interest to workers below that job only;
 * JOB-5  the tree and what a worker has in hand change together (docs/design/exploration.md).
 *
 * The tree can leave the process: jobs_wire.h writes it to checkpoints, jobs_replica.h shares it with other
 * machines through a store.
 */
#ifndef CORE_TREE_JOBS_H
#define CORE_TREE_JOBS_H

#include "base/error.h"
#include "base/region.h"
#include "base/text.h"
#include "core/explore.h"
#include "core/tree/step_wire.h"

typedef struct Job Job;
typedef struct Jobs Jobs;

/* What the nodes of a tree say. */
typedef struct JobForm {
    /* Writes what a node says, behind a blank, or nothing. */
    void (*write)(const Job *job, Program *program, Text *text);
    /* Reads up to the end of the line what a node says; false if it is damaged. */
    bool (*read)(Jobs *jobs, Job *job, Program *program, StepReader *reader);
    bool whole; /* a job stands for itself: what a node said is of no interest once it is over */
} JobForm;

/* A search that has not begun: one job, the root, which says nothing. The region must be shared by the workers
 * and used for nothing else. */
Jobs *jobs_create(Region *region, const JobForm *form);
void jobs_destroy(Jobs *jobs);

/* What a worker has in hand. It lies in memory that outlives the worker, so that the process that takes over
 * after its death can rely on it (JOB-5). Start with {0}. */
typedef struct JobHand {
    Job *job;        /* being explored, or NULL                        */
    uint32_t serial; /* increases whenever another job comes in hand   */
    bool waiting;    /* counted among the workers that wait            */
    ExploreStats before[2]; /* the statistics before the job, by its serial number */
} JobHand;

/* The statistics before the job in hand, and where those before the next one are noted. */
static inline const ExploreStats *jobhand_before(const JobHand *hand) { return &hand->before[hand->serial % 2]; }
static inline ExploreStats *jobhand_before_next(JobHand *hand) { return &hand->before[(hand->serial + 1) % 2]; }

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
/* The size of the common tree. */
size_t jobs_bytes(const Jobs *jobs);
/* The share of the search that has finished, if the children of a node are assumed to be equally large.
 * Negative if it is not known now, because a process is changing the tree. */
double jobs_progress(Jobs *jobs);
/* Notes the finished share of a job that is being explored. */
void job_note_progress(Job *job, double share);

/* ---- For strategies ---- */

/* What a node says, in memory of the tree; NULL if nothing. */
void *job_body(const Job *job);
/* Gives a node room for what it says. */
void *jobs_make_body(Jobs *jobs, Job *job, size_t size);

/* Work is given away by adding nodes below the job in hand, which is returned: */
Job *jobs_begin_giving(Jobs *jobs, const JobHand *hand);
/* nodes that are explored, but for what is added below them, and jobs; */
Job *jobs_add_explored(Jobs *jobs, Job *parent);
Job *jobs_add_job(Jobs *jobs, Job *parent);
/* and at the end the worker continues with `rest`, a node that was added; NULL: nothing is left in hand. */
void jobs_end_giving(Jobs *jobs, JobHand *hand, Job *rest);

#endif
