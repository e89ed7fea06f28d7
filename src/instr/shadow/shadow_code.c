/* shadow_code.c - see shadow_code.h */
#include "instr/shadow/shadow_code.h"

#include <stdio.h>
#include <string.h>

#include "instr/shadow/shadow_flow.h"
#include "rt/abi/shadow_hooks.h"

/* ---- Values -------------------------------------------------------------------- */

void shadow_halves(Shadow *s, LLVMValueRef value, LLVMValueRef halves[2])
{
    Module *m = s->m;
    LLVMTypeRef type = LLVMTypeOf(value);
    halves[1] = module_i64(m, 0);
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind) {
        halves[0] = LLVMBuildPtrToInt(m->builder, value, m->i64, "");
    } else if (shadow_width(type) <= 64) {
        halves[0] = LLVMBuildZExtOrBitCast(m->builder, value, m->i64, "");
    } else {
        LLVMTypeRef i128 = LLVMIntTypeInContext(m->context, 128);
        LLVMValueRef wide = LLVMBuildZExtOrBitCast(m->builder, value, i128, "");
        halves[0] = LLVMBuildTrunc(m->builder, wide, m->i64, "");
        halves[1] =
            LLVMBuildTrunc(m->builder, LLVMBuildLShr(m->builder, wide, LLVMConstInt(i128, 64, 0), ""), m->i64, "");
    }
}

LLVMValueRef shadow_field(Shadow *s, unsigned offset)
{
    Module *m = s->m;
    LLVMValueRef record = LLVMGetNamedGlobal(m->llvm, "sennit_rt_shadow_call");
    if (!record)
        record = LLVMAddGlobal(m->llvm, LLVMArrayType2(m->i8, sizeof(SennitShadowCall)), "sennit_rt_shadow_call");
    LLVMValueRef at = module_i64(m, offset);
    return LLVMConstGEP2(m->i8, record, &at, 1);
}

/* ---- Helpers --------------------------------------------------------------------- */

static void add_attribute(Module *m, LLVMValueRef function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind, 0));
}

static LLVMValueRef slow_function(Module *m, const ShadowHelper *helper, LLVMTypeRef type)
{
    char name[96];
    snprintf(name, sizeof name, "sennit_rt_shadow_%s", helper->slow);
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, name);
    if (!function) {
        function = LLVMAddFunction(m->llvm, name, type);
        add_attribute(m, function, "cold");
        add_attribute(m, function, "nounwind");
    }
    return function;
}

/* Is the entry of the map for the address not 0? */
static LLVMValueRef build_map_test(Module *m, LLVMValueRef pointer)
{
    LLVMValueRef map = LLVMGetNamedGlobal(m->llvm, "sennit_rt_shadow_map");
    LLVMTypeRef type = LLVMArrayType2(m->i8, SENNIT_SHADOW_MAP);
    if (!map)
        map = LLVMAddGlobal(m->llvm, type, "sennit_rt_shadow_map");
    LLVMValueRef address = LLVMBuildPtrToInt(m->builder, pointer, m->i64, "");
    LLVMValueRef grain = LLVMBuildLShr(m->builder, address, module_i64(m, SENNIT_SHADOW_GRAIN), "");
    LLVMValueRef index = LLVMBuildAnd(m->builder, grain, module_i64(m, SENNIT_SHADOW_MAP - 1), "");
    LLVMValueRef place = LLVMBuildGEP2(m->builder, m->i8, map, &index, 1, "");
    LLVMValueRef entry = LLVMBuildLoad2(m->builder, m->i8, place, "");
    return LLVMBuildICmp(m->builder, LLVMIntNE, entry, LLVMConstNull(m->i8), "");
}

static LLVMValueRef build_overflow_test(Module *m)
{
    LLVMValueRef flag = LLVMGetNamedGlobal(m->llvm, "sennit_rt_check_overflow");
    if (!flag)
        flag = LLVMAddGlobal(m->llvm, m->i8, "sennit_rt_check_overflow");
    LLVMValueRef value = LLVMBuildLoad2(m->builder, m->i8, flag, "");
    return LLVMBuildICmp(m->builder, LLVMIntNE, value, LLVMConstNull(m->i8), "");
}

static LLVMValueRef build_test(Module *m, LLVMValueRef function, const ShadowHelper *helper)
{
    LLVMValueRef any = NULL, test = NULL;
    if (helper->memory == SHADOW_OVERFLOW)
        return build_overflow_test(m);
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        if (!(helper->mask >> i & 1))
            continue;
        LLVMValueRef shadow = LLVMGetParam(function, i);
        any = any ? LLVMBuildOr(m->builder, any, shadow, "") : shadow;
    }
    if (any)
        test = LLVMBuildICmp(m->builder, LLVMIntNE, any, module_i32(m, 0), "");
    if (helper->memory < 0)
        return test;
    LLVMValueRef marked = build_map_test(m, LLVMGetParam(function, (unsigned)helper->memory));
    return test ? LLVMBuildOr(m->builder, test, marked, "") : marked;
}

/* The branch to the slow part is rare. */
static void set_weights(Module *m, LLVMValueRef branch)
{
    LLVMMetadataRef nodes[] = {LLVMMDStringInContext2(m->context, "branch_weights", 14),
                               LLVMValueAsMetadata(module_i32(m, 1)), LLVMValueAsMetadata(module_i32(m, 2000))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(m->context, nodes, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(m->context, "prof", 4), LLVMMetadataAsValue(m->context, node));
}

static void build_body(Module *m, LLVMValueRef function, const ShadowHelper *helper, LLVMTypeRef type)
{
    LLVMBuilderRef kept = m->builder;
    m->builder = LLVMCreateBuilderInContext(m->context);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(m->context, function, "");
    LLVMBasicBlockRef slow = LLVMAppendBasicBlockInContext(m->context, function, "");
    LLVMBasicBlockRef fast = LLVMAppendBasicBlockInContext(m->context, function, "");
    bool yields = LLVMGetTypeKind(helper->result) != LLVMVoidTypeKind;
    LLVMPositionBuilderAtEnd(m->builder, entry);
    set_weights(m, LLVMBuildCondBr(m->builder, build_test(m, function, helper), slow, fast));
    LLVMPositionBuilderAtEnd(m->builder, slow);
    LLVMValueRef args[16];
    LLVMGetParams(function, args);
    LLVMValueRef result =
        LLVMBuildCall2(m->builder, type, slow_function(m, helper, type), args, LLVMCountParams(function), "");
    yields ? LLVMBuildRet(m->builder, result) : LLVMBuildRetVoid(m->builder);
    LLVMPositionBuilderAtEnd(m->builder, fast);
    yields ? LLVMBuildRet(m->builder, LLVMConstNull(helper->result)) : LLVMBuildRetVoid(m->builder);
    LLVMDisposeBuilder(m->builder);
    m->builder = kept;
}

static LLVMValueRef helper_function(Module *m, const ShadowHelper *helper, LLVMTypeRef type)
{
    char name[96];
    snprintf(name, sizeof name, "sennit.shadow.%s.%x", helper->slow, helper->mask);
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, name);
    if (function)
        return function;
    function = LLVMAddFunction(m->llvm, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    add_attribute(m, function, "noinline"); /* in line it is most of the time to compile, and little faster */
    add_attribute(m, function, "nounwind");
    build_body(m, function, helper, type);
    return function;
}

LLVMValueRef shadow_call(Shadow *s, const ShadowHelper *helper, LLVMValueRef *args, unsigned count)
{
    Module *m = s->m;
    LLVMTypeRef types[16];
    bool needed = helper->memory != SHADOW_NO_MEMORY;
    for (unsigned i = 0; i < count; i++) {
        types[i] = LLVMTypeOf(args[i]);
        if (helper->mask >> i & 1)
            needed = needed || !shadow_is_none(args[i]);
    }
    if (!needed)
        return LLVMGetTypeKind(helper->result) == LLVMVoidTypeKind ? NULL : LLVMConstNull(helper->result);
    LLVMTypeRef type = LLVMFunctionType(helper->result, types, count, 0);
    return LLVMBuildCall2(m->builder, type, helper_function(m, helper, type), args, count, "");
}
