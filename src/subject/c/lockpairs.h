/* lockpairs.h - which lock was requested while which other one was held: the lock-order graph of a report
 *
 * Unlike a LockOrder it only shows: nothing is concluded from it. Several processes may add to it at the same time.
 */
#ifndef SUBJECT_C_LOCKPAIRS_H
#define SUBJECT_C_LOCKPAIRS_H

#include <stdatomic.h>

#include "base/text.h"
#include "rt/program/program_c.h"

enum { LOCKPAIRS_MOST = 1024 };

typedef struct LockPair {
    uint64_t held, requested; /* 0: not written yet               */
    uint64_t held_site, site; /* where each was requested         */
    AgentId agent;
} LockPair;

/* In a region. */
typedef struct LockPairs {
    _Atomic uint32_t count; /* may exceed the room; an item may be there twice */
    LockPair items[LOCKPAIRS_MOST];
} LockPairs;

/* Adds the pairs of an execution that are not known yet. */
void lockpairs_add(LockPairs *pairs, const Execution *ex);
/* The list for run.json: from, to, thread, places. */
void lockpairs_write_json(const LockPairs *pairs, Program *program, Text *out);

#endif
