/* tracked.c - see tracked.h */
#include "instr/module/tracked.h"

#include <string.h>

#include "base/text.h"
#include "instr/module/callee.h"

static const char *const names[][2] = {
#define TRACKED(result, name, ...) {#name, #name},
#define ALSO(other, name) {#other, #name},
#include "tracked/tracked.def"
};

const char *tracked_name(const char *name)
{
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i][0]) == 0)
            return names[i][1];
    return NULL;
}

LLVMValueRef tracked_declare(Module *m, const char *name, LLVMTypeRef type)
{
    Text full = {0};
    text_add(&full, "sennit_tracked_%s", tracked_name(name));
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, full.data);
    if (!function)
        function = LLVMAddFunction(m->llvm, full.data, type);
    text_release(&full);
    return function;
}

/* ---- Addresses ---------------------------------------------------------------------------- */

static bool is_called(LLVMUseRef use, LLVMValueRef function)
{
    LLVMValueRef user = LLVMGetUser(use);
    return LLVMIsACallInst(user) && LLVMGetOperandUse(user, (unsigned)LLVMGetNumOperands(user) - 1) == use &&
           LLVMGetCalledValue(user) == function;
}

static bool has_address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (!is_called(use, function))
            return true;
    return false;
}

/* Calls are not changed: which version they reach is decided where it is known whether there are inputs. */
static void take_address(Module *m, LLVMValueRef function, const char *name)
{
    ValueList calls = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (is_called(use, function))
            VEC_PUSH(&calls, LLVMGetUser(use));
    LLVMReplaceAllUsesWith(function, tracked_declare(m, name, LLVMGlobalGetValueType(function)));
    for (uint32_t i = 0; i < calls.count; i++)
        LLVMSetOperand(calls.items[i], (unsigned)LLVMGetNumOperands(calls.items[i]) - 1, function);
    VEC_FREE(&calls);
}

void tracked_take_addresses(Module *m)
{
    static const char model[] = "sennit_rt_";
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        const char *name = module_name_of(f);
        name += name_begins(name, model) ? sizeof model - 1 : 0;
        if (LLVMIsDeclaration(f) && tracked_name(name) && has_address_taken(f))
            take_address(m, f, name);
    }
}
