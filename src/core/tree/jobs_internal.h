/* jobs_internal.h - the representation of the common tree, for the files jobs*.c */
#ifndef CORE_TREE_JOBS_INTERNAL_H
#define CORE_TREE_JOBS_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "core/label.h"
#include "core/tree/jobs_replica.h"
#include "core/tree/labelpool.h"

typedef enum JobState {
    PRESCRIBED, /* part of a branch, not a job (yet)                       */
    OPEN,
    RUNNING,
    FOREIGN,    /* a job of the store that another machine may explore     */
    OVER        /* explored, or split into the jobs below it               */
} JobState;

typedef struct JobDomain JobDomain;

/* A node of the common tree. There may be as many as classes: they are small. */
struct Job {
    union {
        const Label *label; /* in a wakeup tree: the step that leads here, of the tree's pool; NULL: the root */
        void *body;         /* what else it says, if body_size > 0                                            */
    };
    Job *parent;
    Job *next;         /* sibling to the right                                */
    Job *children;     /* leftmost                                            */
    Job *last_child;
    Job *next_open;
    JobDomain *domain; /* the store's tree below it, or NULL                  */
    uint32_t body_size;
    uint32_t depth;
    uint32_t live;     /* jobs open or running in its subtree; replicas of the
                          store's tree count too, so that they stay           */
    uint32_t entry;    /* its number in the domain it belongs to, 0: none     */
    float progress;    /* while it is explored: the finished share of it      */
    uint8_t state;     /* JobState                                            */
    bool resolved : 1; /* the label is complete, not only agent and outcomes  */
    bool settled : 1;  /* and so are those of all that is prescribed below it */
    bool assigned : 1; /* a job of the store that this machine holds          */
};

/* The nodes into which one job was split, by number. Entry 0 is the job. */
struct JobDomain {
    uint64_t name;
    Job **nodes;
    uint32_t count, capacity; /* of nodes; entry numbers are below count */
    JobDomain *next;
};

struct Jobs {
    Region *region;
    LabelPool labels;
    const JobForm *form;
    pthread_mutex_t mutex;
    Job *root;
    Job *first_open, *last_open; /* oldest first: they are the shallowest          */
    uint32_t open, running;
    uint32_t waiting;            /* workers that found nothing to take             */
    _Atomic bool changing;       /* the holder of the lock is in the middle of a change */
    bool broken;                 /* a worker died there                            */
    bool from_text;              /* some nodes were read: they may be unresolved   */
    JobDomain *domains;
    JobsLink *link;
    Job **journal;               /* nodes added and not yet confirmed by the store */
    uint32_t journal_count, journal_capacity;
};

/* ---- jobs.c ---- */

/* The lock survives the death of its holder. A change is made between jobs_lock_to_change (or setting
 * `changing`) and jobs_unlock: a worker that dies there leaves the tree broken. */
void jobs_lock(Jobs *jobs);
void jobs_lock_to_change(Jobs *jobs);
void jobs_unlock(Jobs *jobs);

/* Adds a prescribed node on the right. */
Job *jobs_add_node(Jobs *jobs, Job *parent);
/* Makes a node an open job. */
void jobs_open_node(Jobs *jobs, Job *node);
/* The node after this one among those below `top`, parents first; NULL after the last one. */
Job *jobs_next_below(const Job *top, const Job *node);
/* Adds to the number of live jobs of a node and all above it. */
void jobs_count_live(Job *node, int change);
/* The root of a search that has not begun is no job any more. */
void jobs_close_root(Jobs *jobs);
/* Removes the nodes that the store has not confirmed. */
void jobs_undo_journal(Jobs *jobs);

/* ---- jobs_steps.c ---- */

/* The same with a label. */
Job *jobs_make_node(Jobs *jobs, Job *parent, const Label *label);
/* Replaces the label. The one before stays in the pool: others may refer to it. */
void jobs_set_label(Jobs *jobs, Job *node, const Label *label);

/* ---- jobs_replica.c ---- */

/* Makes `root` the job of a new domain. */
JobDomain *jobs_add_domain(Jobs *jobs, Job *root, uint64_t name);
void jobs_add_entry(Jobs *jobs, JobDomain *domain, Job *node);
/* Frees the newest domain; its nodes stay in the tree. */
void jobs_forget_domain(Jobs *jobs, JobDomain *domain);

/* ---- jobs_wire.c ---- */

/* A node as an entry: "parent state", and what it says. */
void jobs_write_entry(const Jobs *jobs, const Job *node, uint32_t parent, Program *program, Text *text);
/* Adds entries to a domain. Open jobs among them become jobs of this search if `open`, else FOREIGN. */
bool jobs_read_entries(Jobs *jobs, Program *program, JobDomain *domain, const char *text, size_t size, bool open,
                       Error *error);

#endif
