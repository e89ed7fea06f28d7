/* split.c - see split.h */
#include "dist/split.h"

static const double SHORTEST = 0.02, LONGEST = 8, LOOK = 0.05;
static const double FIRST_ALONE = 5, LONGEST_ALONE = 40, LOOK_ALONE = 0.3; /* of a worker that is alone */
static const double CALLS = 2000;    /* of one kind per second, from all workers together       */
static const double EAGER = 16;      /* slices that are ended for each idle worker              */
enum {
    ENOUGH = 8,                      /* jobs in the queue for each worker                       */
    KEEP_MAX = 256,                  /* jobs that a worker keeps                                */
    KEEP_ALONE = 1000                /* the same if it is alone                                 */
};

static double within(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

static double queued_each(const StoreState *state)
{
    return (double)state->queued / (state->workers ? state->workers : 1);
}

/* There is no other worker: this one would take again what it does not keep. */
static bool is_alone(const StoreState *state) { return state->workers <= 1; }

static uint32_t keep_max(const StoreState *state) { return is_alone(state) ? KEEP_ALONE : KEEP_MAX; }

static double busy(const StoreState *state) { return state->workers > state->idle ? state->workers - state->idle : 1; }

/* The shortest time between two calls, if this many workers make them. */
static double shortest(double workers) { return within(workers / CALLS, SHORTEST, LONGEST); }

/* Each slice leaves jobs whose races reach above them, and each of those is a call of the store. A worker that is alone
 * has few, long slices: the arrival of another worker ends them. */
double split_first_slice(const StoreState *state) { return is_alone(state) ? FIRST_ALONE : SHORTEST; }

double split_next_slice(double slice, const StoreState *state)
{
    if (is_alone(state))
        return within(slice * 2, FIRST_ALONE, LONGEST_ALONE);
    double longer = queued_each(state) >= 0.25 ? 2 : 1;
    double next = state->idle > state->queued ? slice / 2 : slice * longer;
    return within(next, shortest(busy(state)), LONGEST);
}

/* Not all at once where there are many: the store would be busy with that alone. */
bool split_should_yield(const StoreState *state, double seconds, double lot)
{
    if (state->stopped)
        return true;
    if (seconds < SHORTEST || state->idle <= state->queued)
        return false;
    return lot * busy(state) < EAGER * (state->idle - state->queued);
}

/* Half of the fair share, or all if the worker is alone: small jobs finish soon, and requesting a few at a time would
 * leave little for a slice; those that are not begun when others are idle are returned. */
uint32_t split_want(const StoreState *state, uint32_t jobs, uint32_t held)
{
    double want = is_alone(state) ? state->queued : queued_each(state) / 2;
    return held < jobs ? (uint32_t)within(want, jobs, keep_max(state)) - held : 0;
}

/* The part of its jobs that a worker keeps: all if enough are queued, or if it is alone; the fair share if others are
 * idle. */
static double fair_part(const StoreState *state)
{
    if (is_alone(state) || queued_each(state) >= (double)ENOUGH)
        return 1;
    return state->idle > state->queued ? busy(state) / (busy(state) + 2 * state->idle) : 0.5;
}

uint32_t split_keep(const StoreState *state, uint32_t jobs, const StoreEntries *parts)
{
    double all = 0, kept = 0, part = fair_part(state);
    uint32_t count = 0;
    for (uint32_t i = 0; i < parts->count; i++)
        all += parts->items[i].share;
    while (count < parts->count && count < keep_max(state) &&
           (part >= 1 || count < jobs || kept + parts->items[count].share <= all * part))
        kept += parts->items[count++].share;
    return count;
}

uint32_t split_keep_untouched(const StoreState *state, uint32_t jobs, uint32_t untouched)
{
    double keep = within(untouched * fair_part(state), jobs, keep_max(state));
    return keep < untouched ? (uint32_t)keep : untouched;
}

/* A worker that is alone looks for others the less often the longer it has been exploring. */
double split_interval(const StoreState *state, double seconds, double lease)
{
    double least = is_alone(state) ? within(seconds / 20, LOOK, LOOK_ALONE) : LOOK;
    return within(shortest(state->workers), least, lease / 4);
}

double split_pause(const StoreState *state) { return shortest(state->idle); }
