/* mhp.h - may-happen-in-parallel analysis: which tasks may run, or wait, at the same time
 *
 * For each activation the analysis tracks which of the tasks it started may still run at an instruction: after waiting
 * for a future its task is over, if the register certainly holds the newest future of that call. From this follow the
 * tasks that may still run when an activation ends, and the pairs of tasks that may run in parallel.
 */
#ifndef DEADLOCK_MHP_H
#define DEADLOCK_MHP_H

#include "deadlock/model_pointsto.h"
#include "deadlock/throwing.h"

/* Sets of tasks are rows of `words` words (bits.h). */
typedef struct MhpLocal {
    uint32_t *site_of;     /* by instruction, then by parameter: site + 1, or 0                     */
    uint32_t site_count;
    uint32_t *site_at;     /* by site: its instruction (parameters: count of instructions + number) */
    uint8_t *flags;        /* by instruction and site: SITE_*, before the instruction               */
    uint16_t *values;      /* by instruction and register: the site it certainly holds + 1          */
    uint64_t *desc;        /* tasks it starts, directly or indirectly                               */
    uint64_t *left;        /* tasks that may still run when it ends                                 */
    uint64_t *context;     /* tasks of its callers that may run meanwhile                           */
} MhpLocal;

typedef struct Mhp {
    const ModelPointsTo *p;
    Throwing throwing;
    Arena arena;
    uint32_t words;
    MhpLocal *locals;      /* by activation                           */
    uint64_t *pairs;       /* by task: those that may run in parallel */
} Mhp;

/* Analyses points-to results (borrowed); the caller owns the result. */
Mhp *mhp_create(const ModelPointsTo *p);
void mhp_destroy(Mhp *mhp);

/* Adds the tasks that may run while the activation is at an instruction. */
void mhp_add_parallel(const Mhp *mhp, uint32_t activation, uint32_t at, uint64_t *tasks);
/* May the two tasks run in parallel, at any of their instructions? */
bool mhp_are_paired(const Mhp *mhp, uint32_t task, uint32_t other);
/* Is the future in the register certainly resolved when the instruction is reached? */
bool mhp_is_resolved(const Mhp *mhp, uint32_t activation, uint32_t at, uint32_t number);

#endif
