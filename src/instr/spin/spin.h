/* spin.h - loops without side effects, turned into waits
 *
 * spin_await.c: loops on a single atomic instruction whose value decides.
 * spin_block.c: any other; the runtime notes what the loop reads. spin_rotate.c: where it waits
 * if it is in a lock on its back edge.
 */
#ifndef INSTR_SPIN_SPIN_H
#define INSTR_SPIN_SPIN_H

#include "instr/module/cfg.h"
#include "instr/module/effects.h"
#include "instr/module/module.h"

typedef struct SpinLoop {
    Module *module;
    const Cfg *cfg;
    const NaturalLoop *loop;
    const Effects *effects; /* quiet */
} SpinLoop;

/* Replaces the loop's only atomic instruction by one that waits until the loop can be
 * left. False if the loop has another shape. Leaves the control flow graph as it is. */
bool spin_await(const SpinLoop *spin);

/* Where a loop that holds a lock on its back edge can wait: before this call, which takes the
 * lock. NULL for other loops. */
LLVMValueRef spin_rotate(const SpinLoop *spin);

/* Makes the loop wait on its back edges until something it has read changes. False if its
 * state changes from round to round. Adds blocks: the graph is out of date afterwards. */
bool spin_block(const SpinLoop *spin);

#endif
