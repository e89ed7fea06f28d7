/* estimate.h - how many executions a search will have in all, and how sure that is
 *
 * Known are the executions so far and the share of the tree that they are, every child of a node
 * counted alike: the total is one divided by the other (weighted backtracking; Kilby, Slaney,
 * Thiebaux, Walsh, "Estimating search tree size", 2006). Whenever there are twice as many
 * executions, the tree has been seen from higher up and the estimate has made a step. Steps that
 * went in one direction are taken to go on like that (small subtrees are over sooner, so a search
 * by many workers is underestimated at first); apart from that they are independent. So the
 * logarithm of the total is known up to
 *     step * sqrt(doublings that are left).
 * Works with any number of workers: nothing else about the tree is needed.
 */
#ifndef CORE_ESTIMATE_H
#define CORE_ESTIMATE_H

#include <stdint.h>

/* Start with {0}. */
typedef struct Estimator {
    double executions; /* and the logarithm of the estimate, at the last step       */
    double estimate;
    double drift;      /* sum of all steps, the last ones most; of their squares; of */
    double variation;  /* the doublings of executions that they took                */
    double doublings;
} Estimator;

/* The total lies between `low` and `high` four times in five (tests/estimate has the kinds of
 * trees this was tried on). total == 0: nothing is known yet. */
typedef struct Estimate {
    double total, low, high;
} Estimate;

/* Tells how the search stands; the share need not grow, but counts only when it does. */
void estimator_note(Estimator *estimator, uint64_t executions, double share);
Estimate estimator_read(const Estimator *estimator, uint64_t executions, double share);

#endif
