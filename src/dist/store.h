/* store.h - where the jobs of a search lie when several machines work on it
 *
 * At-least-once execution, exactly-once commit: a job is leased to a worker under a token;
 * one atomic commit removes it, adds what it was split into and what was counted, and is
 * refused without the current token. Nothing else changes counts. `open == 0` is the end.
 * docs/design/distribution.md has the invariants (DIST-*).
 *
 * store_redis.c implements it in Redis or Valkey, store_memory.c in the memory of a process.
 */
#ifndef DIST_STORE_H
#define DIST_STORE_H

#include "base/error.h"
#include "base/text.h"
#include "base/vec.h"
#include "core/estimate.h"
#include "core/explore.h"

/* An entry of a domain (core/tree/jobs.h), held under a lease. */
typedef struct StoreJob {
    uint64_t domain;
    uint32_t entry;
    uint64_t token;
} StoreJob;
typedef VEC(StoreJob) StoreJobs;

/* What became of a leased job. */
typedef enum StoreFate {
    STORE_OVER,     /* everything below it is explored                          */
    STORE_SPLIT,    /* its entries are the rest                                 */
    STORE_RELEASED  /* not begun; somebody else may take it                     */
} StoreFate;

typedef struct StoreReturn {
    StoreJob job;
    StoreFate fate;
    Text entries;
    uint32_t keep;      /* so many of the first open entries are leased to us again: deep
                           ones come first, others get the shallow ones              */
} StoreReturn;
typedef VEC(StoreReturn) StoreReturns;

/* How the search stands. */
typedef struct StoreState {
    int64_t open;       /* jobs not over; -1: there is no search       */
    uint32_t queued;    /* of these, not leased                        */
    uint32_t workers;   /* heard of lately                             */
    uint32_t idle;      /* of these, without work                      */
    uint64_t epoch;     /* another one: the server came back, perhaps with an older state;
                           then all leases are lost and all calls but `take` are refused
                           until the caller has heard of it            */
    uint64_t grant;     /* executions that the caller may do with what it holds: parts of a budget
                           are handed out, so that it is never exceeded; STORE_NO_LIMIT */
    bool stopped;
    char stop[24];      /* why no more jobs are given out: "bug", "time", ... */
} StoreState;
#define STORE_NO_LIMIT UINT64_MAX
#define STORE_BUDGET "budget" /* the key of init under which the number of executions is given */

typedef struct StoreBug {
    uint64_t identity;
    Text text;          /* "kind seen", newline, trace                 */
} StoreBug;
typedef VEC(StoreBug) StoreBugs;

/* Everything a slice of work changes. */
typedef struct StoreCommit {
    StoreReturns returns;
    ExploreStats stats;
    double cpu_seconds;
    double lease;       /* seconds, of what is kept                    */
    StoreBugs bugs;
    Text record;        /* what the program's kind wants to be noted; opaque */
    Text reached;       /* words for what was reached, separated by blanks   */
    uint64_t enough;    /* so many different ones end the search; 0: none do */
    const char *stop;   /* ends the search for everybody; NULL: no     */
} StoreCommit;
void storecommit_release(StoreCommit *commit);

/* For people. */
typedef struct StoreReport {
    StoreState state;
    ExploreStats stats;
    double cpu_seconds;
    double seconds;     /* since the search was begun                  */
    double progress;    /* share of the search that is over            */
    Estimate estimate;  /* of the number of executions in all          */
    uint64_t commits, extensions, refused, bytes;
    uint32_t bugs;
} StoreReport;

typedef enum StoreAnswer {
    STORE_DONE,
    STORE_STALE,        /* extend: the domain has more entries now     */
    STORE_REFUSED,      /* the lease is lost, or the domain is gone    */
    STORE_FAILED        /* `error` says why                            */
} StoreAnswer;

typedef struct Store Store;
typedef struct StoreOps {
    void (*close)(Store *store);
    /* Begins a search, described by pairs of texts; a search that is not over must have the
     * same `identity`: then nothing changes and *attached is set. */
    StoreAnswer (*init)(Store *store, const char *identity, const Text *keys, const Text *values, uint32_t count,
                        bool *attached, Error *error);
    /* From now on everything is about the search that is there now; when another one has taken
     * its place, calls are refused, and `take` says "replaced". */
    StoreAnswer (*join)(Store *store, Error *error);
    /* One of the texts given to init. */
    StoreAnswer (*describe)(Store *store, const char *key, Text *value, Error *error);
    /* Leases up to `want` jobs for `seconds`; fewer, so that others get some too. */
    StoreAnswer (*take)(Store *store, uint32_t want, double seconds, StoreJobs *jobs, StoreState *state, Error *error);
    /* The entries of a domain after the first `known`; the job that it is the rest of. */
    StoreAnswer (*fetch)(Store *store, uint64_t domain, uint32_t known, uint64_t *parent, uint32_t *entry,
                         Text *entries, Error *error);
    /* Adds entries to a domain that has `known`; STALE: *news are those after. */
    StoreAnswer (*extend)(Store *store, uint64_t domain, uint32_t known, const char *entries, Text *news, Error *error);
    /* What is kept is added to `kept`. */
    StoreAnswer (*commit)(Store *store, const StoreCommit *commit, StoreJobs *kept, StoreState *state, Error *error);
    /* REFUSED if one of the leases is lost. `note` is shown by status. */
    StoreAnswer (*renew)(Store *store, const StoreJobs *jobs, double seconds, const char *note, StoreState *state,
                         Error *error);
    /* No more jobs are given out. The note can be had by describe("note"). */
    StoreAnswer (*stop)(Store *store, const char *why, const char *note, Error *error);
    /* Everything that was noted by commits, one after another: "record SIZE", newline, bytes, newline. */
    StoreAnswer (*records)(Store *store, Text *records, Error *error);
    StoreAnswer (*report)(Store *store, StoreReport *report, StoreBugs *bugs, Text *workers, Error *error);
} StoreOps;

struct Store {
    const StoreOps *ops;
};

/* "redis://[:password@]host[:port][/database]". `worker` names this process in reports. Once
 * `*interrupted` is set (by a signal; may be NULL), a server that cannot be reached is not waited for.
 * Checks that the server can be relied on. NULL with `error` set if not. */
Store *store_open_redis(const char *url, const char *worker, const volatile int *interrupted, Error *error);

/* A record as StoreOps.records gives it. */
void store_add_record(Text *records, const char *record, size_t size);

/* A job among the entries of a domain, and its share of the domain: every child of an entry counts
 * alike. Known only if the entries begin with the domain's first. */
typedef struct StoreEntry {
    uint32_t entry;
    double share;
} StoreEntry;
typedef VEC(StoreEntry) StoreEntries;
/* How many lines, and those that are jobs, numbered from `first` on. */
uint32_t store_scan_entries(const char *entries, uint32_t first, StoreEntries *open);

#endif
