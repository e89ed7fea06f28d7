/* effects.h - the effects of code that are visible outside the running thread
 *
 * Quiet code changes nothing that another thread, or a repetition of the same code, could observe. It may read shared
 * memory, yield and sleep. An atomic store, a compare-and-swap, a read-modify-write, a trylock and a lock operation
 * count as reads: only the runtime knows whether they were executed and changed anything, and whether the lock was
 * released. So do plain stores beside any of them, or in code with atomic sections: `while (!try_to_put(queue, x));`.
 */
#ifndef INSTR_MODULE_EFFECTS_H
#define INSTR_MODULE_EFFECTS_H

#include "instr/module/cfg.h"
#include "instr/module/module.h"

typedef struct Effects {
    bool quiet;
    bool with_variables;  /* local variables are not yet registers                   */
    ValueList observers;  /* atomic instructions on shared memory                    */
    uint32_t plain_reads; /* hooks of plain loads                                    */
    uint32_t loads;       /* plain loads of memory that is not private               */
    uint32_t volatile_loads; /* those of volatile objects                            */
    uint32_t far_reads;   /* called functions that read shared memory                */
    uint32_t functions;   /* called functions inspected, a bounded number            */
    uint32_t waits;       /* inner loops that have become blocking waits             */
    uint32_t stores;      /* atomic stores to shared memory                          */
    uint32_t sections;    /* atomic sections begun                                   */
    uint32_t plain_stores; /* plain stores with a hook                               */
    uint32_t tries;       /* calls of trylock and the like: a failed one is a read    */
    uint32_t sleeps;      /* calls that sleep: cancellation points                    */
    uint32_t locks;       /* calls that acquire or release a mutex or spin lock       */
} Effects;

/* After pass_memory and before pass_atomic. Release the result. */
Effects effects_of_loop(const Cfg *cfg, const NaturalLoop *loop);

/* Could the loop turn out to be quiet and to read shared memory, once its variables have become registers? For
 * functions as clang made them. */
bool effects_may_be_quiet(const Cfg *cfg, const NaturalLoop *loop);
void effects_release(Effects *effects);

/* A call of a library function whose effects, if it has any, are steps or plain accesses, or matter to nothing but
 * time. */
bool effects_is_quiet_call(LLVMValueRef call);

/* Does the library function acquire a mutex or spin lock; release one? */
bool effects_takes_lock(LLVMValueRef function);
bool effects_gives_lock(LLVMValueRef function);

#endif
