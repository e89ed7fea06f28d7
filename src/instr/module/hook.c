/* hook.c - see hook.h */
#include "instr/module/hook.h"

#include <assert.h>
#include <stdio.h>

#include "instr/module/callee.h"
#include "instr/module/site.h"

enum { MAX_ARGS = 12 };

static const char prefix_of_runtime[] = "sennit_rt_";

LLVMValueRef hook_call(Module *m, LLVMTypeRef result, const char *name, LLVMValueRef *args, unsigned count)
{
    assert(count <= MAX_ARGS);
    LLVMTypeRef types[MAX_ARGS];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, 0);
    char full[96];
    snprintf(full, sizeof full, "%s%s", prefix_of_runtime, name);
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, full);
    if (!function)
        function = LLVMAddFunction(m->llvm, full, type);
    return LLVMBuildCall2(m->builder, type, function, args, count, "");
}

bool hook_is(LLVMValueRef instruction, const char *prefix)
{
    const char *name = callee_name(instruction);
    size_t skip = sizeof prefix_of_runtime - 1;
    return name_begins(name, prefix_of_runtime) && name_begins(name + skip, prefix);
}

LLVMValueRef hook_store_site(Module *m, LLVMValueRef instruction)
{
    LLVMValueRef variable = LLVMGetNamedGlobal(m->llvm, "sennit_rt_site");
    if (!variable)
        variable = LLVMAddGlobal(m->llvm, m->ptr, "sennit_rt_site");
    LLVMPositionBuilderBefore(m->builder, instruction);
    return LLVMBuildStore(m->builder, site_of(m, instruction), variable);
}

LLVMValueRef hook_order(Module *m, LLVMAtomicOrdering ordering)
{
    if (ordering != LLVMAtomicOrderingSequentiallyConsistent)
        module_mark(m, "sennit_weak_orders");
    switch (ordering) {
    case LLVMAtomicOrderingAcquire: return module_i32(m, 2);
    case LLVMAtomicOrderingRelease: return module_i32(m, 3);
    case LLVMAtomicOrderingAcquireRelease: return module_i32(m, 4);
    case LLVMAtomicOrderingSequentiallyConsistent: return module_i32(m, 5);
    default: return module_i32(m, 0);
    }
}
