/* memory_internal.h - all that a job store in memory remembers (store_memory.c)
 *
 * A job is an item. The root is the first; every other is an entry of a domain, which is what some
 * job was split into.
 */
#ifndef DIST_MEMORY_INTERNAL_H
#define DIST_MEMORY_INTERNAL_H

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
    double rank;       /* in the queue, the smallest is next */
    double share;      /* of the search, see StoreReport     */
} Item;

/* The parts that one job was split into (core/tree/jobs.h). */
typedef struct Domain {
    uint64_t name, parent;
    uint32_t entry;          /* the job is this entry of `parent`     */
    uint32_t live;           /* jobs and domains below it not over    */
    uint32_t jobs_ever;
    double share;
    Text entries;
    VEC(size_t) starts;      /* of each line                          */
    VEC(uint32_t) items;     /* per entry: its item + 1, 0: not a job */
} Domain;

typedef struct Seen {
    char name[128], note[96];
    double last, idle;       /* idle: when it found nothing, -1e9: it has work */
    uint64_t grant;          /* of the budget, until then                      */
    double granted;
} Seen;

typedef struct Pair {
    char *key, *value;
    size_t size;
} Pair;

typedef struct Memory {
    char *identity;          /* NULL: there is no search */
    uint64_t id;
    VEC(Pair) pairs;
    double begun, changed;
    char stop[24];
    int64_t open;
    VEC(Item) items;
    VEC(uint32_t) queue;     /* a heap of items by rank  */
    VEC(uint32_t) leased;
    double next_expiry;      /* not later than any lease's */
    VEC(Domain) domains;
    Map by_name;             /* domain + 1, 0: over      */
    VEC(Seen) workers;
    VEC(StoreBug) bugs;
    VEC(Text) records;
    VEC(Text) reached;       /* words                    */
    uint64_t budget;         /* 0: none                  */
    ExploreStats stats;
    double cpu_seconds;
    double over, total;      /* shares                   */
    Estimator estimator;
    uint64_t token;
    uint64_t commits, extensions, refused, bytes, epoch;
} Memory;

/* ---- memory_state.c ---- */

void memory_release(Memory *memory);
/* `to` is overwritten. */
void memory_copy(Memory *to, const Memory *from);
void memory_release_domain(Domain *domain);

/* ---- memory_jobs.c ---- */

/* The job with the smallest rank is next. */
void memory_enqueue(Memory *memory, uint32_t item, double rank);
/* Leases the next one and adds it to `jobs`. The queue is not empty. */
void memory_lease_next(Memory *memory, double expires, StoreJobs *jobs);
/* Leases that are over go to the front of the queue. */
void memory_expire_leases(Memory *memory, double time);
bool memory_holds(const Memory *memory, const StoreJob *job);
/* Of a job that is held. */
void memory_renew_lease(Memory *memory, const StoreJob *job, double expires);

/* NULL: it is over, or there never was one of this name. */
Domain *memory_find_domain(const Memory *memory, uint64_t name);
/* More entries behind the `known` ones, which are all there are. */
void memory_extend_domain(Memory *memory, Domain *domain, uint32_t known, const char *entries);
/* What became of a job that is held. If it was split, its first `back->keep` parts are leased, unless
 * `may_keep` is false, and added to `kept`. */
void memory_return_job(Memory *memory, const StoreReturn *back, double expires, bool may_keep, StoreJobs *kept);
bool memory_is_consistent(const Memory *memory);

#endif
