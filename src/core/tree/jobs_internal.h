/* jobs_internal.h - the common tree of jobs.h as jobs.c, jobs_share.c and jobs_wire.c see it */
#ifndef CORE_TREE_JOBS_INTERNAL_H
#define CORE_TREE_JOBS_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/tree/jobs.h"

typedef enum JobState {
    PRESCRIBED, /* part of a way, not a job (yet)                          */
    OPEN,
    RUNNING,
    FOREIGN,    /* a job of the store that is not ours                     */
    OVER        /* explored, or split into the jobs below it               */
} JobState;

typedef struct JobDomain JobDomain;

/* A node of the common tree. */
struct Job {
    Label label;     /* the step that leads here; none for the root         */
    Job *parent;
    Job *next;       /* sibling to the right                                */
    Job *children;
    Job *last_child;
    Job *next_open;
    JobDomain *domain;  /* the store's tree below it, or NULL                  */
    void *tail;      /* of the label                                        */
    size_t tail_size;
    uint32_t depth;
    uint32_t live;   /* jobs open or running in its subtree; replicas of the
                        store's tree count too, so that they stay           */
    uint32_t entry;  /* its number in the domain it belongs to, 0: none     */
    float progress;  /* while it is explored: the share of it that is done  */
    uint8_t state;   /* JobState                                            */
    bool resolved;   /* the label is complete; before: agent and outcomes   */
    bool settled;    /* and so are those of all that is prescribed below it */
    bool assigned;   /* a job of the store that this machine holds          */
};

/* The nodes that came into being together below one job, by number. Entry 0 is the job. */
struct JobDomain {
    uint64_t name;
    Job **nodes;
    uint32_t count, capacity; /* of nodes; entry numbers are below count */
    JobDomain *next;
};

struct Jobs {
    Region *region;
    pthread_mutex_t mutex;
    Job *root;
    Job *first_open, *last_open; /* oldest first: they are the shallowest */
    uint32_t open, running;
    uint32_t waiting;            /* workers that found nothing to take    */
    uint32_t nodes;
    _Atomic bool changing;       /* whoever holds the lock is half through with a change */
    bool broken;                 /* and died there                        */
    bool from_text;              /* some nodes were read: they may be unresolved   */
    JobDomain *domains;
    JobsLink *link;
    Job **journal;               /* nodes added and not yet confirmed by the store */
    uint32_t journal_count, journal_capacity;
};

/* To look, or to change something: a worker may be killed any time. */
void jobs_lock(Jobs *jobs);
void jobs_lock_to_change(Jobs *jobs);
void jobs_unlock(Jobs *jobs);

Job *jobs_make_node(Jobs *jobs, Job *parent, const Label *label);
/* Removes a node without children; it must be the last of its parent. */
void jobs_remove_last(Jobs *jobs, Job *node);
/* Replaces the label (copied). */
void jobs_set_label(Jobs *jobs, Job *node, const Label *label);
void jobs_open_node(Jobs *jobs, Job *node);
/* Adds to the number of live jobs of a node and all above it. */
void jobs_count_live(Job *node, int change);
/* Frees what is below finished jobs from `node` upwards. */
void jobs_collapse(Jobs *jobs, Job *node);

JobDomain *jobs_add_domain(Jobs *jobs, Job *root, uint64_t name);
JobDomain *jobs_find_domain(const Jobs *jobs, uint64_t name);
void jobs_add_entry(Jobs *jobs, JobDomain *domain, Job *node);

/* ---- What covers sequences above a job (jobs_cover.c) ---- */

/* Forgets what was known of another job. */
void jobcover_begin(JobCover *cover, const JobHand *hand);
/* Is the sequence covered at this level, as far as is known? `inputs`: the program may have some. */
bool jobcover_covers(JobCover *cover, uint32_t level, const LabelSequence *sequence, bool inputs);
/* What sleeps at this level: to be filled in if it is not known. */
LabelSequence *jobcover_asleep(JobCover *cover, uint32_t level, bool *known);
/* The children of a node as they are now: under the lock, and nothing in the journal. */
void jobcover_learn(JobCover *cover, const Job *node);

/* A node as an entry: "parent state agent:choices". */
void jobs_write_entry(const Job *node, uint32_t parent, Program *program, Text *text);
/* Adds entries to a domain; jobs among them are FOREIGN. */
bool jobs_read_entries(Jobs *jobs, Program *program, JobDomain *domain, const char *text, size_t size, bool open,
                       Error *error);

#endif
