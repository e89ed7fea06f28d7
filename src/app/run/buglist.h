/* buglist.h - the different bugs found so far
 *
 * The list is in a region: workers add to it, the supervisor reads it while they run and after
 * one of them died. One entry per identity (report/identity.h), with the trace of the first
 * execution that showed it.
 */
#ifndef APP_RUN_BUGLIST_H
#define APP_RUN_BUGLIST_H

#include <stdatomic.h>

#include "app/run/runinfo.h"
#include "base/sharelock.h"
#include "report/identity.h"

enum { BUGLIST_MAX = 1000, BUGLIST_RECENT = 64 };

typedef struct Bug {
    uint64_t identity;
    char id[IDENTITY_TEXT];   /* short form, unique in the list     */
    const char *kind;         /* "deadlock"                         */
    char *trace;              /* text of the trace, in the region   */
    size_t trace_size;
    uint64_t seen;            /* executions that showed it          */
    bool sampled;             /* first by sampling beside the search */
} Bug;

typedef struct BugList {
    Region *region;
    _Atomic uint32_t count;   /* entries below it are complete      */
    Sharelock lock;           /* held by the worker that adds       */
    uint64_t dropped;         /* bugs that did not fit              */
    struct {
        uint64_t key;         /* of kind and sites, cheaper than the identity */
        uint32_t bug;         /* number + 1                         */
    } recent[BUGLIST_RECENT];
    Bug bugs[BUGLIST_MAX];
} BugList;

/* An empty list in the region. */
BugList *buglist_create(Region *region);

/* Adds all findings of an execution, which was perhaps sampled beside the search. Several workers may do so at the same
 * time. */
void buglist_add(BugList *list, const RunInfo *info, const Execution *ex, bool sampled);

/* Adds a bug that an earlier part of the search found; if it is in the list already, only `seen` is added.
 * False if the kind is unknown. */
bool buglist_restore(BugList *list, uint64_t identity, const char *kind, uint64_t seen, const char *trace, size_t size);

/* Adds one finding of an execution. Returns its bug, or NULL if the list is full. */
Bug *buglist_add_finding(BugList *list, const RunInfo *info, const Execution *ex, const Finding *finding);

/* The number of complete entries. */
uint32_t buglist_count(const BugList *list);

#endif
