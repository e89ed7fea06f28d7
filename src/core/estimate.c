/* estimate.c - see estimate.h */
#include "core/estimate.h"

#include <math.h>

static const double STEP = 1.4142135623730951; /* a step for every half doubling           */
static const double PRIOR = 0.25, PRIOR_WEIGHT = 2; /* variance of a doubling before any was seen */
static const double QUANTILE = 1.75;           /* nine in ten; wider than the normal 1.645, since
                                                  the variance is itself an estimate      */
enum { FIRST = 10 };                           /* executions before anything is said      */

void estimator_note(Estimator *estimator, uint64_t executions, double share)
{
    if (executions < FIRST || share <= 0)
        return;
    double estimate = log((double)executions / share);
    if (estimator->share <= 0) {
        estimator->share = share;
        estimator->estimate = estimate;
    } else if (share >= estimator->share * STEP) {
        double step = estimate - estimator->estimate;
        estimator->variation += step * step;
        estimator->doublings += log2(share / estimator->share);
        estimator->share = share;
        estimator->estimate = estimate;
    }
}

Estimate estimator_read(const Estimator *estimator, uint64_t executions, double share)
{
    if (executions < FIRST || share <= 0 || share > 1)
        return (Estimate){0};
    double total = (double)executions / share;
    double variance = (PRIOR * PRIOR_WEIGHT + estimator->variation) / (PRIOR_WEIGHT + estimator->doublings);
    double width = exp(QUANTILE * sqrt(variance * log2(1 / share)));
    double low = total / width, high = total * width;
    return (Estimate){.total = total, .low = low > (double)executions ? low : (double)executions, .high = high};
}
