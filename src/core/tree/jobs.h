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
 * JOB-3  all earlier siblings sleep, whether finished, running or not begun;
 * JOB-4  what lies below a job is of interest to workers below that job only;
 * JOB-5  the tree and what a worker has in hand change together.
 *
 * The tree can leave the process as text (docs/design/distribution.md): decisions only.
 * What steps touch is found out again by running them, see resolve.h.
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

/* A search that has not begun: one job, the empty prefix. The region must be shared by the
 * workers and used by nobody else. */
Jobs *jobs_create(Region *region);
void jobs_destroy(Jobs *jobs);

/* What a worker has in hand. It is in memory that outlives the worker: whoever takes over
 * after its death can rely on it (JOB-5). {0} at first. */
typedef struct JobHand {
    Job *job;        /* being explored, or NULL           */
    uint32_t turn;   /* one more with every job           */
    bool waiting;    /* counted among those who wait      */
} JobHand;

/* Takes a job that nobody has begun. If there is none, *finished says whether the whole search
 * is over, or others may still give some away. */
void jobs_take(Jobs *jobs, JobHand *hand, bool *finished);
/* Everything below the job has been explored. */
void jobs_end(Jobs *jobs, JobHand *hand);

/* The job was taken but not begun. */
void jobs_put_back(Jobs *jobs, JobHand *hand);

/* False if a worker died while it changed the tree: then nothing can be said any more. */
bool jobs_are_sound(Jobs *jobs);

/* Is somebody waiting for work? Cheap; may be out of date. */
bool jobs_wanted(const Jobs *jobs);
/* Jobs that nobody has begun, and those that somebody has. */
uint32_t jobs_open(const Jobs *jobs);
uint32_t jobs_running(const Jobs *jobs);
/* Nodes of the common tree. */
uint32_t jobs_nodes(const Jobs *jobs);
/* The share of the search that is over, as the tree tells: every child of a node counts alike. */
double jobs_progress(Jobs *jobs);
/* So much of a job that is being explored is done. */
void job_note_progress(Job *job, double share);

uint32_t job_depth(const Job *job);
/* Makes the job's prefix the plan of `ex`. */
void job_plan(const Job *job, Execution *ex);
/* Did the first events of the execution do what the prefix says? (WUT-3) */
bool job_followed(const Job *job, const Hb *hb);

/* What a worker knows to cover sequences above its job, level by level: most that it finds can
 * be dropped without the lock. In its own memory; {0} at first. */
typedef struct CoverChild {
    const Label *label;
    bool covers;
} CoverChild;
typedef struct CoverLevel {
    bool known;
    LabelSequence asleep;
    VEC(CoverChild) children;
} CoverLevel;
typedef struct JobCover {
    uint32_t turn; /* of the hand whose job it is about */
    VEC(CoverLevel) levels;
} JobCover;
void jobcover_release(JobCover *cover);

/* What became of a sequence. */
typedef enum JobsAnswer {
    JOBS_COVERED,  /* nothing to be done, and the sequence is as it was                      */
    JOBS_INSERTED, /* or it was covered; the sequence is used up                             */
    JOBS_LATER     /* it belongs into the part that is shared with other machines, and is not
                      covered there as far as is known here: keep it for jobs_insert_batch  */
} JobsAnswer;

/* Makes sure that `sequence` is explored after the first `first` steps of the prefix of the job
 * in hand; the path condition of these steps is given. */
JobsAnswer jobs_insert(Jobs *jobs, const JobHand *hand, JobCover *cover, uint32_t first, Insertion *insertion,
                       const Literal *literals, uint32_t count, LabelSequence *sequence);

/* Gives away what is pending at the levels job_depth(job)..end-1 of the worker's tree, where
 * `end` is at least one level below the job's root and nothing sleeps there; the worker goes
 * on with the job now in hand, whose prefix are the first `end` events of `hb`. */
void jobs_give(Jobs *jobs, JobHand *hand, WakeupTree *tree, const Hb *hb, uint32_t end);
/* Gives everything away: the job is over, what was pending in the worker's tree are jobs. */
void jobs_give_all(Jobs *jobs, JobHand *hand, WakeupTree *tree, const Hb *hb);

/* ---- As text ---------------------------------------------------------------- */

/* Writes the tree, one node per line; nobody may be running. */
void jobs_write(Jobs *jobs, Program *program, Text *text);
/* Makes the tree of a search that has not begun the one in the text. */
bool jobs_read(Jobs *jobs, Program *program, const char *text, size_t size, Error *error);

/* ---- Labels that are not complete --------------------------------------------- */

/* Nodes on one way, from the root's child down; steps of nodes read from text are known by
 * agent and outcomes only. */
typedef VEC(Job *) JobPath;

/* A way with nodes that have to be known before `job` can be explored; false if there is none. */
bool jobs_find_unresolved(Jobs *jobs, Job *job, JobPath *path);
bool job_is_resolved(const Job *job);
/* The step: complete, or agent and choices without conditions (those that have one are
 * marked by condition UINT32_MAX). */
const Label *job_label(const Job *job);
void jobs_resolve(Jobs *jobs, Job *job, const Label *label);

/* ---- Shared with other machines (dist/store.h) ---------------------------------- */

/* The store's tree is cut into domains: what came into being below one job. Entries of a
 * domain are only ever added. A domain and an entry name a job. */
typedef struct JobsLink JobsLink;
struct JobsLink {
    /* Adds entries, a line each, to a domain that has `known` of them. 1: done. 0: it has
     * more; these are put into *news. -1: the store says that we are not wanted any more,
     * or cannot be reached. Called by one worker at a time. */
    int (*extend)(JobsLink *self, uint64_t domain, uint32_t known, const char *entries, Text *news);
};

/* From now on the tree is that of a store; all of it belongs to others except what is assigned. */
void jobs_connect(Jobs *jobs, JobsLink *link);
bool jobs_connected(const Jobs *jobs);

/* A sequence that jobs_insert answered JOBS_LATER for. */
typedef struct JobsItem {
    uint32_t first;
    LabelSequence sequence;
} JobsItem;
/* Inserts the sequences after the first steps of the job's prefix. 1: done. 0: the tree has
 * changed and has new nodes to be resolved: resolve and call again. -1: see JobsLink. */
int jobs_insert_batch(Jobs *jobs, const Job *job, Insertion *insertion, const Literal *literals,
                      const uint32_t *literal_ends, JobsItem *items, uint32_t count);

/* A domain whose job is `entry` of `parent` (for the first one, name 0, they do not count); its
 * entries from known on. Entries of a domain that is there are added. */
bool jobs_replicate(Jobs *jobs, Program *program, uint64_t domain, uint64_t parent, uint32_t entry, const char *entries,
                    size_t size, Error *error);
/* The machine holds this job now. False if there is no such job. */
bool jobs_assign(Jobs *jobs, uint64_t domain, uint32_t entry);
/* How an assigned job stands when nobody is running: over; not begun (still assigned, unless it
 * is to be released); or split: then its entries are written, and it is the domain `name` from
 * now on. */
typedef enum JobFate { JOB_OVER, JOB_UNTOUCHED, JOB_SPLIT } JobFate;
JobFate jobs_return(Jobs *jobs, Program *program, uint64_t domain, uint32_t entry, uint64_t name, bool release,
                    Text *entries);

#endif
