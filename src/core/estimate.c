/* estimate.c - see estimate.h */
#include "core/estimate.h"

#include <math.h>

static const double STEP = 1.4142135623730951;      /* a step for every half doubling                     */
static const double MEMORY = 0.95;                  /* weight of older steps                              */
static const double PRIOR = 0.3, PRIOR_WEIGHT = 1;  /* variance of a doubling before any was observed     */
static const double LEAST = 0.5;                    /* doublings: the remaining share is uncertain too    */
static const double STEEPEST = 0.8;                 /* largest drift, relative to the growth of executions */
static const double QUANTILE = 2.2;                 /* four in five in tests/estimate                     */
static const double FADING = 0.7;                   /* of an earlier tempo, by each step                  */
static const double ROOM = 2;                       /* the rest may be so much denser: tests/estimate     */
static const double MOST_ROOM = 100;                /* of the executions so far: beyond that, all is open  */
enum { FIRST = 10 };                                /* executions before there is an estimate             */

bool estimator_is_due(const Estimator *estimator, uint64_t executions)
{
    return executions >= FIRST && (estimator->executions <= 0 || (double)executions >= estimator->executions * STEP);
}

void estimator_note(Estimator *estimator, uint64_t executions, double share)
{
    if (!estimator_is_due(estimator, executions) || share <= 0)
        return;
    double count = (double)executions, estimate = log(count / share);
    if (estimator->executions > 0) {
        double step = estimate - estimator->estimate;
        estimator->drift = estimator->drift * MEMORY + step;
        estimator->variation = estimator->variation * MEMORY + step * step;
        estimator->doublings = estimator->doublings * MEMORY + log2(count / estimator->executions);
        if (share > estimator->share)
            estimator->tempo =
                fmax(estimator->tempo * FADING, (count - estimator->executions) / (share - estimator->share));
    }
    estimator->share = share;
    estimator->executions = count;
    estimator->estimate = estimate;
}

Estimate estimator_read(const Estimator *estimator, uint64_t executions, double share)
{
    if (executions < FIRST || share <= 0 || share > 1)
        return (Estimate){0};
    double seen = PRIOR_WEIGHT + estimator->doublings, count = (double)executions;
    double variance = (PRIOR * PRIOR_WEIGHT + estimator->variation) / seen;
    double drift = fmax(-1, fmin(STEEPEST, estimator->drift / seen / M_LN2));
    double left = log2(1 / share),
           later = left / (1 - drift); /* doublings until estimate and executions are the same */
    double width = exp(QUANTILE * sqrt(variance * (fmax(left, later) + LEAST * sqrt(1 - share))));
    double room = fmin(ROOM * (1 - share) * estimator->tempo, MOST_ROOM * count);
    return (Estimate){.total = count / share, .low = fmax(count * exp2(fmin(left, later)) / width, count),
                      .high = fmax(count * exp2(fmax(left, later)) * width, count + room)};
}
