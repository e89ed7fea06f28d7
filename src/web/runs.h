/* runs.h - runs that the page shows: in sennit-out, one that was given, and those it started
 *
 * A run is named by its directory in sennit-out ("017"); the one that was given is "given". Functions may be called by
 * several threads.
 */
#ifndef WEB_RUNS_H
#define WEB_RUNS_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct Runs Runs;

typedef enum RunPhase {
    RUN_GOING,     /* started here, and not ended                       */
    RUN_ENDED,     /* started here; it has an exit code                 */
    RUN_ELSEWHERE, /* not started here; it has no result, and still writes figures */
    RUN_FOUND      /* not started here                                  */
} RunPhase;

typedef struct RunState {
    RunPhase phase;
    int exit_code;
} RunState;

/* All are borrowed: the tool, the directory that sennit-out is in, and a run that was given, or NULL. */
Runs *runs_create(const char *sennit, const char *directory, const char *given);
void runs_destroy(Runs *runs);

/* Starts `sennit` with these words (NULL-terminated, the verb first), and -o with a new directory behind the verb.
 * What it prints goes to console.txt there. `id` gets its name. */
bool runs_start(Runs *runs, const char *const *words, char id[NAME_MAX + 1], Error *error);
/* Continues a run that has ended, from its checkpoint, in its directory (`sennit resume`). */
bool runs_resume(Runs *runs, const char *id, Error *error);
/* Interrupts it; the second time, ends it at once. False if it does not run. */
bool runs_stop(Runs *runs, const char *id);
/* Interrupts all that run; `hard` ends them at once. */
void runs_stop_all(Runs *runs, bool hard);
/* Have all ended that were started here? */
bool runs_have_ended(Runs *runs);

/* Its directory; false if there is no such run. */
bool runs_find(Runs *runs, const char *id, char path[PATH_MAX]);
RunState runs_state(Runs *runs, const char *id);
/* Calls `each` for all runs, the newest first. */
void runs_each(Runs *runs, void (*each)(void *context, const char *id), void *context);

#endif
