/* supervise.h - keeping workers at work until the search has come to its end
 *
 * The supervisor never runs code of the program under test. It forks the workers, starts
 * one anew when the program killed it, and stops them when time is up or someone asks.
 */
#ifndef APP_SEARCH_SUPERVISE_H
#define APP_SEARCH_SUPERVISE_H

#include "app/run/process.h"
#include "app/search/search.h"

/* How the processes fared. */
typedef struct Supervision {
    Ending ending;          /* overrides the search's own if it is not ENDING_DONE */
    char note[400];         /* a sentence on an unusual ending                     */
    bool killed;            /* it failed because somebody kills its processes      */
    double seconds;
    double cpu_seconds;     /* of all workers                                      */
    uint64_t peak_kb;       /* all workers together                                */
} Supervision;

/* Called several times per second while the workers run. */
typedef struct Watcher {
    void (*watch)(struct Watcher *self, double seconds);
    /* All workers have ended and left their work in the jobs: the time for a checkpoint.
     * They are started again. */
    void (*paused)(struct Watcher *self, double seconds);
} Watcher;

/* ENDING_REFUSED: the program said itself why (Subject.refusal). */
void supervise_search(RunSearch *search, const RunInfo *info, Signals *signals, Watcher *watcher, Supervision *result);

#endif
