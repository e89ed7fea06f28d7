/* widermw.c - see widermw.h */
#include "instr/module/widermw.h"

#include <stdio.h>

#include "instr/module/hook.h"

typedef struct Parts {
    LLVMValueRef pointer, value, order, site;
    LLVMValueRef old, updated; /* variables in memory, as the hooks require */
    LLVMValueRef size;
} Parts;

static LLVMValueRef choose(Module *m, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildSelect(m->builder, LLVMBuildICmp(m->builder, predicate, a, b, ""), a, b, "");
}

LLVMValueRef widermw_update(Module *m, LLVMAtomicRMWBinOp op, LLVMValueRef a, LLVMValueRef b)
{
    switch (op) {
    case LLVMAtomicRMWBinOpXchg: return b;
    case LLVMAtomicRMWBinOpAdd: return LLVMBuildAdd(m->builder, a, b, "");
    case LLVMAtomicRMWBinOpSub: return LLVMBuildSub(m->builder, a, b, "");
    case LLVMAtomicRMWBinOpAnd: return LLVMBuildAnd(m->builder, a, b, "");
    case LLVMAtomicRMWBinOpNand: return LLVMBuildNot(m->builder, LLVMBuildAnd(m->builder, a, b, ""), "");
    case LLVMAtomicRMWBinOpOr: return LLVMBuildOr(m->builder, a, b, "");
    case LLVMAtomicRMWBinOpXor: return LLVMBuildXor(m->builder, a, b, "");
    case LLVMAtomicRMWBinOpMax: return choose(m, LLVMIntSGT, a, b);
    case LLVMAtomicRMWBinOpMin: return choose(m, LLVMIntSLT, a, b);
    case LLVMAtomicRMWBinOpUMax: return choose(m, LLVMIntUGT, a, b);
    case LLVMAtomicRMWBinOpUMin: return choose(m, LLVMIntULT, a, b);
    default: return NULL;
    }
}

static void build_entry(Module *m, LLVMValueRef function, LLVMTypeRef type, Parts *parts)
{
    parts->pointer = LLVMGetParam(function, 0);
    parts->value = LLVMGetParam(function, 1);
    parts->order = LLVMGetParam(function, 2);
    parts->site = LLVMGetParam(function, 3);
    parts->old = LLVMBuildAlloca(m->builder, type, "");
    parts->updated = LLVMBuildAlloca(m->builder, type, "");
    parts->size = module_i64(m, module_size_of(m, type));
    LLVMValueRef args[] = {parts->size, parts->pointer, parts->old, module_i32(m, 0), parts->site};
    hook_call(m, m->void_type, "atomic_load_n", args, 5);
}

/* Builds one attempt; answers the old value, with the builder positioned where the result is known. */
static LLVMValueRef build_try(Module *m, LLVMAtomicRMWBinOp op, LLVMTypeRef type, const Parts *parts,
                              LLVMBasicBlockRef again, LLVMBasicBlockRef done)
{
    LLVMValueRef old = LLVMBuildLoad2(m->builder, type, parts->old, "");
    LLVMBuildStore(m->builder, widermw_update(m, op, old, parts->value), parts->updated);
    LLVMValueRef args[] = {parts->size,  parts->pointer,   parts->old, parts->updated,
                           parts->order, module_i32(m, 0), parts->site};
    LLVMValueRef success = hook_call(m, m->i32, "atomic_cas_n", args, 7);
    LLVMBuildCondBr(m->builder, LLVMBuildICmp(m->builder, LLVMIntNE, success, module_i32(m, 0), ""), done, again);
    return old;
}

static LLVMValueRef build_function(Module *m, const char *name, LLVMAtomicRMWBinOp op, LLVMTypeRef type)
{
    LLVMTypeRef parameters[] = {m->ptr, type, m->i32, m->ptr};
    LLVMValueRef function = LLVMAddFunction(m->llvm, name, LLVMFunctionType(type, parameters, 4, 0));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, function, "");
    LLVMBasicBlockRef again = LLVMAppendBasicBlockInContext(m->context, function, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(m->context, function, "");
    Parts parts;
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMPositionBuilderAtEnd(m->builder, entry);
    build_entry(m, function, type, &parts);
    LLVMBuildBr(m->builder, again);
    LLVMPositionBuilderAtEnd(m->builder, again);
    LLVMValueRef old = build_try(m, op, type, &parts, again, done);
    LLVMPositionBuilderAtEnd(m->builder, done);
    LLVMBuildRet(m->builder, old);
    return function;
}

LLVMValueRef widermw_function(Module *m, LLVMAtomicRMWBinOp op, LLVMTypeRef type)
{
    char name[64];
    if (op == LLVMAtomicRMWBinOpXchg || op > LLVMAtomicRMWBinOpUMin || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return NULL;
    snprintf(name, sizeof name, "sennit.rmw.%d.%u", (int)op, LLVMGetIntTypeWidth(type));
    LLVMValueRef known = LLVMGetNamedFunction(m->llvm, name);
    return known ? known : build_function(m, name, op, type);
}
