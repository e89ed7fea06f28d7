/* pass_versions.c - two versions of each function: plain, and tracked with shadows
 *
 * Whether a program has symbolic inputs is known only when it is linked, and it may consist of many modules. In a
 * module that is tracked, every function has two bodies, f.plain and f.tracked; calls within a module stay in one
 * version, and f itself, which other modules and pointers refer to, tests sennit_rt_tracking.
 *
 * f must not touch its arguments: a structure on the stack cannot be passed on by a tail call that names it, for it
 * already is where it has to be. So f is what LLVM calls a thunk, void f(...), whatever the function's type: the
 * registers that can hold arguments, and the whole stack, remain as the caller left them, on every machine (SHD-7).
 *
 * LLVM's C interface cannot copy a function, but it can copy a module and link the copy to the original; for that,
 * local symbols are exported under unique names for the time being.
 */
#include <llvm-c/Comdat.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <string.h>

#include "base/text.h"
#include "instr/module/callee.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"
#include "instr/shadow/shadow_closed.h"
#include "rt/abi/shadow_hooks.h"

/* ---- Local names --------------------------------------------------------------------- */

/* A local variable or function that is exported for the time being. */
typedef struct Exposed {
    LLVMValueRef global;
    LLVMLinkage linkage;
    const char *name;
} Exposed;
typedef VEC(Exposed) ExposedList;

static bool is_local(LLVMValueRef global)
{
    LLVMLinkage linkage = LLVMGetLinkage(global);
    return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static void expose(ExposedList *list, LLVMValueRef global)
{
    Text name = {0};
    size_t length;
    if (!is_local(global))
        return;
    const char *old = LLVMGetValueName2(global, &length);
    char *kept = mem_alloc(length + 1);
    memcpy(kept, old, length);
    VEC_PUSH(list, ((Exposed){global, LLVMGetLinkage(global), kept}));
    text_add(&name, "%s" SITE_LOCAL "%u", kept, list->count);
    LLVMSetValueName2(global, name.data, name.length);
    LLVMSetLinkage(global, LLVMExternalLinkage);
    text_release(&name);
}

static void expose_all(Module *m, ExposedList *list)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g; g = LLVMGetNextGlobal(g))
        expose(list, g);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            expose(list, f);
}

static void hide(LLVMValueRef global, const Exposed *entry, const char *suffix)
{
    Text name = {0};
    if (!global)
        return;
    text_add(&name, "%s%s", entry->name, suffix);
    LLVMSetValueName2(global, name.data, name.length);
    LLVMSetLinkage(global, entry->linkage);
    text_release(&name);
}

/* A function's name now belongs to the one that selects between its bodies. */
static void hide_all(Module *m, ExposedList *list)
{
    static const char *const suffixes[] = {"", ".plain", ".tracked"};
    for (uint32_t i = 0; i < list->count; i++) {
        Exposed *entry = &list->items[i];
        if (LLVMIsAGlobalVariable(entry->global))
            hide(entry->global, entry, "");
        for (unsigned k = 0; k < 3 && !LLVMIsAGlobalVariable(entry->global); k++) {
            Text name = {0};
            text_add(&name, "%s" SITE_LOCAL "%u%s", entry->name, i + 1, suffixes[k]);
            hide(LLVMGetNamedFunction(m->llvm, name.data), entry, suffixes[k]);
            text_release(&name);
        }
        free((void *)entry->name);
    }
    VEC_FREE(list);
}

/* ---- Functions --------------------------------------------------------------------------- */

static ValueList defined_functions(Module *m)
{
    ValueList list = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !name_begins(module_name_of(f), "sennit.shadow."))
            VEC_PUSH(&list, f);
    return list;
}

/* Which registers exist is a matter of the function: __attribute__((target("avx"))) makes some of them wider. */
static void copy_target(LLVMValueRef from, LLVMValueRef to)
{
    static const char *const keys[] = {"target-cpu", "target-features", "min-legal-vector-width",
                                       "prefer-vector-width", "use-soft-float"};
    for (unsigned k = 0; k < sizeof keys / sizeof *keys; k++) {
        LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(from, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                                   keys[k], (unsigned)strlen(keys[k]));
        if (attribute)
            LLVMAddAttributeAtIndex(to, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
    }
}

/* The type of the functions that select a version; calls keep the types of the functions they mean. */
static LLVMTypeRef thunk_type(const Module *m) { return LLVMFunctionType(m->void_type, NULL, 0, 1); }

static LLVMValueRef add_thunk(Module *m, LLVMValueRef body)
{
    static const char thunk[] = "thunk"; /* its type says nothing about its callers */
    LLVMValueRef face = LLVMAddFunction(m->llvm, "", thunk_type(m));
    LLVMAddAttributeAtIndex(face, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(m->context, thunk, sizeof thunk - 1, "", 0));
    copy_target(body, face);
    return face;
}

/* Renames the body; all uses except direct calls refer to a new function with the old name. Answers that one, without
 * a body. */
static LLVMValueRef part_with_name(Module *m, LLVMValueRef body, const char *suffix)
{
    Text name = {0};
    size_t length;
    const char *old = LLVMGetValueName2(body, &length);
    text_add_bytes(&name, old, length);
    LLVMLinkage linkage = LLVMGetLinkage(body);
    bool fixed = linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage;
    LLVMValueRef face = add_thunk(m, body);
    LLVMReplaceAllUsesWith(body, face);
    for (LLVMUseRef use = LLVMGetFirstUse(face), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (fixed && LLVMIsACallInst(user) && LLVMGetCalledValue(user) == face &&
            LLVMGetCalledFunctionType(user) == LLVMGlobalGetValueType(body))
            LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, body);
    }
    text_add_string(&name, suffix);
    LLVMSetValueName2(body, name.data, name.length);
    LLVMSetValueName2(face, name.data, length);
    text_release(&name);
    return face;
}

/* f: calls f.tracked if the program has symbolic inputs, else f.plain. */
static void build_face(Module *m, LLVMValueRef face, LLVMValueRef plain, LLVMValueRef tracked)
{
    LLVMValueRef flag = LLVMGetNamedGlobal(m->llvm, "sennit_rt_tracking");
    if (!flag)
        flag = LLVMAddGlobal(m->llvm, m->i8, "sennit_rt_tracking");
    LLVMSetLinkage(flag, LLVMWeakAnyLinkage); /* also without the runtime */
    LLVMSetInitializer(flag, LLVMConstNull(m->i8));
    LLVMSetLinkage(face, LLVMGetLinkage(plain));
    LLVMSetSection(face, SENNIT_TRACKED_SECTION);
    LLVMSetVisibility(face, LLVMGetVisibility(plain));
    LLVMPositionBuilderAtEnd(m->builder, LLVMAppendBasicBlockInContext(m->context, face, ""));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    LLVMValueRef off = LLVMBuildIsNull(m->builder, LLVMBuildLoad2(m->builder, m->i8, flag, ""), "");
    /* A call that names its target would be removed if that only computes a result. */
    LLVMValueRef target = LLVMBuildSelect(m->builder, off, plain, tracked, "");
    LLVMValueRef call = LLVMBuildCall2(m->builder, thunk_type(m), target, NULL, 0, "");
    LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
    LLVMBuildRetVoid(m->builder);
}

/* ---- The copy ------------------------------------------------------------------------------- */

/* Globals that the original defines are only declared in the copy. */
static void empty_copy(Module *copy)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(copy->llvm), next; g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (LLVMGetLinkage(g) == LLVMAppendingLinkage || name_begins(module_name_of(g), "llvm.")) {
            LLVMDeleteGlobal(g);
        } else if (!LLVMIsDeclaration(g)) {
            LLVMSetInitializer(g, NULL);
            LLVMSetLinkage(g, LLVMExternalLinkage);
            LLVMSetComdat(g, NULL);
        }
    }
    LLVMSetModuleInlineAsm2(copy->llvm, "", 0);
}

static void track_copy(Module *copy)
{
    shadow_find_closed(copy);
    empty_copy(copy);
    ValueList functions = defined_functions(copy);
    pass_shadow(copy);
    for (uint32_t i = 0; i < functions.count; i++) {
        part_with_name(copy, functions.items[i], ".tracked");
        LLVMSetLinkage(functions.items[i], LLVMExternalLinkage);
        LLVMSetComdat(functions.items[i], NULL);
    }
    VEC_FREE(&functions);
}

static void split_original(Module *m)
{
    ValueList functions = defined_functions(m);
    for (uint32_t i = 0; i < functions.count; i++) {
        LLVMValueRef plain = functions.items[i], face = part_with_name(m, plain, ".plain");
        Text name = {0};
        text_add(&name, "%s.tracked", module_name_of(face));
        LLVMValueRef tracked = LLVMAddFunction(m->llvm, name.data, LLVMGlobalGetValueType(plain));
        text_release(&name);
        build_face(m, face, plain, tracked);
        LLVMSetLinkage(plain, LLVMInternalLinkage);
        LLVMSetVisibility(plain, LLVMDefaultVisibility);
    }
    VEC_FREE(&functions);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t length = strlen(text), tail = strlen(ending);
    return length >= tail && strcmp(text + length - tail, ending) == 0;
}

static void hide_tracked(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && ends_with(module_name_of(f), ".tracked")) {
            LLVMSetVisibility(f, LLVMDefaultVisibility);
            LLVMSetLinkage(f, LLVMInternalLinkage);
        }
}

/* ---- The pass ---------------------------------------------------------------------------------- */

/* Functions with address-taken labels, aliases, and functions that get arguments in other registers than C's cannot be
 * doubled. */
static bool cannot_be_doubled(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && LLVMGetFunctionCallConv(f) != LLVMCCallConv)
            return true;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            if (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b)) == LLVMIndirectBr)
                return true;
    }
    return LLVMGetFirstGlobalIFunc(m->llvm) || LLVMGetFirstGlobalAlias(m->llvm);
}

/* A single, tracked version; also for the library's code, which is called only from tracked code and through
 * pointers. */
static void track_all(Module *m)
{
    ValueList functions = defined_functions(m);
    pass_shadow(m);
    for (uint32_t i = 0; i < functions.count; i++)
        LLVMSetSection(functions.items[i], SENNIT_TRACKED_SECTION);
    VEC_FREE(&functions);
}

bool pass_versions(Module *m, Error *error)
{
    ExposedList locals = {0};
    if (m->flags.library || cannot_be_doubled(m)) {
        track_all(m);
        return true;
    }
    expose_all(m, &locals);
    Module copy = *m;
    copy.llvm = LLVMCloneModule(m->llvm);
    copy.layout = LLVMGetModuleDataLayout(copy.llvm);
    copy.sites = site_table_create();
    copy.private_roots = copy.closed = (Map){0};
    track_copy(&copy);
    split_original(m);
    site_table_destroy(copy.sites);
    map_release(&copy.private_roots);
    map_release(&copy.closed);
    if (LLVMLinkModules2(m->llvm, copy.llvm))
        return error_set(error, EXIT_INTERNAL, "the two versions of a module cannot be linked");
    hide_tracked(m);
    hide_all(m, &locals);
    return true;
}

/* ---- Generating code ------------------------------------------------------------------------------ */

static unsigned kind_of(const char *attribute)
{
    return LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
}

static bool has(LLVMValueRef function, const char *attribute)
{
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind_of(attribute));
}

static void add(Module *m, LLVMValueRef function, const char *attribute)
{
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(m->context, kind_of(attribute), 0));
}

static void take_away(LLVMValueRef function, const char *attribute)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind_of(attribute));
}

/* Those that have to be in line are left alone; that others should be small is forgotten: LLVM does not allow it. */
void pass_versions_cheap(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        const char *name = module_name_of(f);
        bool version = ends_with(name, ".tracked") || ends_with(name, ".plain");
        if (LLVMIsDeclaration(f) || has(f, "alwaysinline") || !version)
            continue;
        take_away(f, "optsize");
        take_away(f, "minsize");
        add(m, f, "noinline");
        add(m, f, "optnone");
    }
}
