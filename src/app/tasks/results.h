/* results.h - the results of a run for build servers: --junit, --sarif, --github
 *
 * Collected while bugs are confirmed, written when the run is over, whatever ended it.
 */
#ifndef APP_TASKS_RESULTS_H
#define APP_TASKS_RESULTS_H

#include "app/run/buglist.h"
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

void results_init(Results *results, const RunInfo *info);
void results_release(Results *results);

void results_add_bug(Results *results, const Bug *bug, const Confirmation *confirmation);
/* Only cycles about which nothing is decided count. */
void results_add_cycle(Results *results, const CycleView *cycle);

/* Writes the files and prints the annotations. Answers the exit code of the run: what could not be written is
 * told, and a run without a bug then has failed. */
ExitCode results_publish(const Results *results, const Summary *summary);

#endif
