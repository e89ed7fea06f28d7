/* memory_tables.h - the state of a job store in memory (store_memory.c)
 *
 * A job is an item. The root is the first; every other is an entry of a domain, that is, of the parts into which a job
 * was split.
 */
#ifndef DIST_MEMORY_MEMORY_TABLES_H
#define DIST_MEMORY_MEMORY_TABLES_H

#include "base/map.h"
#include "core/stats.h"
#include "dist/store.h"

typedef enum Standing { OVER, QUEUED, LEASED } Standing;

typedef struct Item {
    uint64_t domain;
    uint32_t entry;
    Standing standing;
    uint64_t token;
    double expires;    /* the lease                          */
    double rank;       /* in the queue: the smallest is next */
    double share;      /* of the search                      */
} Item;

/* The parts that one job was split into (core/tree/jobs.h). */
typedef struct TableDomain {
    uint64_t name, parent;
    uint32_t entry;          /* the job is this entry of `parent`     */
    uint32_t live;           /* unfinished jobs and domains below it  */
    uint32_t jobs_ever;
    double share;
    Text entries;
    VEC(size_t) starts;      /* of each line                          */
    VEC(uint32_t) items;     /* per entry: its item + 1, 0: not a job */
} TableDomain;

/* A worker. */
typedef struct Seen {
    char name[128], note[96];
    double last, idle;       /* last call; last `take` without jobs, -1e9: it has some */
    uint64_t grant;          /* of the budget                                          */
    double granted;          /* until when                                             */
} Seen;

typedef struct Pair {
    char *key, *value;
    size_t size;
} Pair;

typedef struct MemoryTables {
    char *identity;          /* NULL: there is no search */
    uint64_t id;
    VEC(Pair) pairs;
    double begun, changed;
    char stop[24];
    int64_t open;
    VEC(Item) items;
    VEC(uint32_t) queue;     /* a heap of items by rank  */
    VEC(uint32_t) leased;
    double next_expiry;      /* no lease ends before     */
    VEC(TableDomain) domains;
    Map by_name;             /* domain + 1, 0: finished  */
    VEC(Seen) workers;
    VEC(StoreBug) bugs;
    VEC(Text) records;
    VEC(Text) reached;       /* words                    */
    uint64_t budget;         /* 0: none                  */
    ExploreStats stats;
    double cpu_seconds;
    Estimator estimator;
    uint64_t token;
    uint64_t commits, extensions, refused, bytes, epoch;
} MemoryTables;

/* ---- memory_tables.c ---- */

void tables_release(MemoryTables *tables);
/* `to` is overwritten. */
void tables_copy(MemoryTables *to, const MemoryTables *from);
void tables_release_domain(TableDomain *domain);

/* ---- memory_jobs.c ---- */

/* Queues an item; the one with the smallest rank is next. */
void tables_enqueue(MemoryTables *tables, uint32_t item, double rank);
/* Leases the next item and adds it to *jobs. The queue must not be empty. */
void tables_lease_next(MemoryTables *tables, double expires, StoreJobs *jobs);
/* Moves jobs whose lease has ended to the front of the queue. */
void tables_expire_leases(MemoryTables *tables, double time);
/* Whether the job is leased under this token. */
bool tables_holds(const MemoryTables *tables, const StoreJob *job);
/* The job must be held. */
void tables_renew_lease(MemoryTables *tables, const StoreJob *job, double expires);

/* NULL: it has finished, or there never was one of this name. */
TableDomain *tables_find_domain(const MemoryTables *tables, uint64_t name);
/* Adds entries after the `known` ones, which are all the domain has. */
void tables_extend_domain(MemoryTables *tables, TableDomain *domain, uint32_t known, const char *entries);
/* Applies what became of a job that is held. If it was split, its first `back->keep` parts are leased, unless
 * `may_keep` is false, and added to *kept. */
void tables_return_job(MemoryTables *tables, const StoreReturn *back, double expires, bool may_keep, StoreJobs *kept);
/* The finished share of the search, if all children of a node that are known by now are equally large. */
double tables_finished(const MemoryTables *tables);
/* See memoryserver_is_consistent. */
bool tables_is_consistent(const MemoryTables *tables);

#endif
