/* classes.h - names of equivalence classes, and the set of classes of a model
 *
 * An event's name fixes its agent, its index, its choices and its whole causal past;
 * a class is the set of its events' names. Both are 64-bit hashes.
 */
#ifndef ORACLE_CLASSES_H
#define ORACLE_CLASSES_H

#include "base/vec.h"
#include "classmap.h"
#include "model.h"

uint64_t mix64(uint64_t x);
uint64_t hash_bytes(const void *bytes, size_t size);
uint64_t state_hash(const ModelState *state);

/* Names of the events of a sequence, extended one event at a time. */
enum { NAMES_MAX = 64 };
typedef struct Names {
    uint32_t count;
    uint64_t class;                /* of the sequence so far */
    uint64_t name[NAMES_MAX];
    uint64_t past[NAMES_MAX];      /* set of positions, itself included */
    Event event[NAMES_MAX];
    Access access[NAMES_MAX][8];
} Names;

/* Adds an event of `ex`; false if there is no room. */
bool names_add(Names *names, const Execution *ex, const Event *event);

/* All classes of a model by brute force. Every enabled agent and every outcome is tried
 * from every class of prefixes; a class of prefixes reached twice must be in the same
 * state, which checks the dependence relation. False if there are more than `limit`
 * classes of prefixes. *sound becomes false if that check fails. */
bool brute_classes(const ModelCode *code, Execution *scratch, uint32_t limit, ClassMap *classes, bool *sound);

#endif
