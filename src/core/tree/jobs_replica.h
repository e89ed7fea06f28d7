/* jobs_replica.h - the tree of a store (dist/store.h) as one machine replicates it
 *
 * The tree of a store is cut into domains: the nodes into which one job was split. Entries are only ever
 * added to a domain. A domain and an entry name a job. All jobs belong to other machines, except those that
 * are assigned to this one.
 */
#ifndef CORE_TREE_JOBS_REPLICA_H
#define CORE_TREE_JOBS_REPLICA_H

#include "core/tree/jobs.h"

/* The connection to the store. */
typedef struct JobsLink JobsLink;
struct JobsLink {
    /* Adds entries, a line each, to a domain that has `known` of them. 1: done. 0: it has more; these are put
     * into *news. -1: the store refuses, or cannot be reached. Called by one worker at a time. */
    int (*extend)(JobsLink *self, uint64_t domain, uint32_t known, const char *entries, Text *news);
};

/* Makes the tree of a search that has not begun the replica of a store's tree. The link is borrowed. */
void jobs_connect(Jobs *jobs, JobsLink *link);
bool jobs_connected(const Jobs *jobs);

/* Adds a domain, whose job is `entry` of `parent` (ignored for the first one, name 0), with these entries; to
 * a domain that exists, adds entries. */
bool jobs_replicate(Jobs *jobs, Program *program, uint64_t domain, uint64_t parent, uint32_t entry, const char *entries,
                    size_t size, Error *error);
/* This machine holds the job now. False if there is no such job. */
bool jobs_assign(Jobs *jobs, uint64_t domain, uint32_t entry);

typedef enum JobFate {
    JOB_OVER,      /* explored                                                                   */
    JOB_UNTOUCHED, /* not begun; still assigned, unless it is to be released                     */
    JOB_SPLIT      /* the rest of it was written as entries, and is a domain from now on         */
} JobFate;

/* What became of an assigned job; no job may be running. If it was split, its entries are written to
 * `entries`, and they are the domain `name`. */
JobFate jobs_return(Jobs *jobs, Program *program, uint64_t domain, uint32_t entry, uint64_t name, bool release,
                    Text *entries);

#endif
