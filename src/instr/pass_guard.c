/* pass_guard.c - gaps behind arrays, so that a wrong index or length is seen (rt/guard.h)
 *
 * Arrays, and structures that have some, get bytes behind them that belong to nobody: globals
 * for ever, local variables whose address leaves the function while it runs. Private ones
 * need none: their indices are checked where they are used (pass_memory.c). This pass is the last, so
 * that nobody takes a gap for a part of the object.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "instr/hook.h"
#include "instr/passes.h"
#include "instr/private.h"

enum { LEAST = 32, MOST = 2048 };

static bool has_array(LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
        return true;
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return false;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (has_array(LLVMStructGetTypeAtIndex(type, i)))
            return true;
    return false;
}

/* The larger the object, the further a wrong index may lead. Ends where 8 bytes do. */
static uint64_t gap_behind(uint64_t size)
{
    uint64_t gap = size / 4 < LEAST ? LEAST : size / 4 > MOST ? MOST : size / 4 & ~7ull;
    return gap + (8 - size % 8) % 8;
}

static LLVMTypeRef with_gap(Module *m, LLVMTypeRef type, uint64_t gap)
{
    LLVMTypeRef fields[] = {type, LLVMArrayType2(m->i8, gap)};
    return LLVMStructTypeInContext(m->context, fields, 2, 0);
}

/* ---- Globals ---------------------------------------------------------------------- */

uint64_t guard_gap_of_global(const Module *m, LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMLinkage linkage = LLVMGetLinkage(global);
    const char *section = LLVMGetSection(global);
    bool ours = linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage;
    return ours && !(section && *section) && !LLVMIsExternallyInitialized(global) && has_array(type) && LLVMABISizeOfType(m->layout, type)
               ? gap_behind(LLVMABISizeOfType(m->layout, type))
               : 0;
}

static void copy_metadata(LLVMValueRef to, LLVMValueRef from)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
    for (unsigned i = 0; i < count; i++)
        LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i), LLVMValueMetadataEntriesGetMetadata(entries, i));
    LLVMDisposeValueMetadataEntries(entries);
}

static void guard_global(Module *m, LLVMValueRef global, uint64_t gap)
{
    LLVMTypeRef type = with_gap(m, LLVMGlobalGetValueType(global), gap);
    LLVMValueRef values[] = {LLVMGetInitializer(global), LLVMConstNull(LLVMArrayType2(m->i8, gap))};
    LLVMValueRef larger = LLVMAddGlobal(m->llvm, type, "");
    unsigned alignment = LLVMGetAlignment(global);
    if (!alignment)
        alignment = LLVMPreferredAlignmentOfGlobal(m->layout, global);
    LLVMSetInitializer(larger, LLVMConstStructInContext(m->context, values, 2, 0));
    LLVMSetAlignment(larger, alignment < 8 ? 8 : alignment);
    LLVMSetLinkage(larger, LLVMGetLinkage(global));
    LLVMSetVisibility(larger, LLVMGetVisibility(global));
    copy_metadata(larger, global);
    LLVMReplaceAllUsesWith(global, larger);
    size_t length;
    const char *name = LLVMGetValueName2(global, &length);
    char *kept = mem_alloc(length + 1);
    memcpy(kept, name, length + 1);
    LLVMDeleteGlobal(global);
    LLVMSetValueName2(larger, kept, length);
    free(kept);
}

static void guard_globals(Module *m, const ValueList *listed)
{
    for (uint32_t i = 0; i < listed->count; i++) {
        uint64_t gap = guard_gap_of_global(m, listed->items[i]);
        if (gap)
            guard_global(m, listed->items[i], gap);
    }
}

/* ---- Local variables --------------------------------------------------------------------- */

static bool is_guarded(LLVMValueRef i)
{
    return LLVMIsAAllocaInst(i) && LLVMGetInstructionParent(i) == LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(LLVMGetInstructionParent(i))) &&
           LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 0)) == 1 &&
           has_array(LLVMGetAllocatedType(i)) && !private_pointer(NULL, i);
}

/* Marks of a variable's lifetime speak of its old size. */
static void drop_lifetimes(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use), callee = LLVMIsACallInst(user) ? LLVMIsAFunction(LLVMGetCalledValue(user)) : NULL;
        next = LLVMGetNextUse(use);
        if (callee && strncmp(module_name_of(callee), "llvm.lifetime.", 14) == 0)
            LLVMInstructionEraseFromParent(user);
    }
}

static LLVMValueRef guard_variable(Module *m, LLVMValueRef variable)
{
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(variable)), gap = gap_behind(size);
    const char *name = module_name_of(variable);
    LLVMValueRef label = module_string(m, *name ? name : "local variable");
    drop_lifetimes(variable);
    LLVMPositionBuilderBefore(m->builder, variable);
    LLVMValueRef larger = LLVMBuildAlloca(m->builder, with_gap(m, LLVMGetAllocatedType(variable), gap), name);
    LLVMSetAlignment(larger, LLVMGetAlignment(variable) < 8 ? 8 : LLVMGetAlignment(variable));
    LLVMReplaceAllUsesWith(variable, larger);
    LLVMValueRef at = LLVMGetNextInstruction(variable);
    while (LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    LLVMInstructionEraseFromParent(variable);
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
    LLVMValueRef args[] = {larger, module_i64(m, size), module_i64(m, gap), label};
    hook_call(m, m->void_type, "guard", args, 4);
    return larger;
}

static void guard_function(Module *m, LLVMValueRef function)
{
    ValueList list = module_instructions(function);
    LLVMValueRef variable = NULL;
    uint64_t count = 0;
    for (uint32_t i = 0; i < list.count; i++)
        if (is_guarded(list.items[i])) {
            variable = guard_variable(m, list.items[i]);
            count++;
        } else if (count && LLVMIsAReturnInst(list.items[i])) {
            LLVMPositionBuilderBefore(m->builder, list.items[i]);
            LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(list.items[i]));
            LLVMValueRef args[] = {variable, module_i64(m, count)};
            hook_call(m, m->void_type, "unguard", args, 2);
        }
    VEC_FREE(&list);
}

/* ---- The pass ----------------------------------------------------------------------------- */

void pass_guard(Module *m, const ValueList *globals)
{
    guard_globals(m, globals);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        guard_function(m, f);
}
