/* spin_reload.c - see spin.h
 *
 * `v = load(&x); while (!cas(&x, &v, f(v)));` loads again in each iteration that fails: the exchange is that load. A
 * thread behind it is in the state in which it would be had it loaded the value in the first place, if nothing but the
 * loop's variable depends on the value loaded, if nothing happens between the load and the loop, and if the second
 * one orders as much as the first.
 */
#include "instr/spin/spin.h"

enum { MAX_DEPTH = 4 };

/* ---- The first load --------------------------------------------------------------- */

static bool is_used_once(LLVMValueRef value)
{
    LLVMUseRef use = LLVMGetFirstUse(value);
    return use && !LLVMGetNextUse(use);
}

/* The only value with which the loop begins, and the block that it comes from; NULL if there are several. */
static LLVMValueRef first_value(const SpinLoop *spin, LLVMValueRef phi, LLVMBasicBlockRef *from)
{
    LLVMValueRef first = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        uint32_t block = cfg_index(spin->cfg, LLVMGetIncomingBlock(phi, i));
        if (block == CFG_NONE || spin->loop->contains[block])
            continue;
        if (first)
            return NULL;
        first = LLVMGetIncomingValue(phi, i);
        *from = LLVMGetIncomingBlock(phi, i);
    }
    return first;
}

/* The atomic load whose value this is, for nothing else; or NULL. */
static LLVMValueRef load_of(LLVMValueRef value)
{
    while (value && (LLVMIsAIntToPtrInst(value) || LLVMIsABitCastInst(value)) && is_used_once(value))
        value = LLVMGetOperand(value, 0);
    bool found = value && LLVMIsALoadInst(value) && LLVMGetOrdering(value) >= LLVMAtomicOrderingMonotonic;
    return found && is_used_once(value) ? value : NULL;
}

/* Nothing that another thread, or the thread itself, could notice. */
static bool is_silent(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
    case LLVMStore:
    case LLVMCall:
    case LLVMInvoke:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMFence:
    case LLVMAlloca:
    case LLVMVAArg:
        return false;
    default:
        return true;
    }
}

/* Does the loop follow at once? `block` is the last one before it. */
static bool loop_follows(LLVMValueRef load, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (LLVMGetInstructionParent(load) != block || LLVMGetNumSuccessors(end) != 1)
        return false;
    for (LLVMValueRef i = LLVMGetNextInstruction(load); i; i = LLVMGetNextInstruction(i))
        if (!is_silent(i))
            return false;
    return true;
}

/* ---- The second ------------------------------------------------------------ */

/* Are both addresses computed in the same way? */
static bool is_same_address(LLVMValueRef a, LLVMValueRef b, unsigned depth)
{
    if (a == b)
        return true;
    if (depth > MAX_DEPTH || !LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) ||
        LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(a); i++)
        if (!is_same_address(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i), depth + 1))
            return false;
    return true;
}

/* Monotonic, acquire and seq_cst are in this order. */
static bool orders_as_much(LLVMValueRef reload, LLVMValueRef load)
{
    LLVMAtomicOrdering order =
        LLVMIsALoadInst(reload) ? LLVMGetOrdering(reload) : LLVMGetCmpXchgFailureOrdering(reload);
    return order >= LLVMGetOrdering(load);
}

static bool loads_same(LLVMValueRef reload, LLVMValueRef load)
{
    LLVMTypeRef type = LLVMIsALoadInst(reload)            ? LLVMTypeOf(reload)
                       : LLVMIsAAtomicCmpXchgInst(reload) ? LLVMTypeOf(LLVMGetOperand(reload, 1))
                                                          : NULL;
    return type == LLVMTypeOf(load) && orders_as_much(reload, load) &&
           is_same_address(LLVMGetOperand(load, 0), LLVMGetOperand(reload, 0), 0);
}

/* It may also be one of a function that is called. */
static bool is_in_each_iteration(const SpinLoop *spin, LLVMValueRef instruction)
{
    LLVMBasicBlockRef place = LLVMGetInstructionParent(instruction), header = cfg_block(spin->cfg, spin->loop->header);
    if (LLVMGetBasicBlockParent(place) != LLVMGetBasicBlockParent(header))
        return false;
    bool always = true;
    for (uint32_t i = 0; i < spin->loop->latches.count; i++)
        always &= cfg_dominates(spin->cfg, cfg_index(spin->cfg, place), spin->loop->latches.items[i]);
    return always;
}

/* Of several the load, which comes behind an exchange that has failed. */
LLVMValueRef spin_reload(const SpinLoop *spin, LLVMValueRef phi)
{
    LLVMBasicBlockRef before = NULL;
    LLVMValueRef load = load_of(first_value(spin, phi, &before)), found = NULL;
    for (uint32_t i = 0; load && loop_follows(load, before) && i < spin->effects->observers.count; i++) {
        LLVMValueRef reload = spin->effects->observers.items[i];
        if (is_in_each_iteration(spin, reload) && loads_same(reload, load) && (!found || LLVMIsALoadInst(reload)))
            found = reload;
    }
    return found;
}
