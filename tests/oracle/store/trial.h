/* trial.h - one search of a small program through a job store, while everything goes wrong
 *
 * Several real workers (dist/worker.c) with the real engine share the store_memory.c in virtual time, while answers get
 * lost, connections stand still for longer than leases last, workers die and others come, and the server comes back
 * with an older state. What was committed must be exactly the classes that are true, each once.
 */
#ifndef ORACLE_STORE_TRIAL_H
#define ORACLE_STORE_TRIAL_H

#include "classmap.h"
#include "core/explore.h"

typedef struct Machine Machine;

/* A kind of program. Each machine opens its own. */
typedef struct TrialSubject {
    void *(*open)(const void *code, Machine *machine);
    void (*close)(void *self);
    Program *(*program)(void *self);
    ExploreObserver *(*observer)(void *self); /* of the executions; may be NULL */
} TrialSubject;

/* A machine has run an execution that counts; `good` is false if it should not exist. */
void trial_note(Machine *machine, uint64_t class, uint64_t state, bool good);

/* What one worker finds. */
typedef struct TrialTruth {
    ExploreOptions options;
    ClassMap classes;
    uint64_t redundant;
} TrialTruth;

typedef struct TrialTotals {
    uint64_t programs, too_big, classes, explored, deaths, reverts, refused, extensions, commits, mismatches;
} TrialTotals;

/* False, after a message, if something else was committed. */
bool trial_run(const TrialSubject *subject, const void *code, const TrialTruth *truth, uint64_t seed, TrialTotals *totals);
/* Prints the totals; returns the exit code. */
int trial_print(const TrialTotals *totals);

#endif
