/* search_internal.h - the search of a run in shared memory; seen by the files of search.h only */
#ifndef APP_SEARCH_SEARCH_INTERNAL_H
#define APP_SEARCH_SEARCH_INTERNAL_H

#include <stdatomic.h>

#include "app/search/keep.h"
#include "app/search/search.h"
#include "core/tree/jobs.h"

#define SEARCH_NO_LIMIT UINT64_MAX

/* One strategy in one worker. */
typedef struct Contender {
    Explore *explore;
    Strategy strategy;
    bool finished;            /* nothing is left for it to explore */
} Contender;

enum { SAMPLERS = 4 }; /* strategies that sample beside the search */

/* One worker; several processes, one after another, may do its work. */
typedef struct SearchWorker {
    Contender contenders[STRATEGIES_MAX + SAMPLERS]; /* the samplers behind the strategies */
    uint32_t count;           /* of strategies                                 */
    uint32_t samplers;
    uint32_t current;
    uint32_t sampler;         /* whose turn is next                            */
    double next_sample;       /* when it comes (process_now)                   */
    double searched;          /* seconds spent on the strategies               */
    _Atomic uint64_t granted; /* with a budget: the number of executions at which the worker stops */
    bool started;             /* a process was started for it                  */
    bool suspended;           /* its remaining work has been turned into jobs  */
    _Atomic bool ended;
} SearchWorker;

struct RunSearch {
    const RunInfo *info;
    SearchRecord *record;     /* of the subject, or NULL                 */
    Keep keep;
    BugList *bugs;
    uint64_t budget;          /* executions in total, 0: no limit        */
    Sharelock grants;         /* taken to hand out the budget            */
    _Atomic int stop;         /* Ending + 1, or 0                        */
    _Atomic bool pause;       /* for a checkpoint                        */
    ExploreStats before;      /* counts of the checkpoint it continues from */
    Estimator estimator;
    Estimate estimate;        /* of the total number of executions       */
    Jobs *jobs[STRATEGIES_MAX]; /* of the exhaustive strategies          */
    _Atomic bool diverged;    /* in worker `diverged_worker`             */
    uint32_t diverged_worker;
    uint32_t worker_count;
    SearchWorker workers[SEARCH_WORKERS];
    char phrases[SUMMARY_BOUNDS][96]; /* of bounds, for the summary      */
    char note[700];
    char sampled[SUMMARY_SAMPLED][64]; /* names of bugs                  */
};

/* Does the worker sample beside the search now? */
static inline bool search_is_aside(const SearchWorker *worker) { return worker->current >= worker->count; }

/* Address space for one worker or one tree of jobs. NULL if the system refuses it. */
Region *search_reserve(void);

static inline bool search_is_stopping(const RunSearch *search)
{
    return atomic_load_explicit(&search->stop, memory_order_relaxed) ||
           atomic_load_explicit(&search->pause, memory_order_relaxed);
}

#endif
