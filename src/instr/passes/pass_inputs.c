/* pass_inputs.c - does the module request symbolic inputs, and which flags was it compiled with? */
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "instr/abi/carried_record.h"
#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/passes/passes.h"

/* Functions whose result, or the memory they fill, is a symbolic input. */
static bool asks_for_input(const char *name)
{
    static const char *const names[] = {
#define NAMED(type, function, bits, is_signed) #function,
#define UNNAMED(type, function, name, bits, is_signed) #function,
#define POINTER(function, name) #function,
#include "rt/abi/inputs.def"
        "sennit_bytes", "sennit_float", "sennit_double"};
    if (name_begins(name, "sennit_rt_"))
        name += strlen("sennit_rt_");
    if (name_begins(name, "__VERIFIER_nondet_") || name_begins(name, "klee_"))
        return true;
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool module_asks(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && asks_for_input(module_name_of(f)))
            return true;
    return false;
}

/* An unknown input function may be defined by another module. If it is not, a call of it is reported with its place,
 * which the linker would not do. */
void pass_unknown_inputs(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) || !LLVMGetFirstUse(f) || !name_begins(module_name_of(f), "__VERIFIER_nondet_"))
            continue;
        LLVMValueRef name = module_string(m, module_name_of(f));
        LLVMSetLinkage(f, LLVMWeakAnyLinkage);
        LLVMSetSubprogram(f, NULL); /* with -O it describes a declaration */
        LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->context, f, ""));
        LLVMSetCurrentDebugLocation2(m->builder, NULL);
        hook_call(m, m->void_type, "unknown_input", &name, 1);
        LLVMBuildUnreachable(m->builder);
    }
}

/* The runtime refuses options that need a flag which no module was compiled with. */
static void list_flag(Module *m, bool is_set, const char *name)
{
    if (is_set)
        VEC_PUSH(&m->used, module_bytes(m, name, strlen(name) + 1, "sennit_flags"));
}

void pass_inputs(Module *m)
{
    list_flag(m, m->flags.unroll, "unroll");
    list_flag(m, m->flags.scope, "scope");
    bool asks = m->flags.inputs || m->makes_inputs || module_asks(m);
    if (asks)
        VEC_PUSH(&m->used, module_bytes(m, "", 1, "sennit_inputs"));
    m->is_plain = m->flags.plain || !(asks || m->flags.tracked || m->flags.library);
    if (m->is_plain)
        VEC_PUSH(&m->used, module_bytes(m, "", 1, CARRIED_PLAIN_SECTION));
}
