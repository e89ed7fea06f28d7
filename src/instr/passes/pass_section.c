/* pass_section.c - functions whose whole body is an atomic section */
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"

static bool is_atomic_function(LLVMValueRef function)
{
    static const char prefix[] = "__VERIFIER_atomic_";
    const char *name = module_name_of(function);
    if (LLVMIsDeclaration(function) || !name_begins(name, prefix))
        return false;
    const char *rest = name + sizeof prefix - 1;
    return strcmp(rest, "begin") != 0 && strcmp(rest, "end") != 0;
}

static void enclose(Module *m, LLVMValueRef function)
{
    ValueList list = module_instructions(function);
    /* The section begins after the local variables, which must come first. */
    LLVMPositionBuilderBefore(m->builder, module_first_action(function));
    LLVMValueRef start = site_of_function(m, function);
    hook_call(m, m->void_type, "atomic_section_begin", &start, 1);
    for (uint32_t i = 0; i < list.count; i++) {
        if (LLVMGetInstructionOpcode(list.items[i]) != LLVMRet)
            continue;
        LLVMPositionBuilderBefore(m->builder, list.items[i]);
        LLVMValueRef site = site_of(m, list.items[i]);
        hook_call(m, m->void_type, "atomic_section_end", &site, 1);
    }
    VEC_FREE(&list);
}

void pass_section(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (is_atomic_function(f))
            enclose(m, f);
}
