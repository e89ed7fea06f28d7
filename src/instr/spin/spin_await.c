/* spin_await.c - see spin.h
 *
 * Why this is correct: an iteration that does not leave the loop changes nothing and starts the next one in the same
 * state, so omitting such iterations is not observable. For a read-modify-write this requires that such an iteration
 * stores the value that was there.
 */
#include "instr/module/bits.h"
#include "instr/module/condition.h"
#include "instr/module/hook.h"
#include "instr/module/invariant.h"
#include "instr/module/site.h"
#include "instr/spin/looppath.h"
#include "instr/spin/spin.h"
#include "rt/abi/hooks.h"

static bool invariant(const SpinLoop *spin, LLVMValueRef value)
{
    return invariant_in(spin->cfg, spin->loop, value);
}

static LLVMValueRef size_argument(const SpinLoop *spin, LLVMValueRef source)
{
    return module_i32(spin->module, condition_source_bits(source) / 8);
}

/* The operand as a word, computed before `place`. */
static LLVMValueRef operand_argument(const SpinLoop *spin, const Condition *condition, LLVMValueRef place)
{
    if (!condition->operand)
        return module_i64(spin->module, condition->constant);
    LLVMValueRef value = invariant_before(spin->cfg, spin->loop, spin->module, condition->operand, place);
    LLVMPositionBuilderBefore(spin->module->builder, place);
    return bits_pack(spin->module, value);
}

static void replace(LLVMValueRef instruction, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
}

/* ---- Loads ---------------------------------------------------------------- */

static bool await_load(const SpinLoop *spin, LLVMValueRef load, const Condition *leaves)
{
    Module *m = spin->module;
    LLVMValueRef operand = operand_argument(spin, leaves, load);
    LLVMPositionBuilderBefore(m->builder, load);
    LLVMValueRef args[] = {LLVMGetOperand(load, 0), size_argument(spin, load),
                           hook_order(m, LLVMGetOrdering(load)), module_i32(m, leaves->relation),
                           module_i64(m, leaves->mask), operand, site_of(m, load)};
    LLVMValueRef word = hook_call(m, m->i64, "atomic_await", args, 7);
    replace(load, bits_unpack(m, word, LLVMTypeOf(load)));
    return true;
}

/* ---- Compare and swap ----------------------------------------------------- */

bool spin_cas_succeeds(const Condition *leaves, LLVMValueRef cmpxchg)
{
    LLVMValueRef expected = LLVMGetOperand(cmpxchg, 1);
    if (leaves->relation != REL_EQ)
        return false;
    if (leaves->operand)
        return leaves->operand == expected;
    return LLVMIsAConstantPointerNull(expected) ? leaves->constant == 0
           : LLVMIsAConstantInt(expected)       ? leaves->constant == LLVMConstIntGetZExtValue(expected)
                                                : false;
}

static bool await_cas(const SpinLoop *spin, LLVMValueRef cas, const Condition *leaves)
{
    Module *m = spin->module;
    LLVMValueRef expected = LLVMGetOperand(cas, 1), desired = LLVMGetOperand(cas, 2);
    if (!spin_cas_succeeds(leaves, cas) || !invariant(spin, expected) || !invariant(spin, desired))
        return false;
    LLVMPositionBuilderBefore(m->builder, cas);
    LLVMValueRef args[] = {LLVMGetOperand(cas, 0), bits_pack(m, expected), bits_pack(m, desired),
                           size_argument(spin, cas), hook_order(m, LLVMGetCmpXchgSuccessOrdering(cas)),
                           site_of(m, cas)};
    hook_call(m, m->void_type, "atomic_await_cas", args, 6);
    LLVMValueRef pair = LLVMBuildInsertValue(m->builder, LLVMGetPoison(LLVMTypeOf(cas)), expected, 0, "");
    replace(cas, LLVMBuildInsertValue(m->builder, pair, LLVMConstInt(m->i1, 1, 0), 1, ""));
    return true;
}

/* ---- Read-modify-write ---------------------------------------------------- */

bool spin_rmw_wait(LLVMValueRef rmw, const Condition *leaves, int *op, Condition *wait)
{
    if (leaves->operand || !LLVMIsAConstantInt(LLVMGetOperand(rmw, 1)))
        return false;
    unsigned bits = condition_source_bits(rmw);
    uint64_t all = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;
    uint64_t value = LLVMConstIntGetZExtValue(LLVMGetOperand(rmw, 1));
    uint64_t fixed; /* bits that every skipped value has, and their values */
    *wait = (Condition){.relation = REL_NE};
    switch (LLVMGetAtomicRMWBinOp(rmw)) {
    case LLVMAtomicRMWBinOpXchg: /* unchanged iff it is already the value */
        *op = SENNIT_RMW_XCHG;
        fixed = wait->mask = all;
        wait->constant = value;
        break;
    case LLVMAtomicRMWBinOpOr: /* unchanged iff the bits are set */
        *op = SENNIT_RMW_OR;
        fixed = wait->mask = wait->constant = value;
        break;
    case LLVMAtomicRMWBinOpAnd: /* unchanged iff the other bits are clear */
        *op = SENNIT_RMW_AND;
        fixed = wait->mask = all & ~value;
        wait->constant = 0;
        break;
    default:
        return false;
    }
    return (leaves->mask & ~fixed) == 0 && !condition_holds(leaves, wait->constant, bits);
}

static bool await_rmw(const SpinLoop *spin, LLVMValueRef rmw, const Condition *leaves)
{
    Module *m = spin->module;
    Condition wait;
    int op;
    if (!spin_rmw_wait(rmw, leaves, &op, &wait))
        return false;
    LLVMPositionBuilderBefore(m->builder, rmw);
    LLVMValueRef args[] = {LLVMGetOperand(rmw, 0), module_i32(m, (uint64_t)op), bits_pack(m, LLVMGetOperand(rmw, 1)),
                           size_argument(spin, rmw), hook_order(m, LLVMGetOrdering(rmw)),
                           module_i32(m, wait.relation), module_i64(m, wait.mask), module_i64(m, wait.constant),
                           site_of(m, rmw)};
    LLVMValueRef word = hook_call(m, m->i64, "atomic_await_rmw", args, 9);
    replace(rmw, bits_unpack(m, word, LLVMTypeOf(rmw)));
    return true;
}

/* ---- Shape ---------------------------------------------------------------- */

/* One atomic instruction at an invariant address, nothing else read, no state carried from one iteration to the
 * next. */
static bool has_shape(const SpinLoop *spin)
{
    const Effects *effects = spin->effects;
    LLVMBasicBlockRef header = cfg_block(spin->cfg, spin->loop->header);
    uint32_t others = effects->waits + effects->stores + effects->plain_reads + effects->far_reads + effects->tries +
                      effects->sections + effects->plain_stores;
    if (effects->observers.count != 1 || others)
        return false;
    LLVMValueRef source = effects->observers.items[0];
    unsigned bits = condition_source_bits(source);
    return !LLVMIsAPHINode(LLVMGetFirstInstruction(header)) && bits >= 8 && bits <= 64 && (bits & (bits - 1)) == 0 &&
           invariant(spin, LLVMGetOperand(source, 0));
}

bool spin_await(const SpinLoop *spin)
{
    Condition leaves;
    if (!has_shape(spin) || !looppath_exit_condition(spin->cfg, spin->loop, &leaves))
        return false;
    LLVMValueRef source = spin->effects->observers.items[0];
    if (leaves.source != source || (leaves.operand && !invariant(spin, leaves.operand)))
        return false;
    switch (LLVMGetInstructionOpcode(source)) {
    case LLVMLoad: return await_load(spin, source, &leaves);
    case LLVMAtomicCmpXchg: return await_cas(spin, source, &leaves);
    case LLVMAtomicRMW: return await_rmw(spin, source, &leaves);
    default: return false;
    }
}
