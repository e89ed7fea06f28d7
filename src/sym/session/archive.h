/* archive.h - the conditions of a run, by numbers that all its processes understand
 *
 * Lies in shared memory: created before workers are forked, it outlives each of them. Workers
 * make expressions in pools of their own, which they may empty; the conditions of branches,
 * and what they consist of, are kept here for the whole run, each expression once. The
 * number of a condition is that of its node.
 *
 * For other machines conditions are written as bytes and read into their archives, where
 * they have other numbers.
 */
#ifndef SYM_SESSION_ARCHIVE_H
#define SYM_SESSION_ARCHIVE_H

#include "sym/expr/transfer.h"
#include "sym/solve/solver.h"

typedef struct Archive Archive;

/* Memory is used as it fills. Ends the process if the system refuses the address space. */
Archive *archive_create(void);
void archive_destroy(Archive *archive);

/* The numbers of assumptions have this bit: of such a condition only 0 can be taken. Numbers
 * with the highest bit are never given: programs may use them for conditions of their own. */
#define ARCHIVE_ASSUMPTION 0x40000000u

/* The number of a Boolean expression of `pool`; 0 if there is no room. `known` (from the pool
 * to the archive) is the caller's, to be reset with the pool. */
uint32_t archive_put(Archive *archive, const ExprPool *pool, ExprId condition, Transfer *known);
/* The condition of this number in `pool`; `known` is from the archive to the pool. */
ExprId archive_get(const Archive *archive, uint32_t condition, ExprPool *pool, Transfer *known);

/* For people: "((x + 3) <s y)". */
void archive_print(const Archive *archive, uint32_t condition, Text *text);

/* For other machines: appends the conditions as bytes. */
void archive_write(Archive *archive, const uint32_t *conditions, uint32_t count, Text *bytes);
/* Adds such conditions; conditions[i] becomes the number of the i-th here. False if the bytes
 * are damaged or there is no room. */
bool archive_read(Archive *archive, const char *bytes, size_t size, uint32_t *conditions, uint32_t count);

/* What all sessions of the run did. */
typedef struct SymStats {
    SolverStats layers[LAYERS];
    uint64_t inputs;      /* executions that had inputs                                        */
    uint64_t queries;     /* is there an input for ..?                                         */
    uint64_t yes;         /* and how many of them were answered by yes                         */
    uint64_t unknown;     /* given up and taken for no: whatever lies behind was not explored  */
    uint64_t conditions;  /* different ones                                                    */
} SymStats;

void archive_stats(const Archive *archive, SymStats *stats);
/* What other processes counted that do not share the archive: earlier ones, or of other machines. */
void archive_add_stats(Archive *archive, const SymStats *stats);
/* Where this process counts; the entry of a process that died goes on to be counted. NULL if
 * there are too many at once. */
SymStats *archive_claim_stats(Archive *archive);
void archive_return_stats(Archive *archive, SymStats *stats);
/* Counts a query that was given up; at once, since it changes the verdict. */
void archive_count_unknown(Archive *archive);

#endif
