/* estimate.h - the total number of executions of a search, and the uncertainty of that number
 *
 * Known are the executions so far and their share of the tree, if all children of a node are equally large: the total
 * is one divided by the other (weighted backtracking; Kilby, Slaney, Thiebaux, Walsh, "Estimating search tree size",
 * 2006). Whenever the number of executions has doubled, the tree has been seen from higher up and the estimate has
 * made a step. Steps in one direction are assumed to continue (small subtrees finish sooner, so a search by many
 * workers is underestimated at first); apart from that they are independent. So the logarithm of the total is known
 * up to
 *     step * sqrt(doublings that are left).
 * Nearly all executions may lie in a small share: then the share hardly grows, and both assumptions are wrong. So the
 * interval has room for the recent executions per share, and twice as many, in what is left: 2 * (1 - share) * tempo.
 * It works with any number of workers: nothing else about the tree is needed.
 */
#ifndef CORE_ESTIMATE_H
#define CORE_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

/* Start with {0}. */
typedef struct Estimator {
    double executions; /* at the last step                                          */
    double estimate;   /* its logarithm, at the last step                           */
    double drift;      /* sum of all steps, recent ones weigh most                  */
    double variation;  /* sum of their squares                                      */
    double doublings;  /* sum of the doublings of executions that they took         */
    double share;      /* at the last step                                          */
    double tempo;      /* executions per share, in the last steps                   */
} Estimator;

/* The total lies between `low` and `high` four times in five (on the trees of tests/estimate). total == 0: nothing is
 * known yet. */
typedef struct Estimate {
    double total, low, high;
} Estimate;

/* Whether a note would be a step: the share need not be known before. */
bool estimator_is_due(const Estimator *estimator, uint64_t executions);
/* Notes the state of the search: the executions so far and the finished share. */
void estimator_note(Estimator *estimator, uint64_t executions, double share);
/* The estimate in that state. */
Estimate estimator_read(const Estimator *estimator, uint64_t executions, double share);

#endif
