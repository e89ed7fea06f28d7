/* mhp.h - which tasks may run, or wait, at the same time
 *
 * In each activation the analysis follows which of the tasks it started may still run at
 * an instruction: waiting for a future ends the task behind it, if the register certainly
 * holds the newest future of that call. From this follows which tasks are left when an
 * activation ends, and which pairs of tasks somebody may have started to run side by side.
 */
#ifndef DEADLOCK_MHP_H
#define DEADLOCK_MHP_H

#include "deadlock/model_pointsto.h"
#include "deadlock/throwing.h"

/* Sets of tasks are rows of `words` words (bits.h). */
typedef struct MhpLocal {
    uint32_t *site_of;     /* by instruction, then by parameter: site + 1, or 0           */
    uint32_t site_count;
    uint32_t *site_at;     /* by site: its instruction (parameters: count of instructions + number) */
    uint8_t *flags;        /* by instruction and site: SITE_*, before the instruction     */
    uint16_t *values;      /* by instruction and register: the site it certainly holds + 1 */
    uint64_t *desc;        /* tasks it starts, at once or through others                  */
    uint64_t *left;        /* tasks that may still run when it ends                       */
    uint64_t *context;     /* tasks that its callers may have running meanwhile           */
} MhpLocal;

typedef struct Mhp {
    const ModelPointsTo *p;
    Throwing throwing;
    Arena arena;
    uint32_t words;
    MhpLocal *locals;      /* by activation                                               */
    uint64_t *pairs;       /* by task: those that may run beside it                       */
} Mhp;

Mhp *mhp_create(const ModelPointsTo *p);
void mhp_destroy(Mhp *mhp);

/* Adds the tasks that may run while the activation stands at an instruction. */
void mhp_add_parallel(const Mhp *mhp, uint32_t activation, uint32_t at, uint64_t *tasks);
/* May the task be running beside another one at some time, whatever either does? */
bool mhp_are_paired(const Mhp *mhp, uint32_t task, uint32_t other);
/* Is the future in the register certainly resolved when the instruction is reached? */
bool mhp_is_resolved(const Mhp *mhp, uint32_t activation, uint32_t at, uint32_t number);

#endif
