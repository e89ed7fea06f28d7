/* search.h - the strategies of a run, taking turns in one worker process
 *
 * Everything is in a region: when a worker dies in the program under test, the next
 * one calls search_work again and the search goes on where it was.
 */
#ifndef APP_SEARCH_H
#define APP_SEARCH_H

#include "app/buglist.h"
#include "report/summary.h"

typedef struct Search Search;

Search *search_create(Region *region, Program *program, const RunInfo *info);

/* In the worker: searches until nothing is left, a budget is used up, a bug ends it, or
 * search_stop was called. */
void search_work(Search *search);

/* -- for the supervisor ------------------------------------------------------ */

/* Asks the worker to stop soon; `ending` says why. */
void search_stop(Search *search, Ending ending);
/* Has search_work come to its end? (It has not if the worker died.) */
bool search_ended(const Search *search);

/* Counts over all strategies. */
ExploreStats search_stats(const Search *search);
BugList *search_bugs(Search *search);
/* The execution that was running, or the last one. */
Execution *search_execution(Search *search);

/* Fills in what the search knows: ending, strategies, bounds, counts. */
void search_summarise(Search *search, Summary *summary);

#endif
