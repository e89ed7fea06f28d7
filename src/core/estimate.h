/* estimate.h - how many executions a search will have in all, and how sure that is
 *
 * Known are the executions so far and the share of the tree that they are, every kid of a node
 * counted alike: the total is one divided by the other (weighted backtracking; Kilby, Slaney,
 * Thiebaux, Walsh, "Estimating search tree size", 2006). A share that has doubled has seen the
 * tree from one level higher up, and the estimate has made a step. As many steps are still to
 * come as the share has to double until it is the whole; they are taken to be independent and
 * as large as those seen. So the logarithm of the total is known up to
 *     step * sqrt(log2(1 / share)).
 * Works with any number of workers: nothing else about the tree is needed.
 */
#ifndef CORE_ESTIMATE_H
#define CORE_ESTIMATE_H

#include <stdint.h>

/* Start with {0}. */
typedef struct Estimator {
    double share;     /* and the logarithm of the estimate, at the last step    */
    double estimate;
    double variation; /* sum of the squares of all steps                        */
    double doublings; /* of the share, in all                                   */
} Estimator;

/* The total lies between `low` and `high` nine times in ten (tests/unit/core/test_estimate.c has
 * the kinds of trees this was tried on). total == 0: nothing is known yet. */
typedef struct Estimate {
    double total, low, high;
} Estimate;

/* Tells how the search stands; the share need not grow, but counts only when it does. */
void estimator_note(Estimator *estimator, uint64_t executions, double share);
Estimate estimator_read(const Estimator *estimator, uint64_t executions, double share);

#endif
