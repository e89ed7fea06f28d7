/* split.h - the rules of splitting: how long slices are, and which jobs a worker keeps
 *
 * A slice that ends too early costs the store a commit and other workers the time to resolve its jobs; one that ends
 * too late leaves others idle. Deep jobs are small: they stay where they are. docs/design/distribution.md has the
 * rules; bench/scaling shows the effect of a change.
 */
#ifndef DIST_SPLIT_H
#define DIST_SPLIT_H

#include "dist/store.h"

/* The duration of the first slice, and of the next one. */
double split_first_slice(const StoreState *state);
double split_next_slice(double slice, const StoreState *state);
/* Whether a slice that has lasted `seconds` should be ended, so that others get jobs. `lot` is a random number from 0
 * to 1: not all workers need to do it. */
bool split_should_yield(const StoreState *state, double seconds, double lot);
/* How many jobs to request when `held` are left. */
uint32_t split_want(const StoreState *state, uint32_t jobs, uint32_t held);
/* How many of the jobs into which one was split, the deep ones first, to continue with. */
uint32_t split_keep(const StoreState *state, uint32_t jobs, const StoreEntries *parts);
/* How many of the jobs that were not begun to keep (the first ones). */
uint32_t split_keep_untouched(const StoreState *state, uint32_t jobs, uint32_t untouched);
/* Seconds between two calls of the store while a slice runs, which has lasted for `seconds`; and at most between two
 * attempts to get jobs. */
double split_interval(const StoreState *state, double seconds, double lease);
double split_pause(const StoreState *state);

#endif
