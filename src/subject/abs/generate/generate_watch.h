/* generate_watch.h - progress and early end of a search for tests
 *
 * SIGINT, SIGTERM and the time budget stop the search; the tests so far are confirmed and written. A second signal ends
 * the process at once.
 */
#ifndef SUBJECT_ABS_GENERATE_WATCH_H
#define SUBJECT_ABS_GENERATE_WATCH_H

#include "core/explore.h"
#include "report/progress.h"
#include "tcg/testcase.h"

typedef enum WatchEnd { WATCH_RUNNING, WATCH_TIME, WATCH_INTERRUPTED } WatchEnd;

typedef struct GenerateWatch {
    ExploreObserver observer;  /* first                 */
    Progress progress;
    const TestSuite *suite;    /* so far                */
    uint32_t context, contexts;
    uint64_t executions;
    double begin, max_time;    /* seconds; 0: no budget */
    WatchEnd end;
    double confirm_until;      /* 0: still searching    */
} GenerateWatch;

/* Handles signals until watch_close. */
void watch_open(GenerateWatch *watch, const TestSuite *suite, uint32_t contexts, double max_time, bool silent);
void watch_close(GenerateWatch *watch);

/* The search of this initial context begins; false if the search is to end. */
bool watch_context(GenerateWatch *watch, uint32_t context);
/* The same within an execution; takes the GenerateWatch. */
bool watch_may_continue(void *watch);
/* The search has ended; watch_may_continue is true from now on while there is time to confirm what was found. */
void watch_begin_confirming(GenerateWatch *watch);
/* Reports that `count` tests have been confirmed. */
void watch_confirming(GenerateWatch *watch, uint32_t count);

#endif
