/* search.h - the strategies of a run, taking turns in each of its workers
 *
 * Everything is in regions: when a worker dies in the program under test, the next process
 * calls search_work again and the search goes on where it was. Workers share the
 * exhaustive search by jobs; of the other strategies each has its own, with another seed.
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

/* Lets the subject note every execution; NULL: it does not want to. Before the workers start. */
void search_keep_record(RunSearch *search, SearchRecord *record);

SearchRecord *search_record(const RunSearch *search);

/* In a worker: searches until nothing is left, a budget is used up, a bug ends it, or
 * search_stop was called. */
void search_work(RunSearch *search, uint32_t worker);
/* The worker's process was killed from outside: what it had in hand begins anew with the next
 * one. Called in the supervisor. False if that is not possible. */
bool search_restart(RunSearch *search, uint32_t worker);

/* -- for the supervisor ------------------------------------------------------ */

/* Not more than asked for: a search that cannot be shared has one. */
uint32_t search_workers(const RunSearch *search);

/* A process is begun for the worker. Those that never were have nothing to hand over. */
void search_starts(RunSearch *search, uint32_t worker);

/* Is the worker's execution not over and learnt from yet? */
bool search_in_execution(const RunSearch *search, uint32_t worker);
/* Asks all workers to stop soon; the first `ending` is the one that counts. */
void search_stop(RunSearch *search, Ending ending);
bool search_is_over(const RunSearch *search);

/* Can this kind of search be written down? */
bool search_can_suspend(const RunSearch *search);
/* Asks all workers to end soon and to leave their work in the jobs, for a checkpoint. They do
 * the same when they are stopped before everything is explored. */
void search_pause(RunSearch *search);
/* After all have ended: could they? */
bool search_suspended(const RunSearch *search);
/* Everything is explored, or all workers are suspended: the jobs are all that is left. */
bool search_at_rest(const RunSearch *search);
/* Workers may be started again, for another part of the search. */
void search_continue(RunSearch *search);

/* Between two parts: the next one ends after so many executions; UINT64_MAX: no limit. */
void search_limit(RunSearch *search, uint64_t executions);

/* Jobs that nobody has begun, and those in work. */
uint64_t search_open_jobs(const RunSearch *search);
/* The jobs of a strategy, NULL if it has none. */
struct Jobs *search_jobs(RunSearch *search, uint32_t strategy);
/* The search goes on from a checkpoint: counts from before. */
void search_restore(RunSearch *search, const ExploreStats *stats);

/* Has the worker come to its end? (It has not if its process died.) */
bool search_ended(const RunSearch *search, uint32_t worker);

/* Counts over all strategies and workers. */
ExploreStats search_stats(const RunSearch *search);
/* Works out anew, from time to time, how many executions there will be in all; part of the
 * statistics from then on. */
void search_estimate(RunSearch *search);
/* Workers that are at work. */
uint32_t search_active(const RunSearch *search);
BugList *search_bugs(RunSearch *search);
/* The execution that the worker was running, or its last one. */
Execution *search_execution(RunSearch *search, uint32_t worker);

/* Fills in what the search knows: ending, strategies, bounds, counts. */
void search_summarise(RunSearch *search, Summary *summary);

#endif
