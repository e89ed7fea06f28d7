/* spin.h - spin loops (loops without side effects), turned into blocking waits
 *
 * spin_await.c: loops on a single atomic instruction whose value decides. spin_block.c: all others; the runtime
 * records what the loop reads. spin_reload.c: variables that each iteration loads again. spin_rotate.c: where a loop
 * waits that holds a lock on its back edge. spin_assume.c: assumptions about a value that was just read, which are
 * waits without a loop.
 */
#ifndef INSTR_SPIN_SPIN_H
#define INSTR_SPIN_SPIN_H

#include "instr/module/cfg.h"
#include "instr/module/condition.h"
#include "instr/module/effects.h"
#include "instr/module/module.h"

typedef struct SpinLoop {
    Module *module;
    const Cfg *cfg;
    const NaturalLoop *loop;
    const Effects *effects; /* quiet */
} SpinLoop;

/* Replaces the loop's only atomic instruction by one that blocks until the loop can be left. False if the loop has
 * another shape. Does not change the control flow graph. */
bool spin_await(const SpinLoop *spin);

/* The condition to wait for before a read-modify-write, if its value is of use only if `leaves` holds: every other
 * value would be stored back unchanged. False if there is none. */
bool spin_rmw_wait(LLVMValueRef rmw, const Condition *leaves, int *op, Condition *wait);
/* Does the condition say that the exchange succeeds? */
bool spin_cas_succeeds(const Condition *leaves, LLVMValueRef cmpxchg);

/* Replaces atomic instructions of the function whose value is assumed to satisfy a condition before anything else is
 * done with it: they block until it does. */
void spin_assume(Module *m, LLVMValueRef function);
/* Does the function make assumptions? */
bool spin_assumes(LLVMValueRef function);

/* Where a loop that holds a lock on its back edge can wait: before this call, which acquires the lock. NULL for other
 * loops. */
LLVMValueRef spin_rotate(const SpinLoop *spin);

/* Makes the loop block on its back edges until something it has read changes. False if its state changes from
 * iteration to iteration. Adds blocks: the control flow graph is invalid afterwards. */
bool spin_block(const SpinLoop *spin);

/* The variable of the loop, a phi of its header, begins with the value of an atomic load. The instruction that loads it
 * again in each iteration: another load, or a compare and exchange that tells what it has found when it fails. NULL if
 * the variable is another one. */
LLVMValueRef spin_reload(const SpinLoop *spin, LLVMValueRef phi);
/* What that instruction has loaded in the iteration that ends with this block, where a back edge begins. Adds phis. */
LLVMValueRef spin_loaded(const SpinLoop *spin, LLVMValueRef reload, LLVMBasicBlockRef latch);

/* Makes any other loop that may take steps ask the runtime on its back edges whether its iterations repeat. False if it
 * takes none. Adds blocks like spin_block. */
bool spin_repeat(const SpinLoop *spin);
/* Is the state of a thread in a loop of this function all in its frame? */
bool spin_repeat_is_possible(const Module *m, LLVMValueRef function);

#endif
