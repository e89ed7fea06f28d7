/* jobs_insert.h - inserting sequences into the common tree, above the root of a job
 *
 * In the part of the tree that belongs to a store, nothing becomes visible before the store has confirmed
 * it: nodes are added under the lock, offered to the store, and removed again if its tree has grown
 * meanwhile. So what covers a sequence here covers it everywhere (DIST-3).
 */
#ifndef CORE_TREE_JOBS_INSERT_H
#define CORE_TREE_JOBS_INSERT_H

#include "core/tree/jobs_cover.h"

typedef enum JobsAnswer {
    JOBS_COVERED,  /* nothing to do; the sequence is unchanged                                    */
    JOBS_INSERTED, /* or it was covered; the sequence is used up                                  */
    JOBS_DEFERRED  /* it belongs into the part that is shared with other machines, and is not known
                      to be covered there: it has to be passed to jobs_insert_batch later        */
} JobsAnswer;

/* Makes sure that `sequence` is explored after the first `first` steps of the prefix of the job in hand;
 * `literals` is the path condition of these steps. */
JobsAnswer jobs_insert(Jobs *jobs, const JobHand *hand, JobCover *cover, uint32_t first, Insertion *insertion,
                       const Literal *literals, uint32_t count, LabelSequence *sequence);

/* A deferred sequence, to be inserted after the first `first` steps of the job's prefix. */
typedef struct JobsItem {
    uint32_t first;
    LabelSequence sequence;
} JobsItem;

/* Inserts the sequences with the consent of the store (JobsLink); literals[0..literal_ends[i]) is the path
 * condition of the first i steps of the prefix. 1: done. 0: the tree has grown and has nodes to be resolved:
 * resolve them and call again. -1: as JobsLink.extend. */
int jobs_insert_batch(Jobs *jobs, const Job *job, Insertion *insertion, const Literal *literals,
                      const uint32_t *literal_ends, JobsItem *items, uint32_t count);

#endif
