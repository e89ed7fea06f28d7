/* effects.h - what a piece of code does to the world outside the running thread
 *
 * Quiet code changes nothing that anybody else, or a later repetition of the same code,
 * could see. It may look at shared memory, yield and sleep. An atomic store, a
 * compare-and-swap, a read-modify-write, a trylock and a lock that is taken count as looks:
 * only the runtime can tell whether they were reached and changed anything, and whether the
 * lock was given back. So do plain stores beside any of them, or in code with atomic sections: `while
 * (!try_to_put(queue, x));`.
 */
#ifndef INSTR_MODULE_EFFECTS_H
#define INSTR_MODULE_EFFECTS_H

#include "instr/module/cfg.h"
#include "instr/module/module.h"

typedef struct Effects {
    bool quiet;
    bool with_variables;  /* assignments to local variables are still stores         */
    ValueList observers;  /* atomic instructions on shared memory                    */
    uint32_t plain_reads; /* hooks of plain loads                                    */
    uint32_t loads;       /* plain loads of memory that is not private               */
    uint32_t far_reads;   /* called functions that look at shared memory             */
    uint32_t functions;   /* called functions looked into, a bounded number          */
    uint32_t waits;       /* loops inside that have become waits                     */
    uint32_t stores;      /* atomic stores to shared memory                          */
    uint32_t sections;    /* atomic sections that begin inside                       */
    uint32_t plain_stores; /* plain stores that the runtime is told of               */
    uint32_t tries;       /* calls of trylock and the like: a failed one is a look    */
    uint32_t sleeps;      /* calls that sleep: there a thread may be cancelled        */
    uint32_t locks;       /* calls that take or give back a mutex or spin lock        */
} Effects;

/* After pass_memory and before pass_atomic. Release the result. */
Effects effects_of_loop(const Cfg *cfg, const NaturalLoop *loop);

/* Could the loop turn out to be quiet and to look at shared memory, once its variables have
 * become registers? For functions that clang has just made. */
bool effects_may_be_quiet(const Cfg *cfg, const NaturalLoop *loop);
void effects_release(Effects *effects);

/* Does the library function take a mutex or spin lock, give one back? */
bool effects_takes_lock(LLVMValueRef function);
bool effects_gives_lock(LLVMValueRef function);

#endif
