/* keep.h - the first executions of a search as traces in the run directory (--keep-executions)
 *
 * Workers write them as executions end. A file is named by its worker and the number of the execution there, so one
 * that is repeated, because its process was killed, replaces itself.
 */
#ifndef APP_SEARCH_KEEP_H
#define APP_SEARCH_KEEP_H

#include <stdatomic.h>

#include "app/run/subject.h"

/* In shared memory. */
typedef struct Keep {
    char *directory;        /* absolute; NULL: none are kept */
    uint64_t most;
    _Atomic uint64_t count;
} Keep;

/* Keeps up to `most` executions below the run directory `path`; those of an earlier run there are removed. */
bool keep_init(Keep *keep, const char *path, uint64_t most, Error *error);

/* In a worker, while the final state of the execution still exists. */
void keep_add(Keep *keep, const RunInfo *info, const Execution *ex, ExecutionTag tag);

#endif
