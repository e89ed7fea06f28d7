/* models.h - models of the runtime against brute force
 *
 * Usage of the tests: NAME [--spurious] [--crash] [--reset] [--partition] [--short] [--late]
 *     [--deliveries] [--bounds] [--most=N] [--verbose] FROM TO
 *
 * Each seed is a small random program over operations that the test gives. It is explored
 * without reduction and with each reduction, and every execution is named by its class:
 * the steps with their choices and footprints, and their dependence order. Then
 *   - the reductions must find the same classes, `optimal` each of them once, with nothing
 *     redundant;
 *   - two executions of one class must end in the same state (what every thread saw): else
 *     some footprint in src/rt is too weak;
 *   - no execution may depart from its plan.
 *
 * With --late what is sent by TCP arrives later (rt/net/wire.h). With --deliveries all that is found where it arrives at
 * once must be found where it arrives later.
 *
 * Programs with more than N executions (20,000) are left out.
 *
 * With --bounds the program is also explored with small random bounds (facts.h): what is found then must have been
 * found without.
 */
#ifndef DIFFERENTIAL_MODELS_H
#define DIFFERENTIAL_MODELS_H

#include <stdint.h>
#include <stdio.h>

#include "rt/libc/api.h"

enum { MODELS_MAX_THREADS = 3, MODELS_MAX_OPS = 3, MODELS_SEERS = 27 };

typedef struct ModelThread {
    pthread_t handle;
    uint64_t seen;
    int op_count;
    uint8_t op[MODELS_MAX_OPS];
    uint8_t object[MODELS_MAX_OPS];
} ModelThread;

/* `perform` gets 0 or 1: which of two objects, or which of two ways. Operations that lie
 * together in the list meet on common objects. */
typedef struct Operation {
    const char *name;
    void (*perform)(int n);
} Operation;

typedef struct Models {
    const Operation *operations;
    unsigned count;
    void (*prepare)(void); /* main, before the threads */
} Models;

int models_main(int argc, char **argv, const Models *models);

/* -- for operations ----------------------------------------------------------------- */

/* The running thread has seen a value: part of the final state. */
void see(int value);
int models_threads(void);
/* Are deliveries compared? */
bool models_deliver(void);
/* In a cluster: how the running thread is numbered, below MODELS_SEERS; and its operations. */
void models_number_by(int (*index)(void));
void models_run(void);
int models_index(void);
ModelThread *models_self(void);
ModelThread *models_first(void);

#endif
