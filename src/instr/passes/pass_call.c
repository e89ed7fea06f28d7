/* pass_call.c - library calls are redirected to the runtime
 *
 * Only functions that the module declares and does not define are redirected, and with them their addresses. What is
 * called, not defined here and not known to be harmless is listed as opaque; functions that other modules define are
 * removed later.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/redirect.h"
#include "instr/module/site.h"
#include "instr/module/stub.h"
#include "instr/module/tracked.h"
#include "instr/module/unseen.h"
#include "instr/passes/passes.h"

/* ---- Attributes ----------------------------------------------------------- */

/* Attributes about memory and progress that no longer hold: hooks access memory and switch threads. Library headers
 * set them, e.g. for pthread_self and pthread_equal. */
static const char *const broken_promises[] = {"memory", "willreturn", "nosync", "nofree", "speculatable"};

static void strip_function(LLVMValueRef function)
{
    for (unsigned i = 0; i < sizeof broken_promises / sizeof *broken_promises; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(broken_promises[i], strlen(broken_promises[i]));
        LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    }
}

static void strip_call(LLVMValueRef call)
{
    for (unsigned i = 0; i < sizeof broken_promises / sizeof *broken_promises; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(broken_promises[i], strlen(broken_promises[i]));
        LLVMRemoveCallSiteEnumAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    }
}

/* ---- Redirection ---------------------------------------------------------- */

static bool is_intrinsic(LLVMValueRef function)
{
    return LLVMGetIntrinsicID(function) != 0;
}

static bool is_defined_elsewhere(LLVMValueRef function)
{
    return LLVMIsDeclaration(function) || LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage;
}

static void redirect(Module *m, LLVMValueRef function)
{
    char name[256];
    snprintf(name, sizeof name, "sennit_rt_%s", module_name_of(function));
    LLVMValueRef model = LLVMGetNamedFunction(m->llvm, name);
    if (!model)
        model = LLVMAddFunction(m->llvm, name, LLVMGlobalGetValueType(function));
    stub_add(m, module_name_of(function));
    LLVMReplaceAllUsesWith(function, model);
    LLVMDeleteFunction(function);
}

static void redirect_all(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (is_defined_elsewhere(f) && !is_intrinsic(f) && redirect_is_modelled(module_name_of(f)))
            redirect(m, f);
    }
}

/* An inline copy of a function that is defined elsewhere: the copy is always used, so that it does not depend on the
 * optimiser whether the instrumented body runs. */
static void adopt_inline_copies(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (LLVMGetLinkage(f) == LLVMAvailableExternallyLinkage)
            LLVMSetLinkage(f, LLVMInternalLinkage);
}

/* Exports the function, or the alias of one, under another name. */
static void offer(Module *m, LLVMValueRef function, const char *prefix)
{
    Text name = {0};
    text_add(&name, "%s%s", prefix, module_name_of(function));
    if (!LLVMGetNamedFunction(m->llvm, name.data) && !LLVMGetNamedGlobalAlias(m->llvm, name.data, name.length)) {
        LLVMValueRef target = LLVMIsAGlobalAlias(function) ? LLVMAliasGetAliasee(function) : function;
        LLVMValueRef alias = LLVMAddAlias2(m->llvm, LLVMGlobalGetValueType(function), 0, target, name.data);
        LLVMSetLinkage(alias, LLVMGetLinkage(function));
    }
    text_release(&name);
}

static void offer_by_name(Module *m, LLVMValueRef function)
{
    const char *name = module_name_of(function), *tracked = tracked_name(name);
    LLVMLinkage linkage = LLVMGetLinkage(function);
    bool is_modelled = redirect_is_modelled(name);
    if (linkage != LLVMExternalLinkage && linkage != LLVMWeakAnyLinkage)
        return;
    if (is_modelled)
        offer(m, function, "sennit_rt_");
    if (tracked && strcmp(tracked, name) == 0)
        offer(m, function, "sennit_tracked_");
    if (is_modelled)
        LLVMSetLinkage(function, LLVMInternalLinkage);
}

/* The program defines a function with the name of a modelled or tracked one: calls from other files, which were
 * redirected, must reach it too. The runtime's symbols are weak and come last. Other code must not reach it: the
 * runtime and the C library call malloc too, but never the program's. */
void pass_offer(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            offer_by_name(m, f);
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m->llvm); a; a = LLVMGetNextGlobalAlias(a))
        offer_by_name(m, a);
}

static bool is_opaque(LLVMValueRef function)
{
    const char *name = module_name_of(function);
    return LLVMIsDeclaration(function) && LLVMGetFirstUse(function) && !is_intrinsic(function) &&
           !name_begins(name, "sennit_") && !redirect_is_pure(name);
}

/* ---- Places --------------------------------------------------------------- */

/* Hooks get their source place as an argument; modelled functions read it from sennit_rt_site. Calls through pointers
 * may reach a modelled function too, and uninstrumented code may crash. */
static bool call_needs_site(LLVMValueRef call)
{
    LLVMValueRef target = LLVMGetCalledValue(call);
    if (LLVMIsAInlineAsm(target))
        return false;
    LLVMValueRef callee = LLVMIsAFunction(target);
    if (!callee)
        return true;
    const char *name = module_name_of(callee);
    if (name_begins(name, "sennit_rt_"))
        return redirect_is_modelled(name + 10);
    if (is_intrinsic(callee))
        return strstr(name, "trap") != NULL;
    return LLVMIsDeclaration(callee);
}

/* The place of a crash is the last one stored. */
static bool needs_site(LLVMValueRef instruction)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMCall: return call_needs_site(instruction);
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem: return !LLVMIsConstant(LLVMGetOperand(instruction, 1));
    default: return false;
    }
}

static bool is_intrinsic_call(LLVMValueRef call)
{
    LLVMValueRef callee = callee_of(call);
    return callee && is_intrinsic(callee);
}

/* Volatile: the optimiser does not know that a division or a trap makes the store observable. */
static void store_site(Module *m, LLVMValueRef instruction)
{
    LLVMValueRef store = hook_store_site(m, instruction);
    if (!LLVMIsACallInst(instruction) || is_intrinsic_call(instruction))
        LLVMSetVolatile(store, 1);
}

static void prepare_instructions(Module *m, LLVMValueRef function)
{
    ValueList list = module_instructions(function);
    for (uint32_t i = 0; i < list.count; i++) {
        LLVMValueRef instruction = list.items[i];
        if (LLVMIsACallInst(instruction) && !is_intrinsic_call(instruction))
            strip_call(instruction);
        if (needs_site(instruction))
            store_site(m, instruction);
        LLVMValueRef callee = callee_of(instruction);
        if (callee && is_opaque(callee) && !m->flags.library)
            unseen_mark(m, instruction, UNSEEN_CALL, module_name_of(callee));
    }
    VEC_FREE(&list);
}

/* ---- Opaque functions, and what the program may call ---------------------- */

static bool is_redirected(LLVMValueRef function)
{
    const char *name = module_name_of(function);
    return LLVMGetFirstUse(function) && name_begins(name, "sennit_rt_") && redirect_is_modelled(name + 10);
}

/* Lists the names of the functions that satisfy `lists` in a section, without their first `skip` characters. */
static void list_names(Module *m, bool (*lists)(LLVMValueRef), size_t skip, const char *section)
{
    Text names = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (lists(f))
            text_add_bytes(&names, module_name_of(f) + skip, strlen(module_name_of(f)) + 1 - skip);
    if (names.length)
        VEC_PUSH(&m->used, module_bytes(m, names.data, names.length, section));
    text_release(&names);
}

/* What a program's own modules use of the C library and of other code, for those who must know all of it: listed also
 * if it is nothing. */
static void list_own_names(Module *m)
{
    Text names = {0};
    text_add_bytes(&names, "", 1);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        size_t skip = is_redirected(f) ? strlen("sennit_rt_") : 0;
        if (skip || is_opaque(f))
            text_add_bytes(&names, module_name_of(f) + skip, strlen(module_name_of(f)) + 1 - skip);
    }
    VEC_PUSH(&m->used, module_bytes(m, names.data, names.length, "sennit_own"));
    text_release(&names);
}

/* Is the function used other than by calling it, or by asking whether a weak one exists? It may then be called from
 * anywhere. */
static bool has_address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAICmpInst(user))
            continue;
        if (callee_of(user) != function)
            return true;
        for (int i = 0; i < (int)LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, (unsigned)i) == function)
                return true;
    }
    return false;
}

void pass_taken(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (is_opaque(f) && has_address_taken(f))
            unseen_mark_always(m, UNSEEN_CALL, module_name_of(f));
}

/* Variables of the C library. */
static bool is_of_library(const char *name)
{
    static const char *const names[] = {
        "stdin", "stdout", "stderr", "environ", "__environ", "_environ", "optarg", "optind", "opterr", "optopt",
        "program_invocation_name", "program_invocation_short_name", "__progname", "__progname_full", "timezone",
        "__timezone", "daylight", "__daylight", "tzname", "__tzname", "signgam", "in6addr_any", "in6addr_loopback",
        "__libc_single_threaded", "__stack_chk_guard", "_dl_argv", "getdate_err", "h_errlist", "_ctype_", NULL};
    return name_is_one_of(name, names);
}

/* A variable that uninstrumented code may define: it is not restored between executions, others may access it, and what
 * it points to is unknown. Names that the linker defines begin with underscores. */
static bool is_opaque_variable(LLVMValueRef global)
{
    const char *name = module_name_of(global);
    return LLVMIsDeclaration(global) && LLVMGetFirstUse(global) && LLVMGetLinkage(global) == LLVMExternalLinkage &&
           !LLVMIsGlobalConstant(global) && !LLVMIsThreadLocal(global) && !name_begins(name, "llvm.") &&
           !name_begins(name, "sennit") && !name_begins(name, "__") && !is_of_library(name);
}

/* One that functions of the library change; streams, names and tables stay what they are. */
static bool is_changed_by_library(const char *name)
{
    static const char *const names[] = {"environ", "__environ", "_environ", "optarg", "optind", "opterr", "optopt",
                                        "timezone", "__timezone", "daylight", "__daylight", "tzname", "__tzname",
                                        "signgam", "getdate_err", NULL};
    return name_is_one_of(name, names);
}

static bool refers_to(LLVMValueRef value, LLVMValueRef global)
{
    return value == global || (LLVMIsAConstantExpr(value) && refers_to(LLVMGetOperand(value, 0), global));
}

static bool uses(LLVMValueRef instruction, LLVMValueRef global)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        if (refers_to(LLVMGetOperand(instruction, (unsigned)i), global))
            return true;
    return false;
}

/* The runtime is told of each use of the variable, whose accesses are not checked. */
static void tell_uses(Module *m, LLVMValueRef global)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++) {
            if (!uses(list.items[i], global) || LLVMIsAPHINode(list.items[i]))
                continue;
            LLVMValueRef args[] = {module_string(m, module_name_of(global)), site_of(m, list.items[i])};
            LLVMPositionBuilderBefore(m->builder, list.items[i]);
            LLVMSetCurrentDebugLocation2(m->builder, NULL);
            hook_call(m, m->void_type, "library_variable", args, 2);
        }
        VEC_FREE(&list);
    }
}

static void mark_variables(Module *m)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g; g = LLVMGetNextGlobal(g))
        if (is_opaque_variable(g))
            unseen_mark_always(m, UNSEEN_MEMORY, module_name_of(g));
        else if (LLVMIsDeclaration(g) && !m->flags.library && is_changed_by_library(module_name_of(g)))
            tell_uses(m, g);
}

/* ---- The pass ------------------------------------------------------------- */

void pass_call(Module *m)
{
    redirect_all(m);
    adopt_inline_copies(m);
    if (!m->flags.library)
        tracked_take_addresses(m);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        if (is_intrinsic(f))
            continue;
        strip_function(f);
        prepare_instructions(m, f);
    }
    if (!m->flags.library)
        mark_variables(m);
    list_names(m, is_opaque, 0, "sennit_opaque");
    list_names(m, is_redirected, strlen("sennit_rt_"), "sennit_redirected");
    if (!m->flags.library)
        list_own_names(m);
}
