/* jobs_cover.h - what covers sequences above a job, as its worker remembers it
 *
 * Nearly all races that an execution has above its job's root are covered there. To see that, the steps that
 * sleep at a node and its children from left to right suffice, as they were when the worker last held the
 * lock: the sleep set is fixed when the node is created (JOB-3), children are only added on the right, and a
 * child that covers does so permanently. So most sequences are dropped without taking the lock. Nodes beside
 * a job's prefix exist as long as it runs (JOB-4), so their labels can be borrowed.
 */
#ifndef CORE_TREE_JOBS_COVER_H
#define CORE_TREE_JOBS_COVER_H

#include "core/tree/jobs_steps.h"

typedef struct CoverChild {
    const Label *label;
    bool covers;
} CoverChild;

/* The node at one depth of the job's prefix. */
typedef struct CoverLevel {
    bool known;
    LabelSequence asleep;
    VEC(CoverChild) children;
} CoverLevel;

/* In the worker's own memory. Start with {0}. */
typedef struct JobCover {
    uint32_t serial; /* of the hand whose job it describes */
    VEC(CoverLevel) levels;
} JobCover;

void jobcover_release(JobCover *cover);

/* Forgets everything if the hand holds another job now. */
void jobcover_begin(JobCover *cover, const JobHand *hand);
/* Whether the sequence is covered at this level, as far as is known. `inputs`: the program may have some. */
bool jobcover_covers(JobCover *cover, uint32_t level, const LabelSequence *sequence, bool inputs);
/* The sleep set of this level, to be filled in by the caller if it is not *known. */
LabelSequence *jobcover_asleep(JobCover *cover, uint32_t level, bool *known);
/* Remembers the children of a node as they are now. The caller holds the lock, and the journal is empty. */
void jobcover_learn(JobCover *cover, const Job *node);

#endif
