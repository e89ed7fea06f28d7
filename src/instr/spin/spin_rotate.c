/* spin_rotate.c - see spin.h
 *
 *     lock; while (!done) { unlock; yield; lock; } unlock;
 *
 * On the back edge of such a loop its thread holds the lock, so no other thread could change what it waits for. Just
 * before it acquires the lock it can wait: an iteration then extends from there to there. For this the state of the
 * loop must be the same at that place in every iteration: the loop has no variables, and no value computed before
 * that place is used after it.
 */
#include "instr/module/callee.h"
#include "instr/spin/spin.h"

/* In the order of the blocks, which is that of an iteration. */
static LLVMValueRef first_call(const SpinLoop *spin, bool (*is)(LLVMValueRef function))
{
    for (uint32_t b = spin->loop->header; b < cfg_block_count(spin->cfg); b++) {
        LLVMBasicBlockRef block = cfg_block(spin->cfg, b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && spin->loop->contains[b];
             i = LLVMGetNextInstruction(i))
            if (callee_of(i) && is(callee_of(i)))
                return i;
    }
    return NULL;
}

static bool comes_before(LLVMValueRef a, LLVMValueRef b)
{
    for (LLVMValueRef i = a; i; i = LLVMGetNextInstruction(i))
        if (i == b)
            return true;
    return false;
}

static bool takes_or_gives(LLVMValueRef function)
{
    return effects_takes_lock(function) || effects_gives_lock(function);
}

/* Is the value used only between its definition and the next execution of `place`? */
static bool stays_on_its_side(LLVMValueRef value, LLVMValueRef place)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMGetInstructionParent(user) != block || LLVMIsAPHINode(user))
            return false;
        if (block == LLVMGetInstructionParent(place) && comes_before(value, place) && !comes_before(user, place))
            return false;
    }
    return true;
}

static bool has_no_state_at(const SpinLoop *spin, LLVMValueRef place)
{
    for (uint32_t b = 0; b < spin->loop->blocks.count; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg_block(spin->cfg, spin->loop->blocks.items[b])); i;
             i = LLVMGetNextInstruction(i))
            if (LLVMIsAPHINode(i) || !stays_on_its_side(i, place))
                return false;
    return true;
}

LLVMValueRef spin_rotate(const SpinLoop *spin)
{
    const NaturalLoop *loop = spin->loop;
    LLVMValueRef first = first_call(spin, takes_or_gives), lock = first_call(spin, effects_takes_lock);
    if (!first || !lock || first == lock || loop->latches.count != 1)
        return NULL;
    uint32_t place = cfg_index(spin->cfg, LLVMGetInstructionParent(lock));
    return cfg_dominates(spin->cfg, place, loop->latches.items[0]) && has_no_state_at(spin, lock) ? lock : NULL;
}
