/* pass_globals.c - tables of a module for the runtime: globals, functions, destructors
 *
 * Writable globals are restored between executions; the functions defined here are not opaque; destructors run at the
 * end of every execution. The tables are sections that the linker concatenates.
 */
#include <string.h>

#include "base/text.h"
#include "instr/module/callee.h"
#include "instr/module/layout.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"

/* ---- Globals -------------------------------------------------------------- */

static bool is_program_variable(LLVMValueRef global)
{
    const char *name = module_name_of(global);
    return !LLVMIsDeclaration(global) && !LLVMIsGlobalConstant(global) && !LLVMIsThreadLocal(global) &&
           !name_begins(name, "llvm.") && !name_begins(name, "sennit") &&
           LLVMGetLinkage(global) != LLVMAvailableExternallyLinkage;
}

/* One SennitGlobal of rt/abi/hooks.h. */
static LLVMValueRef describe(Module *m, LLVMValueRef global)
{
    const char *name = module_name_of(global);
    LLVMValueRef fields[] = {global,
                             module_i64(m, LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(global))),
                             module_string(m, name), site_of_global(m, global), layout_of_global(m, global),
                             module_i64(m, pass_guard_red_zone(m, global))};
    return LLVMConstStructInContext(m->context, fields, 6, 0);
}

/* Tables and strings, into which a symbolic address may point. */
static bool is_program_constant(LLVMValueRef global)
{
    const char *name = module_name_of(global), *section = LLVMGetSection(global);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMGlobalGetValueType(global));
    return !LLVMIsDeclaration(global) && LLVMIsGlobalConstant(global) && !name_begins(name, "llvm.") &&
           !name_begins(name, "sennit") && !(section && *section) &&
           LLVMGetLinkage(global) != LLVMAvailableExternallyLinkage &&
           (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind);
}

static void add_section(Module *m, const ValueList *records, const char *section)
{
    if (!records->count)
        return;
    LLVMValueRef array = LLVMConstArray2(LLVMTypeOf(records->items[0]), records->items, records->count);
    VEC_PUSH(&m->used, module_constant(m, array, section, 8));
}

static ValueList list_variables(Module *m, bool (*lists)(LLVMValueRef), const char *section)
{
    ValueList variables = {0}, records = {0};
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g; g = LLVMGetNextGlobal(g))
        if (lists(g))
            VEC_PUSH(&variables, g);
    for (uint32_t i = 0; i < variables.count; i++)
        VEC_PUSH(&records, describe(m, variables.items[i]));
    add_section(m, &records, section);
    VEC_FREE(&records);
    return variables;
}

/* ---- Functions ------------------------------------------------------------ */

static void add_name(Text *names, LLVMValueRef global)
{
    const char *name = module_name_of(global);
    if (!LLVMIsDeclaration(global) && LLVMGetLinkage(global) != LLVMInternalLinkage)
        text_add_bytes(names, name, strlen(name) + 1);
}

/* With the variables, whoever declares them. */
static void list_functions(Module *m)
{
    Text names = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        add_name(&names, f);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g; g = LLVMGetNextGlobal(g))
        if (!name_begins(module_name_of(g), "llvm.") && LLVMGetLinkage(g) != LLVMPrivateLinkage)
            add_name(&names, g);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m->llvm); a; a = LLVMGetNextGlobalAlias(a))
        add_name(&names, a);
    if (names.length)
        VEC_PUSH(&m->used, module_bytes(m, names.data, names.length, "sennit_defined"));
    text_release(&names);
}

/* ---- Destructors ---------------------------------------------------------- */

/* A SennitDestructor of rt/abi/hooks.h for each entry of llvm.global_dtors: priority, function, data. */
static void list_destructors(Module *m)
{
    LLVMValueRef list = LLVMGetNamedGlobal(m->llvm, "llvm.global_dtors"), all = list ? LLVMGetInitializer(list) : NULL;
    ValueList records = {0};
    for (int i = 0; all && i < LLVMGetNumOperands(all); i++) {
        LLVMValueRef one = LLVMGetOperand(all, (unsigned)i);
        LLVMValueRef fields[] = {LLVMGetOperand(one, 1),
                                 module_i64(m, LLVMConstIntGetZExtValue(LLVMGetOperand(one, 0)))};
        VEC_PUSH(&records, LLVMConstStructInContext(m->context, fields, 2, 0));
    }
    add_section(m, &records, "sennit_destructors");
    VEC_FREE(&records);
}

/* ---- The pass ------------------------------------------------------------- */

/* Adds to llvm.used, which may exist already. */
static void keep_used(Module *m)
{
    LLVMValueRef old = LLVMGetNamedGlobal(m->llvm, "llvm.used");
    if (old) {
        LLVMValueRef array = LLVMGetInitializer(old);
        for (int i = 0; i < LLVMGetNumOperands(array); i++)
            VEC_PUSH(&m->used, LLVMGetOperand(array, (unsigned)i));
        LLVMDeleteGlobal(old);
    }
    if (!m->used.count)
        return;
    LLVMValueRef array = LLVMConstArray2(m->ptr, m->used.items, m->used.count);
    LLVMValueRef list = LLVMAddGlobal(m->llvm, LLVMTypeOf(array), "llvm.used");
    LLVMSetInitializer(list, array);
    LLVMSetLinkage(list, LLVMAppendingLinkage);
    LLVMSetSection(list, "llvm.metadata");
}

ValueList pass_globals(Module *m)
{
    if (!m->flags.library)
        pass_guard_fence(m, is_program_variable);
    ValueList variables = list_variables(m, is_program_variable, "sennit_globals");
    ValueList constants = list_variables(m, is_program_constant, "sennit_constants");
    list_functions(m);
    list_destructors(m);
    keep_used(m);
    for (uint32_t i = 0; i < constants.count; i++)
        VEC_PUSH(&variables, constants.items[i]);
    VEC_FREE(&constants);
    return variables;
}
