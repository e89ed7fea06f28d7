/* throwing.h - which activations may end with an exception
 *
 * When a task fails, the tasks it started continue to run, and its object dies, which ends the other tasks of that
 * object wherever they wait.
 */
#ifndef DEADLOCK_THROWING_H
#define DEADLOCK_THROWING_H

#include "deadlock/model_pointsto.h"

typedef struct Throwing {
    const ModelPointsTo *p;
    bool *pure;        /* by code number: a function may throw           */
    bool *activations; /* an exception may leave it                      */
    bool *objects;     /* the object may die                             */
} Throwing;

/* Analyses points-to results (borrowed). */
void throwing_init(Throwing *t, const ModelPointsTo *p);
void throwing_release(Throwing *t);
/* May an exception leave the activation at this instruction? */
bool throwing_at(const Throwing *t, const Activation *a, uint32_t at);

#endif
