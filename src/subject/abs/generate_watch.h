/* generate_watch.h - a search for tests that takes long: tells how far it is, and ends early with what it has
 *
 * Ctrl-C, a request to end and a limit on time stop the search; what was found is confirmed and written. A second
 * Ctrl-C ends at once.
 */
#ifndef SUBJECT_ABS_GENERATE_WATCH_H
#define SUBJECT_ABS_GENERATE_WATCH_H

#include "core/explore.h"
#include "report/progress.h"
#include "tcg/testcase.h"

typedef enum WatchEnd { WATCH_GOES_ON, WATCH_TIME, WATCH_INTERRUPTED } WatchEnd;

typedef struct GenerateWatch {
    ExploreObserver observer;  /* first */
    Progress progress;
    const TestSuite *suite;    /* so far                  */
    uint32_t context, contexts;
    uint64_t executions;
    double begin, max_time;    /* seconds; 0: no limit    */
    WatchEnd end;
} GenerateWatch;

/* Signals are taken notice of until `watch_close`. */
void watch_open(GenerateWatch *watch, const TestSuite *suite, uint32_t contexts, double max_time, bool silent);
void watch_close(GenerateWatch *watch);

/* One of the initial contexts is searched; false if it is time to end. */
bool watch_context(GenerateWatch *watch, uint32_t context);
/* So many tests of all have been confirmed. */
void watch_confirming(GenerateWatch *watch, uint32_t count);

#endif
