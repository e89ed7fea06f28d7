/* detour.c - see detour.h */
#include "rt/spin/detour.h"

#include "rt/inputs/tracking.h"
#include "rt/kernel/thread.h"
#include "rt/sync/vtime.h"
#include "rt/weak/order.h"

/* Defined by the instrumenter: the program asks in what state an object is, without synchronising with it. */
extern const char sennit_tests_objects __attribute__((weak));

/* Can a thread know of another one's steps that do not happen before its own? Then what follows on a detour may race
 * with an access on it. */
static bool steps_are_known_without_order(void) { return order_weak_in_program() || &sennit_tests_objects != NULL; }

/* Time may have passed for the thread on the detour. */
static bool time_has_passed(void) { return rt.time_used && vtime_peek() != 0; }

/* What races with a read of the only place races with the next iteration's first read, too. */
bool detour_may_end(bool one_place)
{
    return one_place || !steps_are_known_without_order() || rt.self->detours++ > 0;
}

void detour_end(bool one_place)
{
    if (rt.ex->stops_detours && !tracking.on && !time_has_passed() && detour_may_end(one_place))
        thread_stop_detour();
}
