/* store.h - the store of a shared search: its jobs, counts and bugs
 *
 * At-least-once execution, exactly-once commit: a job is leased to a worker under a token; one atomic commit removes
 * it, adds what it was split into and what was counted, and is refused without the current token. Nothing else changes
 * counts. The search has ended when `open == 0`. docs/design/distribution.md has the invariants (DIST-*).
 *
 * redis/store_redis.h implements it in Redis or Valkey, memory/store_memory.h in the memory of a process.
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
    STORE_SPLIT,    /* what is left of it are its entries                       */
    STORE_RELEASED  /* not begun; any worker may take it                        */
} StoreFate;

typedef struct StoreReturn {
    StoreJob job;
    StoreFate fate;
    Text entries;
    uint32_t keep;      /* how many of the first open entries are leased to the caller again: deep ones
                           come first, other workers get the shallow ones       */
} StoreReturn;
typedef VEC(StoreReturn) StoreReturns;

/* The state of the search. */
typedef struct StoreState {
    int64_t open;       /* jobs not finished; -1: there is no search   */
    uint32_t queued;    /* of these, not leased                        */
    uint32_t workers;   /* that called recently                        */
    uint32_t idle;      /* of these, without jobs                      */
    uint64_t epoch;     /* changes when the server is restarted, perhaps with an older state; then all
                           leases are lost and all calls but `take` are refused until the caller has
                           seen the new epoch                          */
    uint64_t grant;     /* executions that the caller may run with its jobs: the budget is granted in
                           parts, so that it is never exceeded; STORE_NO_LIMIT: there is none */
    bool stopped;
    char stop[24];      /* why no more jobs are leased: "bug", "time", ... */
} StoreState;
#define STORE_NO_LIMIT UINT64_MAX
#define STORE_BUDGET "budget" /* the key of `init` for the budget of executions */

typedef struct StoreBug {
    uint64_t identity;
    Text text;          /* "kind seen", newline, trace                 */
} StoreBug;
typedef VEC(StoreBug) StoreBugs;

/* Everything a slice changes. */
typedef struct StoreCommit {
    StoreReturns returns;
    ExploreStats stats;
    double cpu_seconds;
    double lease;       /* seconds, of the jobs kept; 0: the worker ends */
    StoreBugs bugs;
    Text record;        /* of the program's kind; opaque               */
    Text reached;       /* words for what was reached, separated by blanks */
    uint64_t enough;    /* this many different words end the search; 0: none do */
    const char *stop;   /* ends the search for all workers; NULL: no   */
} StoreCommit;
void storecommit_release(StoreCommit *commit);

/* The search in numbers, for reports. */
typedef struct StoreReport {
    StoreState state;
    ExploreStats stats;
    double cpu_seconds;
    double seconds;     /* since the search was started                */
    double progress;    /* the finished share of the search, if the children of a node are equally large */
    Estimate estimate;  /* of the total number of executions           */
    uint64_t commits, extensions, refused, bytes;
    uint32_t bugs;
    char full[512];     /* why it accepts no commits (no memory, no disk space); empty: it does */
} StoreReport;
/* Calls of a store that is full are repeated for so many seconds: memory may be freed meanwhile. */
#define STORE_FULL_PATIENCE 30.0
#define STORE_FULL_FORM "%s, then give the same command again: the search continues where it was"

typedef enum StoreAnswer {
    STORE_DONE,
    STORE_STALE,        /* extend: the domain has more entries now     */
    STORE_REFUSED,      /* a lease is lost, the domain has finished, or the search was replaced */
    STORE_FAILED        /* `error` says why                            */
} StoreAnswer;

typedef struct Store Store;
typedef struct StoreOps {
    void (*close)(Store *store);
    /* Starts a search, described by pairs of texts. If the store has a search that has not ended, it must have the
     * same `identity`: then nothing changes and *attached is set; otherwise REFUSED. */
    StoreAnswer (*init)(Store *store, const char *identity, const Text *keys, const Text *values, uint32_t count,
                        bool *attached, Error *error);
    /* Binds all later calls to the current search: once another one has replaced it, calls are refused, and the
     * state of `take` is stopped by "replaced". */
    StoreAnswer (*join)(Store *store, Error *error);
    /* Adds one of the texts given to `init` to *value. REFUSED if there is none of this key. */
    StoreAnswer (*describe)(Store *store, const char *key, Text *value, Error *error);
    /* Leases up to `want` jobs for `seconds` and adds them to *jobs; fewer, if other workers need some too. */
    StoreAnswer (*take)(Store *store, uint32_t want, double seconds, StoreJobs *jobs, StoreState *state, Error *error);
    /* Adds the entries of a domain after the first `known` to *entries; *parent and *entry name its job. */
    StoreAnswer (*fetch)(Store *store, uint64_t domain, uint32_t known, uint64_t *parent, uint32_t *entry,
                         Text *entries, Error *error);
    /* Adds entries to a domain that has `known` of them. STALE: it has more, which are added to *news. */
    StoreAnswer (*extend)(Store *store, uint64_t domain, uint32_t known, const char *entries, Text *news, Error *error);
    /* Commits a slice; jobs leased to the caller again are added to *kept. */
    StoreAnswer (*commit)(Store *store, const StoreCommit *commit, StoreJobs *kept, StoreState *state, Error *error);
    /* Renews leases. REFUSED if one of them is lost. sennit status shows `note`. */
    StoreAnswer (*renew)(Store *store, const StoreJobs *jobs, double seconds, const char *note, StoreState *state,
                         Error *error);
    /* Ends the search: no more jobs are leased. describe("note") returns the note. */
    StoreAnswer (*stop)(Store *store, const char *why, const char *note, Error *error);
    /* Adds the records of all commits: "record SIZE", newline, bytes, newline. */
    StoreAnswer (*records)(Store *store, Text *records, Error *error);
    /* Fills *report; adds the bugs and a line per worker if these are not NULL. */
    StoreAnswer (*report)(Store *store, StoreReport *report, StoreBugs *bugs, Text *workers, Error *error);
} StoreOps;

struct Store {
    const StoreOps *ops;
};

/* Adds a record in the form of StoreOps.records. */
void store_add_record(Text *records, const char *record, size_t size);

/* A job among the entries of a domain, and its share of the domain if all children of an entry are equally large. The
 * share is known only if the entries begin with the first of the domain. */
typedef struct StoreEntry {
    uint32_t entry;
    double share;
} StoreEntry;
typedef VEC(StoreEntry) StoreEntries;
/* Returns the number of entries (lines); adds those that are open jobs, numbered from `first` on, to *open (may be
 * NULL). */
uint32_t store_scan_entries(const char *entries, uint32_t first, StoreEntries *open);
/* The shares of all entries of a domain whose own share is shares[0], from shares[1] on. */
void store_share_out(const char *entries, uint32_t count, double *shares);

#endif
