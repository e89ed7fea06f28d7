/* pass_atomic.c - atomic instructions become hooks
 *
 * The runtime performs the operation itself, as a step. Values of up to 8 bytes are passed in registers, larger ones
 * (16 bytes) through memory. Clang has turned the C11, __atomic and __sync builtins into instructions or into calls
 * of __atomic_* library functions; both are handled here.
 */
#include <stdlib.h>
#include <string.h>

#include "instr/module/bits.h"
#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/module/widermw.h"
#include "instr/passes/passes.h"
#include "rt/abi/hooks.h"

static LLVMValueRef size_of(Module *m, LLVMTypeRef type)
{
    return module_i32(m, module_size_of(m, type));
}

static void replace(LLVMValueRef instruction, LLVMValueRef by)
{
    LLVMReplaceAllUsesWith(instruction, by);
    LLVMInstructionEraseFromParent(instruction);
}

/* ---- One word ------------------------------------------------------------- */

static void replace_load(Module *m, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef args[] = {LLVMGetOperand(i, 0), size_of(m, type), hook_order(m, LLVMGetOrdering(i)), site_of(m, i)};
    LLVMValueRef word = hook_call(m, m->i64, "atomic_load", args, 4);
    replace(i, bits_unpack(m, word, type));
}

static void replace_store(Module *m, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0);
    LLVMValueRef args[] = {LLVMGetOperand(i, 1), bits_pack(m, value), size_of(m, LLVMTypeOf(value)),
                           hook_order(m, LLVMGetOrdering(i)), site_of(m, i)};
    hook_call(m, m->void_type, "atomic_store", args, 5);
    LLVMInstructionEraseFromParent(i);
}

/* -1 if the runtime has no such operation. */
static int rmw_of(LLVMAtomicRMWBinOp op)
{
    switch (op) {
    case LLVMAtomicRMWBinOpXchg: return SENNIT_RMW_XCHG;
    case LLVMAtomicRMWBinOpAdd: return SENNIT_RMW_ADD;
    case LLVMAtomicRMWBinOpSub: return SENNIT_RMW_SUB;
    case LLVMAtomicRMWBinOpAnd: return SENNIT_RMW_AND;
    case LLVMAtomicRMWBinOpNand: return SENNIT_RMW_NAND;
    case LLVMAtomicRMWBinOpOr: return SENNIT_RMW_OR;
    case LLVMAtomicRMWBinOpXor: return SENNIT_RMW_XOR;
    case LLVMAtomicRMWBinOpMax: return SENNIT_RMW_MAX;
    case LLVMAtomicRMWBinOpMin: return SENNIT_RMW_MIN;
    case LLVMAtomicRMWBinOpUMax: return SENNIT_RMW_UMAX;
    case LLVMAtomicRMWBinOpUMin: return SENNIT_RMW_UMIN;
    case LLVMAtomicRMWBinOpFAdd: return SENNIT_RMW_FADD;
    case LLVMAtomicRMWBinOpFSub: return SENNIT_RMW_FSUB;
    case LLVMAtomicRMWBinOpFMax: return SENNIT_RMW_FMAX;
    case LLVMAtomicRMWBinOpFMin: return SENNIT_RMW_FMIN;
    default: return -1;
    }
}

enum { MAX_USE_DEPTH = 8 };

static bool is_ignored(LLVMValueRef value, unsigned depth);

/* A variable that is only written, or whose value is read and then ignored. */
static bool is_idle_variable(LLVMValueRef variable, unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool idle = LLVMIsAStoreInst(user) ? LLVMGetOperand(user, 1) == variable
                                           : LLVMIsALoadInst(user) && is_ignored(user, depth);
        if (!idle)
            return false;
    }
    return true;
}

/* Does nothing that the program can observe depend on the value? Clang computes the new value of `x += 2` even if it
 * is not used, and without optimisation stores every result. */
static bool is_ignored(LLVMValueRef value, unsigned depth)
{
    if (depth > MAX_USE_DEPTH)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool ignored = false;
        if (LLVMIsAStoreInst(user))
            ignored = LLVMIsAAllocaInst(LLVMGetOperand(user, 1)) && LLVMGetOperand(user, 0) == value &&
                      is_idle_variable(LLVMGetOperand(user, 1), depth + 1);
        else if (LLVMIsABinaryOperator(user) || LLVMIsACastInst(user) || LLVMIsACmpInst(user))
            ignored = is_ignored(user, depth + 1);
        if (!ignored)
            return false;
    }
    return true;
}

static void replace_rmw(Module *m, LLVMValueRef i)
{
    int op = rmw_of(LLVMGetAtomicRMWBinOp(i));
    if (op < 0) {
        module_warn(m, i, "this atomic operation is not modelled and runs unobserved");
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef args[] = {LLVMGetOperand(i, 0), module_i32(m, (uint64_t)op), bits_pack(m, LLVMGetOperand(i, 1)),
                           size_of(m, type), hook_order(m, LLVMGetOrdering(i)),
                           module_i32(m, is_ignored(i, 0)), site_of(m, i)};
    LLVMValueRef word = hook_call(m, m->i64, "atomic_rmw", args, 7);
    replace(i, bits_unpack(m, word, type));
}

/* cmpxchg yields the pair { value found, success }. */
static LLVMValueRef build_pair(Module *m, LLVMTypeRef type, LLVMValueRef found, LLVMValueRef success)
{
    LLVMValueRef pair = LLVMBuildInsertValue(m->builder, LLVMGetPoison(type), found, 0, "");
    return LLVMBuildInsertValue(m->builder, pair, success, 1, "");
}

/* A weak exchange may also have failed for no reason. */
static LLVMValueRef build_success(Module *m, LLVMValueRef i, LLVMValueRef found, LLVMValueRef expected)
{
    LLVMValueRef equal = LLVMBuildICmp(m->builder, LLVMIntEQ, found, expected, "");
    if (!LLVMGetWeak(i))
        return equal;
    LLVMValueRef flag = LLVMGetNamedGlobal(m->llvm, "sennit_rt_failed");
    if (!flag) {
        flag = LLVMAddGlobal(m->llvm, m->i8, "sennit_rt_failed");
        LLVMSetVisibility(flag, LLVMHiddenVisibility);
    }
    module_mark(m, "sennit_weak_exchanges");
    LLVMValueRef failed = LLVMBuildLoad2(m->builder, m->i8, flag, "");
    LLVMValueRef kept = LLVMBuildICmp(m->builder, LLVMIntEQ, failed, LLVMConstNull(m->i8), "");
    return LLVMBuildAnd(m->builder, equal, kept, "");
}

static void replace_cas(Module *m, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 1));
    LLVMValueRef expected = bits_pack(m, LLVMGetOperand(i, 1)), desired = bits_pack(m, LLVMGetOperand(i, 2));
    LLVMValueRef args[] = {LLVMGetOperand(i, 0), expected, desired, size_of(m, type),
                           hook_order(m, LLVMGetCmpXchgSuccessOrdering(i)),
                           hook_order(m, LLVMGetCmpXchgFailureOrdering(i)),
                           module_i32(m, (uint64_t)LLVMGetWeak(i)), site_of(m, i)};
    LLVMValueRef found = hook_call(m, m->i64, "atomic_cas", args, 8);
    LLVMValueRef success = build_success(m, i, found, expected);
    replace(i, build_pair(m, LLVMTypeOf(i), bits_unpack(m, found, type), success));
}

/* ---- Through memory ------------------------------------------------------- */

/* A variable in the function's entry block, aligned like the type. */
static LLVMValueRef make_slot(Module *m, LLVMValueRef i, LLVMTypeRef type)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(i);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(entry));
    LLVMValueRef slot = LLVMBuildAlloca(m->builder, type, "");
    LLVMPositionBuilderBefore(m->builder, i);
    return slot;
}

static LLVMValueRef spill(Module *m, LLVMValueRef i, LLVMValueRef value)
{
    LLVMValueRef slot = make_slot(m, i, LLVMTypeOf(value));
    LLVMBuildStore(m->builder, value, slot);
    return slot;
}

static LLVMValueRef wide_size(Module *m, LLVMTypeRef type)
{
    return module_i64(m, module_size_of(m, type));
}

static void replace_wide_load(Module *m, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef slot = make_slot(m, i, type);
    LLVMValueRef args[] = {wide_size(m, type), LLVMGetOperand(i, 0), slot, hook_order(m, LLVMGetOrdering(i)),
                           site_of(m, i)};
    hook_call(m, m->void_type, "atomic_load_n", args, 5);
    replace(i, LLVMBuildLoad2(m->builder, type, slot, ""));
}

static void replace_wide_store(Module *m, LLVMValueRef i)
{
    LLVMValueRef value = LLVMGetOperand(i, 0);
    LLVMValueRef args[] = {wide_size(m, LLVMTypeOf(value)), LLVMGetOperand(i, 1), spill(m, i, value),
                           hook_order(m, LLVMGetOrdering(i)), site_of(m, i)};
    hook_call(m, m->void_type, "atomic_store_n", args, 5);
    LLVMInstructionEraseFromParent(i);
}

static LLVMValueRef call_wide_cas(Module *m, LLVMValueRef i, LLVMValueRef expected_slot, LLVMValueRef desired_slot,
                                  LLVMAtomicOrdering success, LLVMAtomicOrdering failure)
{
    LLVMTypeRef type = LLVMGetAllocatedType(desired_slot);
    LLVMValueRef args[] = {wide_size(m, type), LLVMGetOperand(i, 0), expected_slot, desired_slot,
                           hook_order(m, success), hook_order(m, failure), site_of(m, i)};
    LLVMValueRef done = hook_call(m, m->i32, "atomic_cas_n", args, 7);
    return LLVMBuildICmp(m->builder, LLVMIntNE, done, module_i32(m, 0), "");
}

static void replace_wide_cas(Module *m, LLVMValueRef i)
{
    LLVMValueRef expected = spill(m, i, LLVMGetOperand(i, 1)), desired = spill(m, i, LLVMGetOperand(i, 2));
    LLVMValueRef success = call_wide_cas(m, i, expected, desired, LLVMGetCmpXchgSuccessOrdering(i),
                                         LLVMGetCmpXchgFailureOrdering(i));
    /* On success the slot still holds the expected value, which is the value found. */
    LLVMValueRef found = LLVMBuildLoad2(m->builder, LLVMGetAllocatedType(expected), expected, "");
    replace(i, build_pair(m, LLVMTypeOf(i), found, success));
}

static void replace_wide_xchg(Module *m, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMValueRef value = spill(m, i, LLVMGetOperand(i, 1)), result = make_slot(m, i, type);
    LLVMValueRef args[] = {wide_size(m, type), LLVMGetOperand(i, 0), value, result,
                           hook_order(m, LLVMGetOrdering(i)), site_of(m, i)};
    hook_call(m, m->void_type, "atomic_xchg_n", args, 6);
    replace(i, LLVMBuildLoad2(m->builder, type, result, ""));
}

static void replace_wide_rmw(Module *m, LLVMValueRef i)
{
    if (LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg) {
        replace_wide_xchg(m, i);
        return;
    }
    LLVMValueRef helper = widermw_function(m, LLVMGetAtomicRMWBinOp(i), LLVMTypeOf(i));
    if (!helper) {
        module_warn(m, i, "this atomic operation is not modelled and runs unobserved");
        return;
    }
    LLVMValueRef args[] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), hook_order(m, LLVMGetOrdering(i)),
                           site_of(m, i)};
    LLVMPositionBuilderBefore(m->builder, i);
    replace(i, LLVMBuildCall2(m->builder, LLVMGlobalGetValueType(helper), helper, args, 4, ""));
}

/* ---- Private memory ------------------------------------------------------- */

/* Private memory needs no atomic instructions; as ordinary instructions they are tracked. Loads and stores need no
 * change. */
static void dissolve(Module *m, LLVMValueRef i)
{
    bool swaps = LLVMGetInstructionOpcode(i) == LLVMAtomicCmpXchg;
    LLVMValueRef pointer = LLVMGetOperand(i, 0), operand = LLVMGetOperand(i, 1), updated, result;
    LLVMTypeRef type = LLVMTypeOf(operand);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind && LLVMGetTypeKind(type) != LLVMPointerTypeKind)
        return;
    LLVMValueRef old = result = LLVMBuildLoad2(m->builder, type, pointer, "");
    if (swaps) {
        LLVMValueRef equal = LLVMBuildICmp(m->builder, LLVMIntEQ, old, operand, "");
        updated = LLVMBuildSelect(m->builder, equal, LLVMGetOperand(i, 2), old, "");
        result = build_pair(m, LLVMTypeOf(i), old, equal);
    } else {
        updated = widermw_update(m, LLVMGetAtomicRMWBinOp(i), old, operand);
    }
    if (!updated)
        return;
    LLVMBuildStore(m->builder, updated, pointer);
    replace(i, result);
}

/* ---- Library calls -------------------------------------------------------- */

/* Generic library calls take the size first and memory for all values, as the hooks do. */
static bool replace_generic(Module *m, LLVMValueRef call, const char *name)
{
    static const struct {
        const char *library, *hook;
        unsigned args;
    } calls[] = {{"__atomic_load", "atomic_load_n", 4},
                 {"__atomic_store", "atomic_store_n", 4},
                 {"__atomic_exchange", "atomic_xchg_n", 5},
                 {"__atomic_compare_exchange", "atomic_cas_n", 6}};
    for (unsigned k = 0; k < sizeof calls / sizeof *calls; k++) {
        if (strcmp(name, calls[k].library) != 0 || LLVMGetNumArgOperands(call) != calls[k].args)
            continue;
        LLVMValueRef args[7];
        for (unsigned i = 0; i < calls[k].args; i++)
            args[i] = LLVMGetOperand(call, i);
        args[calls[k].args] = site_of(m, call);
        bool yields = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
        LLVMValueRef result = hook_call(m, yields ? m->i32 : m->void_type, calls[k].hook, args, calls[k].args + 1);
        if (yields)
            LLVMReplaceAllUsesWith(call, LLVMBuildIntCast2(m->builder, result, LLVMTypeOf(call), 0, ""));
        LLVMInstructionEraseFromParent(call);
        return true;
    }
    return false;
}

static void replace_call(Module *m, LLVMValueRef call)
{
    const char *name = callee_name(call);
    if (name_begins(name, "__atomic_"))
        replace_generic(m, call, name);
}

/* ---- The pass ------------------------------------------------------------- */

static void replace_fence(Module *m, LLVMValueRef i)
{
    /* A signal fence orders a thread against itself. */
    if (LLVMIsAtomicSingleThread(i))
        return;
    LLVMValueRef args[] = {hook_order(m, LLVMGetOrdering(i)), site_of(m, i)};
    hook_call(m, m->void_type, "atomic_fence", args, 2);
    LLVMInstructionEraseFromParent(i);
}

static void replace_access(Module *m, LLVMValueRef i, LLVMTypeRef type, LLVMValueRef pointer,
                           void (*narrow)(Module *, LLVMValueRef), void (*wide)(Module *, LLVMValueRef))
{
    if (!private_pointer(&m->private_roots, pointer))
        (bits_fit(m, type) ? narrow : wide)(m, i);
    else if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        dissolve(m, i);
}

static void replace_instruction(Module *m, LLVMValueRef i)
{
    LLVMPositionBuilderBefore(m->builder, i);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
            replace_access(m, i, LLVMTypeOf(i), LLVMGetOperand(i, 0), replace_load, replace_wide_load);
        break;
    case LLVMStore:
        if (LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
            replace_access(m, i, LLVMTypeOf(LLVMGetOperand(i, 0)), LLVMGetOperand(i, 1), replace_store,
                           replace_wide_store);
        break;
    case LLVMAtomicRMW:
        replace_access(m, i, LLVMTypeOf(i), LLVMGetOperand(i, 0), replace_rmw, replace_wide_rmw);
        break;
    case LLVMAtomicCmpXchg:
        replace_access(m, i, LLVMTypeOf(LLVMGetOperand(i, 1)), LLVMGetOperand(i, 0), replace_cas, replace_wide_cas);
        break;
    case LLVMFence:
        replace_fence(m, i);
        break;
    case LLVMCall:
        replace_call(m, i);
        break;
    default:
        break;
    }
}

void pass_atomic(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        map_reset(&m->private_roots);
        for (uint32_t i = 0; i < list.count; i++)
            replace_instruction(m, list.items[i]);
        VEC_FREE(&list);
    }
}
