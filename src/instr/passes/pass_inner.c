/* pass_inner.c - local variables that end before their function does (--check=scope)
 *
 * Clang marks where the lifetime of a variable begins and ends. A variable whose address escapes gets a new heap
 * block (scope.h) at each beginning, which is freed at the end; a register holds the current block. Arrays of
 * variable length begin where they are allocated and end where the stack is restored.
 *
 * If only the return follows the end, the block is freed at the return: so the variables of main, which live as long
 * as the program, and those of its inner blocks are treated in the same way.
 */
#include <llvm-c/DebugInfo.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"
#include "instr/passes/scope.h"

static bool calls(LLVMValueRef i, const char *prefix)
{
    return name_begins(callee_name(i), prefix);
}

static bool begins(LLVMValueRef i) { return calls(i, "llvm.lifetime.start"); }
static bool ends(LLVMValueRef i) { return calls(i, "llvm.lifetime.end"); }
static LLVMValueRef variable_of(LLVMValueRef marker) { return LLVMGetOperand(marker, 1); }

static bool has_variable_length(LLVMValueRef i)
{
    return LLVMIsAAllocaInst(i) && !LLVMIsAConstantInt(LLVMGetOperand(i, 0));
}

/* ---- Where the end of a lifetime can be observed -------------------------------------------------------- */

static bool is_among(const ValueList *list, LLVMValueRef value)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i] == value)
            return true;
    return false;
}

static void add(ValueList *list, LLVMValueRef value)
{
    if (!is_among(list, value))
        VEC_PUSH(list, value);
}

/* Does it commute with the end of another variable's lifetime? */
static bool is_idle(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMBr:
    case LLVMSwitch:
        return true;
    case LLVMLoad:
        return !LLVMGetVolatile(i) && private_pointer(NULL, LLVMGetOperand(i, 0));
    case LLVMCall:
        return begins(i) || ends(i) || calls(i, "llvm.dbg.") || calls(i, "llvm.stackrestore");
    default:
        return false;
    }
}

/* The first instructions after `end` that are not idle, on every path that does not just return. If the variable
 * begins again, it has to end before. */
static ValueList places_behind(LLVMValueRef end, LLVMValueRef variable)
{
    ValueList places = {0}, starts = {0};
    VEC_PUSH(&starts, LLVMGetNextInstruction(end));
    for (uint32_t s = 0; s < starts.count; s++) {
        LLVMValueRef i = starts.items[s];
        while (is_idle(i) && !LLVMIsATerminatorInst(i) && !(begins(i) && variable_of(i) == variable))
            i = LLVMGetNextInstruction(i);
        if (LLVMIsAReturnInst(i) || LLVMIsAUnreachableInst(i))
            continue;
        if (!LLVMIsATerminatorInst(i) || !is_idle(i)) {
            add(&places, i);
            continue;
        }
        for (unsigned n = 0; n < LLVMGetNumSuccessors(i); n++)
            add(&starts, LLVMGetFirstInstruction(LLVMGetSuccessor(i, n)));
    }
    VEC_FREE(&starts);
    return places;
}

/* ---- Variables of inner blocks ------------------------------------------------------------ */

static void build_at(Module *m, LLVMValueRef place, LLVMValueRef like)
{
    LLVMPositionBuilderBefore(m->builder, place);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(like));
}

/* A register for the current block. */
static LLVMValueRef build_slot(Module *m, LLVMValueRef variable)
{
    build_at(m, variable, variable);
    LLVMValueRef slot = LLVMBuildAlloca(m->builder, m->ptr, "");
    LLVMValueRef at = module_after_variables(variable);
    build_at(m, at, at);
    LLVMBuildStore(m->builder, LLVMConstNull(m->ptr), slot);
    return slot;
}

static void begin(Module *m, LLVMValueRef marker, LLVMValueRef slot)
{
    build_at(m, marker, marker);
    LLVMBuildStore(m->builder, scope_build_block(m, variable_of(marker), marker), slot);
}

static void end(Module *m, LLVMValueRef marker, LLVMValueRef slot)
{
    ValueList places = places_behind(marker, variable_of(marker));
    for (uint32_t i = 0; i < places.count; i++) {
        build_at(m, places.items[i], marker);
        LLVMValueRef args[] = {LLVMBuildLoad2(m->builder, m->ptr, slot, ""), site_of(m, marker)};
        hook_call(m, m->void_type, "local_end", args, 2);
    }
    VEC_FREE(&places);
}

static void use_slot(Module *m, LLVMValueRef user, LLVMValueRef variable, LLVMValueRef slot)
{
    for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(user); n++) {
        if (LLVMGetOperand(user, n) != variable)
            continue;
        build_at(m, LLVMIsAPHINode(user) ? LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(user, n)) : user, user);
        LLVMSetOperand(user, n, LLVMBuildLoad2(m->builder, m->ptr, slot, ""));
    }
}

static ValueList users_of(LLVMValueRef variable)
{
    ValueList users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use))
        add(&users, LLVMGetUser(use));
    return users;
}

static void end_with_block(Module *m, LLVMValueRef variable)
{
    ValueList users = users_of(variable);
    LLVMValueRef slot = build_slot(m, variable);
    for (uint32_t i = 0; i < users.count; i++) {
        if (begins(users.items[i]))
            begin(m, users.items[i], slot);
        else if (ends(users.items[i]))
            end(m, users.items[i], slot);
        else
            use_slot(m, users.items[i], variable, slot);
    }
    VEC_FREE(&users);
}

/* Does it begin at a marker, and end at one that is not followed by just the return? */
static bool is_inner(LLVMValueRef variable)
{
    ValueList users = users_of(variable);
    bool has_begin = false, has_end = false;
    for (uint32_t i = 0; i < users.count; i++) {
        has_begin = has_begin || begins(users.items[i]);
        if (!ends(users.items[i]) || has_end)
            continue;
        ValueList places = places_behind(users.items[i], variable);
        has_end = places.count > 0;
        VEC_FREE(&places);
    }
    VEC_FREE(&users);
    return has_begin && has_end && !private_pointer(NULL, variable);
}

/* ---- Arrays of variable length ---------------------------------------------------------------- */

/* The array on the stack is kept: its address shows which arrays a restored stack no longer contains. */
static void make_array(Module *m, LLVMValueRef array)
{
    LLVMValueRef next = LLVMGetNextInstruction(array);
    ValueList users = users_of(array);
    build_at(m, next, array);
    LLVMValueRef block = scope_build_block(m, array, array);
    LLVMValueRef args[] = {block, array};
    hook_call(m, m->void_type, "local_place", args, 2);
    for (uint32_t i = 0; i < users.count; i++)
        for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(users.items[i]); n++)
            if (LLVMGetOperand(users.items[i], n) == array)
                LLVMSetOperand(users.items[i], n, block);
    VEC_FREE(&users);
}

bool scope_is_room(LLVMValueRef variable)
{
    LLVMUseRef use = LLVMGetFirstUse(variable);
    return use && hook_is(LLVMGetUser(use), "local_place") && !LLVMGetNextUse(use);
}

static void restore(Module *m, LLVMValueRef call, LLVMValueRef mark)
{
    ValueList places = places_behind(call, NULL);
    for (uint32_t i = 0; i < places.count; i++) {
        build_at(m, places.items[i], call);
        LLVMValueRef args[] = {mark, LLVMGetOperand(call, 0), site_of(m, call)};
        hook_call(m, m->void_type, "frame_cut", args, 3);
    }
    VEC_FREE(&places);
}

/* ---- Functions ----------------------------------------------------------------------------------- */

static void treat_arrays(Module *m, LLVMValueRef function, const ValueList *list)
{
    LLVMValueRef mark = NULL, first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    for (uint32_t i = 0; i < list->count; i++) {
        if (!has_variable_length(list->items[i]) || private_pointer(NULL, list->items[i]))
            continue;
        make_array(m, list->items[i]);
        if (!mark) {
            build_at(m, first, list->items[i]);
            mark = hook_call(m, m->i64, "frame_enter", NULL, 0);
        }
    }
    for (uint32_t i = 0; i < list->count && mark; i++)
        if (calls(list->items[i], "llvm.stackrestore"))
            restore(m, list->items[i], mark);
}

static void treat_function(Module *m, LLVMValueRef function)
{
    ValueList list = module_instructions(function), inner = {0};
    treat_arrays(m, function, &list);
    for (uint32_t i = 0; i < list.count; i++)
        if (LLVMIsAAllocaInst(list.items[i]) && is_inner(list.items[i]))
            VEC_PUSH(&inner, list.items[i]);
    for (uint32_t i = 0; i < inner.count; i++)
        end_with_block(m, inner.items[i]);
    for (uint32_t i = 0; i < list.count; i++)
        if (begins(list.items[i]) || ends(list.items[i]))
            LLVMInstructionEraseFromParent(list.items[i]);
    for (uint32_t i = 0; i < inner.count; i++)
        LLVMInstructionEraseFromParent(inner.items[i]);
    VEC_FREE(&inner);
    VEC_FREE(&list);
}

void pass_inner(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            treat_function(m, f);
}
