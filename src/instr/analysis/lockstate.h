/* lockstate.h - the locks a thread may hold at a place, and the threads that may run then */
#ifndef INSTR_ANALYSIS_LOCKSTATE_H
#define INSTR_ANALYSIS_LOCKSTATE_H

#include "instr/analysis/pointsto.h"

/* A call that takes, or gives back, a lock in one context. */
typedef struct LockCall {
    Context *context;
    LLVMValueRef call;
    AbsValue lock;
    uint64_t key;          /* calls with the same key mean the same lock, within a round of loops */
} LockCall;

typedef struct HeldLock {
    const LockCall *taken;
    LLVMValueRef trial;    /* the call whose result tells whether it was taken; NULL: it was */
    bool must;             /* held on every path                                 */
    bool many;             /* perhaps more than one, taken in rounds of a loop   */
    bool nested;           /* taken while the same lock was held                 */
    bool shared;           /* for reading                                        */
} HeldLock;

typedef VEC(HeldLock) HeldList;

typedef struct Running {
    uint32_t thread;       /* class                                              */
    bool many;
} Running;

typedef VEC(Running) RunningList;

typedef struct LockState {
    bool reached;
    HeldList held;
    RunningList running;   /* threads this one has made, or they have, that may not have ended */
} LockState;

LockState lockstate_copy(const LockState *from);
void lockstate_release(LockState *state);
/* Joins what another path brings; true if that changed the state. */
bool lockstate_join(LockState *state, const LockState *other);

/* NULL if there is none. */
HeldLock *lockstate_find_held(HeldList *list, const LockCall *taken);
Running *lockstate_find_running(RunningList *list, uint32_t thread);
void lockstate_remove_held(HeldList *list, uint32_t at);
/* True if that changed the list. */
bool lockstate_add_running(RunningList *list, Running running);

#endif
