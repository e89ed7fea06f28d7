/* search.h - the search of a run: several strategies in turn, in each of several workers
 *
 * Everything is in regions: when a worker dies in the program under test, the next process calls
 * search_work again and continues where the last one stopped. The workers share the exhaustive search
 * as jobs; of every other strategy each worker has its own, with its own seed.
 *
 * Implemented by search.c (creation, questions of the supervisor), search_work.c (in a worker) and
 * search_summary.c (the result).
 */
#ifndef APP_SEARCH_SEARCH_H
#define APP_SEARCH_SEARCH_H

#include "app/run/buglist.h"
#include "app/run/subject.h"
#include "report/summary.h"

enum { SEARCH_WORKERS = 64 };

typedef struct RunSearch RunSearch;

/* NULL if the system refuses memory for the workers. */
RunSearch *search_create(Region *region, Program *program, const RunInfo *info);

/* Lets an exhaustive search give a part of its time to samples from now on, if the options want it (--sample-after).
 * They are counted apart, and only the bugs they find are reported. Before the workers start. */
void search_sample_aside(RunSearch *search, Program *program);
/* The number of executions that were sampled so. */
uint64_t search_samples(const RunSearch *search);

/* Lets the subject record every execution; NULL: nothing is recorded. Before the workers start. */
void search_keep_record(RunSearch *search, SearchRecord *record);

/* Keeps the first executions as traces below the run directory (--keep-executions). Before the workers start. */
bool search_keep_executions(RunSearch *search, const char *directory, Error *error);

SearchRecord *search_record(const RunSearch *search);

/* -- in a worker ------------------------------------------------------------- */

/* Searches until nothing is left, the budget is used up, a bug ends the search, or search_stop or
 * search_pause was called. */
void search_work(RunSearch *search, uint32_t worker);

/* -- in the supervisor ------------------------------------------------------- */

/* The number of workers; 1 if the search cannot be shared. */
uint32_t search_workers(const RunSearch *search);

/* To be called before a process is started for the worker. A worker that was never started has nothing to
 * hand over. */
void search_starts(RunSearch *search, uint32_t worker);
/* The worker's process was killed from outside: its next process repeats the job at hand from its
 * beginning. False if that is not possible. */
bool search_restart(RunSearch *search, uint32_t worker);

/* Has the worker begun an execution that the search has not learnt from yet? */
bool search_in_execution(const RunSearch *search, uint32_t worker);
/* Asks all workers to stop soon. The `ending` of the first call is the one that counts. */
void search_stop(RunSearch *search, Ending ending);
bool search_is_over(const RunSearch *search);

/* Can this kind of search be written to a checkpoint? */
bool search_can_suspend(const RunSearch *search);
/* Asks all workers to end soon and to turn their work into jobs, for a checkpoint. They also do so when
 * they are stopped before everything is explored. */
void search_pause(RunSearch *search);
/* After all workers have ended: are the jobs all that is left to do? */
bool search_suspended(const RunSearch *search);
/* The same, or everything is explored. */
bool search_at_rest(const RunSearch *search);
/* Prepares for another part of the search: the workers may be started again. */
void search_continue(RunSearch *search);

/* Between two parts: the next one ends after so many executions; UINT64_MAX: no limit. */
void search_limit(RunSearch *search, uint64_t executions);

/* The number of jobs that are waiting or being explored. */
uint64_t search_open_jobs(const RunSearch *search);
/* The jobs of a strategy, NULL if it has none. */
struct Jobs *search_jobs(RunSearch *search, uint32_t strategy);
/* The search continues from a checkpoint with these counts. */
void search_restore(RunSearch *search, const ExploreStats *stats);

/* Did the worker return from search_work? (Not if its process died.) */
bool search_ended(const RunSearch *search, uint32_t worker);

/* Counts over all strategies and workers. */
ExploreStats search_stats(const RunSearch *search);
/* Updates the estimate of the total number of executions, which search_stats includes. */
void search_estimate(RunSearch *search);
/* The number of workers that are started and have not ended. */
uint32_t search_active(const RunSearch *search);
BugList *search_bugs(RunSearch *search);
/* The execution that the worker is running, or its last one. */
Execution *search_execution(RunSearch *search, uint32_t worker);

/* Fills in what the search knows: ending, strategies, bounds, counts. */
void search_summarise(RunSearch *search, Summary *summary);

#endif
