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

static LLVMBasicBlockRef constant_way(LLVMValueRef branch, LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) ? LLVMGetSuccessor(branch, LLVMConstIntGetZExtValue(value) ? 0 : 1) : NULL;
}

static bool lies_behind(const SpinLoop *spin, uint32_t place, uint32_t block, unsigned depth);

/* Does every way along this edge come from the place? `a && b` is a branch on a variable that is false where `a` is: of
 * the ways into the branch only those count that can continue along the edge. */
static bool edge_lies_behind(const SpinLoop *spin, uint32_t place, uint32_t from, uint32_t to, unsigned depth)
{
    LLVMBasicBlockRef block = cfg_block(spin->cfg, from);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool branches = LLVMIsABranchInst(end) && LLVMIsConditional(end);
    LLVMValueRef phi = branches && LLVMIsAPHINode(LLVMGetCondition(end)) ? LLVMGetCondition(end) : NULL;
    if (!phi || LLVMGetInstructionParent(phi) != block)
        return lies_behind(spin, place, from, depth);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef way = constant_way(end, LLVMGetIncomingValue(phi, i));
        uint32_t source = cfg_index(spin->cfg, LLVMGetIncomingBlock(phi, i));
        bool continues = !way || way == cfg_block(spin->cfg, to);
        if (continues && (source == CFG_NONE || !lies_behind(spin, place, source, depth)))
            return false;
    }
    return true;
}

/* Does every way from the loop's header to the block lead through the place? */
static bool lies_behind(const SpinLoop *spin, uint32_t place, uint32_t block, unsigned depth)
{
    if (cfg_dominates(spin->cfg, place, block))
        return true;
    if (depth == 0 || block == spin->loop->header || !spin->loop->contains[block])
        return false;
    const BlockList *sources = cfg_predecessors(spin->cfg, block);
    if (sources->count > 1 && !LLVMIsAPHINode(LLVMGetFirstInstruction(cfg_block(spin->cfg, block))))
        return false; /* spin_loaded needs one */
    for (uint32_t i = 0; i < sources->count; i++)
        if (!edge_lies_behind(spin, place, sources->items[i], block, depth - 1))
            return false;
    return sources->count > 0;
}

/* It may also be one of a function that is called. */
static bool is_in_each_iteration(const SpinLoop *spin, LLVMValueRef instruction)
{
    LLVMBasicBlockRef place = LLVMGetInstructionParent(instruction), header = cfg_block(spin->cfg, spin->loop->header);
    if (LLVMGetBasicBlockParent(place) != LLVMGetBasicBlockParent(header))
        return false;
    bool always = true;
    for (uint32_t i = 0; i < spin->loop->latches.count; i++)
        always &= lies_behind(spin, cfg_index(spin->cfg, place), spin->loop->latches.items[i], MAX_DEPTH);
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

/* ---- Its value -------------------------------------------------------------- */

static LLVMValueRef value_of(const SpinLoop *spin, LLVMValueRef reload)
{
    if (LLVMIsALoadInst(reload))
        return reload;
    LLVMPositionBuilderBefore(spin->module->builder, LLVMGetNextInstruction(reload));
    return LLVMBuildExtractValue(spin->module->builder, reload, 0, "");
}

/* At the end of a block; any value on ways that do not lead through the instruction. */
static LLVMValueRef value_behind(const SpinLoop *spin, LLVMValueRef reload, LLVMValueRef value, uint32_t block)
{
    if (block == CFG_NONE || block == spin->loop->header || !spin->loop->contains[block])
        return LLVMConstNull(LLVMTypeOf(value));
    if (cfg_dominates(spin->cfg, cfg_index(spin->cfg, LLVMGetInstructionParent(reload)), block))
        return value;
    LLVMValueRef first = LLVMGetFirstInstruction(cfg_block(spin->cfg, block));
    if (!LLVMIsAPHINode(first))
        return value_behind(spin, reload, value, cfg_predecessors(spin->cfg, block)->items[0]);
    LLVMPositionBuilderBefore(spin->module->builder, first);
    LLVMValueRef phi = LLVMBuildPhi(spin->module->builder, LLVMTypeOf(value), "");
    for (unsigned i = 0; i < LLVMCountIncoming(first); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(first, i);
        LLVMValueRef behind = value_behind(spin, reload, value, cfg_index(spin->cfg, from));
        LLVMAddIncoming(phi, &behind, &from, 1);
    }
    return phi;
}

LLVMValueRef spin_loaded(const SpinLoop *spin, LLVMValueRef reload, LLVMBasicBlockRef latch)
{
    return value_behind(spin, reload, value_of(spin, reload), cfg_index(spin->cfg, latch));
}
