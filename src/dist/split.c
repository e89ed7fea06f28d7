/* split.c - see worker.h: the rules by which work is cut into pieces
 *
 * A slice that ends too early costs the store a commit and others the time to get to know
 * the pieces; one that ends too late leaves others without work.
 */
#include "dist/worker.h"

static const double SHORTEST = 0.2, LONGEST = 8;
enum { WANT_MAX = 64 };

static double within(double value, double least, double most)
{
    return value < least ? least : value > most ? most : value;
}

double worker_next_slice(double slice, const StoreState *state)
{
    double each = (double)state->queued / (state->workers ? state->workers : 1);
    return within(each >= 4 ? slice * 2 : each >= 1 ? slice : slice / 2, SHORTEST, LONGEST);
}

bool worker_should_yield(const StoreState *state, double seconds)
{
    return state->stopped || (seconds >= SHORTEST && state->idle > state->queued);
}

uint32_t worker_want(uint32_t jobs, double last_rate, double slice)
{
    double wanted = within(last_rate * slice, jobs, WANT_MAX);
    return wanted < jobs ? jobs : (uint32_t)wanted;
}

double worker_interval(const StoreState *state, double lease)
{
    return within(0.1 + state->workers / 50.0, 0.1, lease / 4);
}
