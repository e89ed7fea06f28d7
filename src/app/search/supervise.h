/* supervise.h - runs the workers of a search until it is over
 *
 * The supervisor never runs code of the program under test. It forks the workers, restarts a worker
 * that the program killed, and stops all of them when the time is up or the user interrupts.
 */
#ifndef APP_SEARCH_SUPERVISE_H
#define APP_SEARCH_SUPERVISE_H

#include "app/run/process.h"
#include "app/search/search.h"

/* What became of the processes. */
typedef struct Supervision {
    Ending ending;          /* overrides the search's own if it is not ENDING_DONE */
    char note[400];         /* a sentence on an unusual ending                     */
    bool killed;            /* it failed because its processes are killed from outside */
    double seconds;
    double cpu_seconds;     /* of all workers                                      */
    uint64_t peak_kb;       /* all workers together                                */
} Supervision;

/* Called several times per second while the workers run. */
typedef struct Watcher {
    void (*watch)(struct Watcher *self, double seconds);
    /* All workers have ended and turned their work into jobs: a checkpoint can be written. Afterwards they
     * are started again. */
    void (*paused)(struct Watcher *self, double seconds);
} Watcher;

/* Returns when no worker runs any more. For ENDING_REFUSED, Subject.refusal says why. */
void supervise_search(RunSearch *search, const RunInfo *info, Signals *signals, Watcher *watcher, Supervision *result);

#endif
