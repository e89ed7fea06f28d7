/* lockstate.h - the locks that a thread may hold at a place, and the threads that may run there */
#ifndef INSTR_ANALYSIS_LOCKSTATE_H
#define INSTR_ANALYSIS_LOCKSTATE_H

#include "instr/analysis/pointsto.h"

/* A call that acquires or releases a lock in one context. */
typedef struct LockCall {
    Context *context;
    LLVMValueRef call;
    AbsValue lock;
    uint64_t key;          /* calls with the same key mean the same lock, within an iteration */
} LockCall;

typedef struct LockEntry {
    const LockCall *taken;
    LLVMValueRef trial;    /* the trylock whose result is not yet known; NULL: acquired */
    bool must;             /* held on every path                                 */
    bool many;             /* perhaps several, acquired in iterations of a loop  */
    bool nested;           /* acquired while the same lock was held              */
    bool shared;           /* for reading                                        */
} LockEntry;

typedef VEC(LockEntry) HeldList;

typedef struct Running {
    uint32_t thread;       /* class                                              */
    bool many;
} Running;

typedef VEC(Running) RunningList;

typedef struct LockState {
    bool reached;
    HeldList held;
    RunningList running;   /* descendants of this thread that may not have ended */
} LockState;

LockState lockstate_copy(const LockState *from);
void lockstate_release(LockState *state);
/* Joins the state of another path; true if that changed this one. */
bool lockstate_join(LockState *state, const LockState *other);

/* NULL if there is none. */
LockEntry *lockstate_find_held(HeldList *list, const LockCall *taken);
Running *lockstate_find_running(RunningList *list, uint32_t thread);
void lockstate_remove_held(HeldList *list, uint32_t at);
/* True if the list changed. */
bool lockstate_add_running(RunningList *list, Running running);

#endif
