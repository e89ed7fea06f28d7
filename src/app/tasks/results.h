/* results.h - the results of a run for build servers: --junit, --sarif, --github
 *
 * Collected while bugs are confirmed, written when the run is over, whatever ended it.
 */
#ifndef APP_TASKS_RESULTS_H
#define APP_TASKS_RESULTS_H

#include "app/run/buglist.h"
#include "app/run/rundir.h"
#include "app/tasks/confirm.h"
#include "base/vec.h"
#include "report/ci/sourceroot.h"
#include "report/cycleview.h"
#include "report/summary.h"

/* A bug, or a deadlock cycle about which nothing is decided. */
typedef struct ResultItem {
    char *name;        /* "data-race-782c"                                      */
    const char *kind;  /* "data-race"                                           */
    char *summary;     /* one sentence                                          */
    char *file;        /* relative to the repository if possible; NULL: unknown */
    uint32_t line, column;
    bool confirmed;
    bool possible;     /* a cycle                                               */
    Text report;       /* for people, without colours                           */
} ResultItem;

typedef struct Results {
    const RunInfo *info;
    SourceRoot root;
    double begin;            /* seconds since 1970   */
    VEC(ResultItem) items;
    VEC(Text) sarif;         /* a result of each     */
} Results;

/* Replaces what an earlier run left in the files of --junit and --sarif: until results are published, they say that
 * the run has not ended. */
void results_begin(const Options *options, const char *name);
/* For a run that ends without results: says so in these files, and in an annotation. `name` is that of the program,
 * or NULL. Removes run.json of an earlier run in -o. */
void results_fail(const Options *options, const char *name, const Error *error);

void results_init(Results *results, const RunInfo *info);
void results_release(Results *results);

void results_add_bug(Results *results, const Bug *bug, const Confirmation *confirmation);
/* Only cycles about which nothing is decided count. */
void results_add_cycle(Results *results, const CycleView *cycle);

/* Prints the report, and tells what could not be saved or printed. A run without a bug has then failed; run.json is
 * written again to say so, if that is possible (`bugs` is the JSON of each). */
void results_print(const Options *options, const Text *report, RunDir *dir, const Text *bugs, Summary *summary);
/* Writes the files and prints the annotations. Answers the exit code of the run: what could not be written is
 * told, and a run without a bug then has failed. */
ExitCode results_publish(const Results *results, const Summary *summary);

#endif
