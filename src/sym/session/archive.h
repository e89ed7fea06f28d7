/* archive.h - the conditions of a run, by numbers that are the same in all its processes
 *
 * It is in shared memory: created before workers are forked, it outlives each of them. Workers make expressions in
 * pools of their own, which they may empty; the conditions of branches, with their subexpressions, are kept here for
 * the whole run, each expression once. The number of a condition is that of its node. Other machines have other
 * archives with other numbers; conditions do not travel (core/tree/resolve.h).
 */
#ifndef SYM_SESSION_ARCHIVE_H
#define SYM_SESSION_ARCHIVE_H

#include "sym/expr/transfer.h"
#include "sym/solve/solver.h"

typedef struct Archive Archive;

/* Memory is used as it fills. Calls mem_exhausted if the system refuses the address space. */
Archive *archive_create(void);
void archive_destroy(Archive *archive);

/* The numbers of assumptions have this bit: such a condition can only hold. Numbers with the highest bit are never used
 * here: programs may use them for conditions of their own. */
#define ARCHIVE_ASSUMPTION 0x40000000u

/* The number of a Boolean expression of `pool`; 0 if there is no room. `known` (from the pool to the archive) belongs
 * to the caller, who resets it with the pool. */
uint32_t archive_put(Archive *archive, const ExprPool *pool, ExprId condition, Transfer *known);
/* The condition of this number in `pool`; `known` is from the archive to the pool. */
ExprId archive_get(const Archive *archive, uint32_t condition, ExprPool *pool, Transfer *known);

/* "((x + 3) <s y)"; "" for a condition of the program's own. `archive` may be NULL if there are only such. */
void archive_print(const Archive *archive, uint32_t condition, char *text, size_t size);

/* The statistics of all sessions of the run. */
typedef struct SymStats {
    SolverStats layers[LAYERS];
    uint64_t inputs;      /* executions that had inputs                                        */
    uint64_t queries;     /* whether there are inputs for a path                               */
    uint64_t yes;         /* of these, answered by yes                                         */
    uint64_t unknown;     /* given up and counted as no: what lies behind was not explored     */
    uint64_t conditions;  /* different ones                                                    */
} SymStats;

/* Sets *stats to the sum over all processes. */
void archive_stats(const Archive *archive, SymStats *stats);
/* Adds the statistics of processes that do not share the archive: earlier ones, or those of other machines. */
void archive_add_stats(Archive *archive, const SymStats *stats);
/* The counters of this process; those of a process that died are reused and continue. NULL if there are too many
 * processes at once. */
SymStats *archive_claim_stats(Archive *archive);
/* The process counts no more; its counters stay part of the sum. */
void archive_return_stats(Archive *archive, SymStats *stats);
/* Counts a query that was given up; immediately, since it changes the verdict. */
void archive_count_unknown(Archive *archive);

#endif
