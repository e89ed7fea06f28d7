/* pass_guard.c - red zones, so that a wrong index or length is detected (rt/memory/redzone.h)
 *
 * Globals get inaccessible bytes behind them, permanently: of every type, since what lies behind one is in front of
 * another. So do local arrays, and structures that contain some, whose address escapes, while their function runs.
 * Private ones need none: their indices are checked where they are
 * used (pass_memory.c). This pass is the last, so that no other pass takes a red zone for a part of the object.
 * Functions with arrays also say how much of the stack their variables take in the program itself.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"

enum { LEAST = 32, MOST = 2048, LARGE_FRAME = 4096, ALIGNMENT = 16 };

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

/* Larger objects get larger red zones. Object and red zone together end where most others may begin, so that there is
 * no gap between. */
static uint64_t red_zone_of(uint64_t size)
{
    uint64_t zone = size / 4 < LEAST ? LEAST : size / 4 > MOST ? MOST : size / 4;
    return zone + (ALIGNMENT - (size + zone) % ALIGNMENT) % ALIGNMENT;
}

static LLVMTypeRef with_red_zone(Module *m, LLVMTypeRef type, uint64_t zone)
{
    LLVMTypeRef fields[] = {type, LLVMArrayType2(m->i8, zone)};
    return LLVMStructTypeInContext(m->context, fields, 2, 0);
}

/* ---- Globals ---------------------------------------------------------------------- */

uint64_t pass_guard_red_zone(const Module *m, LLVMValueRef global)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(global);
    LLVMLinkage linkage = LLVMGetLinkage(global);
    const char *section = LLVMGetSection(global);
    bool ours = linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    return ours && !m->flags.library && !(section && *section) && !LLVMIsExternallyInitialized(global) &&
                   LLVMABISizeOfType(m->layout, type)
               ? red_zone_of(LLVMABISizeOfType(m->layout, type))
               : 0;
}

static void copy_metadata(LLVMValueRef to, LLVMValueRef from)
{
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(from, &count);
    for (unsigned i = 0; i < count; i++)
        LLVMGlobalSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, i),
                              LLVMValueMetadataEntriesGetMetadata(entries, i));
    LLVMDisposeValueMetadataEntries(entries);
}

static void guard_global(Module *m, LLVMValueRef global, uint64_t zone)
{
    LLVMTypeRef type = with_red_zone(m, LLVMGlobalGetValueType(global), zone);
    LLVMValueRef values[] = {LLVMGetInitializer(global), LLVMConstNull(LLVMArrayType2(m->i8, zone))};
    LLVMValueRef larger = LLVMAddGlobal(m->llvm, type, "");
    unsigned alignment = LLVMGetAlignment(global);
    if (!alignment)
        alignment = LLVMPreferredAlignmentOfGlobal(m->layout, global);
    LLVMSetInitializer(larger, LLVMConstStructInContext(m->context, values, 2, 0));
    LLVMSetAlignment(larger, alignment < ALIGNMENT ? ALIGNMENT : alignment);
    LLVMSetGlobalConstant(larger, LLVMIsGlobalConstant(global));
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

/* Globals are emitted in their order, but those that are zero in a section of their own. */
void pass_guard_fence(Module *m, bool (*counts)(LLVMValueRef global))
{
    bool needed[2] = {false, false};
    for (LLVMValueRef g = LLVMGetFirstGlobal(m->llvm); g; g = LLVMGetNextGlobal(g))
        if (counts(g) && pass_guard_red_zone(m, g))
            needed[!LLVMIsNull(LLVMGetInitializer(g))] = true;
    for (unsigned value = 0; value < 2; value++) {
        if (!needed[value])
            continue;
        LLVMValueRef fence = LLVMAddGlobal(m->llvm, m->i64, "");
        LLVMSetInitializer(fence, module_i64(m, value));
        LLVMSetLinkage(fence, LLVMInternalLinkage);
        LLVMSetAlignment(fence, ALIGNMENT);
    }
}

/* A fence has no name. */
static bool is_fence(LLVMValueRef global)
{
    return LLVMGetLinkage(global) == LLVMInternalLinkage && !*module_name_of(global);
}

/* Those guarded are emitted in the order in which that is done: fences come first. */
static void guard_globals(Module *m, const ValueList *listed)
{
    for (unsigned fences = 2; fences-- > 0;)
        for (uint32_t i = 0; i < listed->count; i++) {
            uint64_t zone = is_fence(listed->items[i]) == fences ? pass_guard_red_zone(m, listed->items[i]) : 0;
            if (zone)
                guard_global(m, listed->items[i], zone);
        }
}

/* ---- Local variables --------------------------------------------------------------------- */

static bool is_single(LLVMValueRef variable)
{
    LLVMValueRef count = LLVMGetOperand(variable, 0);
    return LLVMIsAConstantInt(count) && LLVMConstIntGetZExtValue(count) == 1;
}

/* Arrays of variable length are allocated with a count of elements. */
static bool is_guarded(LLVMValueRef i)
{
    return LLVMIsAAllocaInst(i) &&
           (!is_single(i) || (has_array(LLVMGetAllocatedType(i)) && !private_pointer(NULL, i)));
}

/* Lifetime markers of the variable have its old size. */
static void drop_lifetimes(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (name_begins(callee_name(user), "llvm.lifetime."))
            LLVMInstructionEraseFromParent(user);
    }
}

/* The variable with its red zone; *zone and *size are their sizes in bytes. */
static LLVMValueRef build_larger(Module *m, LLVMValueRef variable, LLVMValueRef *size, LLVMValueRef *zone)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    uint64_t element = LLVMABISizeOfType(m->layout, type), behind = red_zone_of(element);
    *size = module_i64(m, element);
    if (is_single(variable)) {
        *zone = module_i64(m, behind);
        return LLVMBuildAlloca(m->builder, with_red_zone(m, type, behind), module_name_of(variable));
    }
    LLVMValueRef count = LLVMBuildIntCast2(m->builder, LLVMGetOperand(variable, 0), m->i64, 0, "");
    uint64_t more = element ? (LEAST + element - 1) / element : 0;
    *zone = module_i64(m, more * element);
    *size = LLVMBuildMul(m->builder, count, *size, "");
    return LLVMBuildArrayAlloca(m->builder, type, LLVMBuildAdd(m->builder, count, module_i64(m, more), ""),
                                module_name_of(variable));
}

static void guard_variable(Module *m, LLVMValueRef variable)
{
    LLVMValueRef size, zone;
    const char *name = module_name_of(variable);
    LLVMValueRef label = module_string(m, *name ? name : "local variable");
    LLVMValueRef site = is_single(variable) ? NULL : site_of(m, variable);
    drop_lifetimes(variable);
    LLVMPositionBuilderBefore(m->builder, variable);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(variable));
    LLVMValueRef larger = build_larger(m, variable, &size, &zone);
    LLVMSetAlignment(larger, LLVMGetAlignment(variable) < 8 ? 8 : LLVMGetAlignment(variable));
    LLVMReplaceAllUsesWith(variable, larger);
    LLVMValueRef at = module_after_variables(LLVMGetNextInstruction(variable));
    LLVMInstructionEraseFromParent(variable);
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
    if (site)
        hook_call(m, m->void_type, "guard_claim", (LLVMValueRef[]){larger, size, site}, 3);
    LLVMValueRef args[] = {larger, size, zone, label};
    hook_call(m, m->void_type, "guard", args, 4);
}

/* ---- Large frames ------------------------------------------------------------------------- */

static bool is_optimised(LLVMValueRef function)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("optnone", 7);
    return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind) == NULL;
}

/* What the variables of fixed size take at least. Optimised code may give variables of different scopes the same
 * place. */
static uint64_t least_frame(Module *m, const ValueList *instructions, bool optimised)
{
    uint64_t sum = 0, most = 0;
    for (uint32_t i = 0; i < instructions->count; i++) {
        LLVMValueRef variable = instructions->items[i];
        if (!LLVMIsAAllocaInst(variable) || !is_single(variable) || !LLVMGetFirstUse(variable))
            continue;
        uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(variable));
        sum += size;
        most = size > most ? size : most;
    }
    return optimised ? most : sum;
}

/* ---- Functions ---------------------------------------------------------------------------- */

/* The first place in a function's code that is known. */
static LLVMValueRef first_place(LLVMValueRef instruction)
{
    for (LLVMValueRef i = instruction; i; i = LLVMGetNextInstruction(i))
        if (!LLVMIsAAllocaInst(i) && LLVMInstructionGetDebugLoc(i))
            return i;
    return instruction;
}

/* Before the first guard: remembers the guards of the callers. */
static LLVMValueRef build_enter(Module *m, LLVMValueRef function, uint64_t frame)
{
    LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)), place = first_place(at);
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(place));
    return hook_call(m, m->i64, "guard_enter", (LLVMValueRef[]){module_i64(m, frame), site_of(m, place)}, 2);
}

static bool is_restore(LLVMValueRef i)
{
    return name_begins(callee_name(i), "llvm.stackrestore");
}

static void guard_ends(Module *m, LLVMValueRef i, LLVMValueRef number)
{
    LLVMPositionBuilderBefore(m->builder, i);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(i));
    if (LLVMIsAReturnInst(i))
        hook_call(m, m->void_type, "guard_leave", &number, 1);
    else
        hook_call(m, m->void_type, "guard_cut", (LLVMValueRef[]){LLVMGetOperand(i, 0)}, 1);
}

static void guard_function(Module *m, LLVMValueRef function)
{
    ValueList list = module_instructions(function), variables = {0}, ends = {0};
    for (uint32_t i = 0; i < list.count; i++)
        if (is_guarded(list.items[i]))
            VEC_PUSH(&variables, list.items[i]);
        else if (LLVMIsAReturnInst(list.items[i]) || is_restore(list.items[i]))
            VEC_PUSH(&ends, list.items[i]);
    uint64_t frame = least_frame(m, &list, is_optimised(function));
    LLVMValueRef number = variables.count || frame >= LARGE_FRAME ? build_enter(m, function, frame) : NULL;
    for (uint32_t i = 0; i < variables.count; i++)
        guard_variable(m, variables.items[i]);
    for (uint32_t i = 0; i < ends.count && number; i++)
        guard_ends(m, ends.items[i], number);
    VEC_FREE(&list);
    VEC_FREE(&variables);
    VEC_FREE(&ends);
}

/* ---- The pass ----------------------------------------------------------------------------- */

void pass_guard(Module *m, const ValueList *globals)
{
    guard_globals(m, globals);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        guard_function(m, f);
}
