/* pass_uninit.c - uninitialised variables are symbolic inputs (--unset)
 *
 * In C an uninitialised variable has an indeterminate value. A variable that becomes a register is an input that the
 * function requests at its beginning, if it is read uninitialised. One in memory is filled with inputs where it
 * begins, unless the first access writes all of it.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "instr/module/callee.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"
#include "instr/passes/scope.h"

static bool is_marker(LLVMValueRef i)
{
    const char *name = callee_name(i);
    return name_begins(name, "llvm.lifetime.") || name_begins(name, "llvm.dbg.") || hook_is(i, "write");
}

/* 0: does not fit into a register. */
static unsigned width_of(const Module *m, LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool simple = kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
                  kind == LLVMDoubleTypeKind;
    uint64_t bits = simple ? LLVMSizeOfTypeInBits(m->layout, type) : 0;
    return bits <= 64 ? (unsigned)bits : 0;
}

/* ---- Variables initialised by the first access ------------------------------------------------------------------ */

static bool sets_all(const Module *m, LLVMValueRef i, LLVMValueRef variable, LLVMValueRef size)
{
    static const char *const fillers[] = {"pthread_create",
                                          "pthread_mutex_init",
                                          "pthread_cond_init",
                                          "pthread_rwlock_init",
                                          "pthread_barrier_init",
                                          "pthread_spin_init",
                                          "pthread_attr_init",
                                          "pthread_mutexattr_init",
                                          "sem_init",
                                          NULL};
    if (!LLVMIsAConstantInt(size))
        return false;
    uint64_t bytes = LLVMConstIntGetZExtValue(size);
    if (LLVMIsAStoreInst(i))
        return LLVMGetOperand(i, 1) == variable && LLVMGetOperand(i, 0) != variable &&
               module_size_of(m, LLVMTypeOf(LLVMGetOperand(i, 0))) == bytes;
    if (!LLVMIsACallInst(i) || LLVMGetOperand(i, 0) != variable)
        return false;
    if (name_begins(callee_name(i), "llvm.mem"))
        return LLVMIsAConstantInt(LLVMGetOperand(i, 2)) && LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2)) == bytes;
    return name_is_one_of(callee_name(i), fillers);
}

static bool uses(LLVMValueRef i, LLVMValueRef value)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
        if (LLVMGetOperand(i, k) == value)
            return true;
    return false;
}

/* Is the whole variable written before any other access? */
static bool is_set_first(const Module *m, LLVMValueRef variable, LLVMValueRef size)
{
    for (LLVMValueRef i = LLVMGetNextInstruction(variable); i; i = LLVMGetNextInstruction(i))
        if (uses(i, variable) && !is_marker(i))
            return sets_all(m, i, variable, size);
    return false;
}

/* ---- Marks ------------------------------------------------------------------------------
 *
 * LLVM may replace an undefined value by any other, so where a variable may or may not have been initialised it would
 * use the initialised value. Therefore the initial value of a variable is a mark, `freeze undef`, which is a fixed
 * value.
 */

static LLVMValueRef make_mark(Module *m, LLVMTypeRef type)
{
    return LLVMBuildFreeze(m->builder, LLVMGetUndef(type), "");
}

/* Will it become a register? */
static bool is_register(LLVMValueRef variable)
{
    for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool loads = LLVMIsALoadInst(user) != NULL;
        bool stores =
            LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable && LLVMGetOperand(user, 0) != variable;
        if (!is_marker(user) && (!(loads || stores) || LLVMGetVolatile(user)))
            return false;
    }
    return LLVMIsAConstantInt(LLVMGetOperand(variable, 0));
}

static void build_behind(Module *m, LLVMValueRef variable)
{
    LLVMValueRef at = module_after_variables(LLVMGetNextInstruction(variable));
    LLVMPositionBuilderBefore(m->builder, at);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(at));
}

static void mark_register(Module *m, LLVMValueRef variable)
{
    LLVMTypeRef type = LLVMGetAllocatedType(variable);
    if (!width_of(m, type) || !is_register(variable))
        return;
    build_behind(m, variable);
    LLVMBuildStore(m->builder, make_mark(m, type), variable);
}

enum { MAX_WORDS = 16 };

/* A private structure, which may be split into registers. */
static void mark_words(Module *m, LLVMValueRef variable)
{
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(variable));
    if (!LLVMIsAConstantInt(LLVMGetOperand(variable, 0)) ||
        LLVMConstIntGetZExtValue(LLVMGetOperand(variable, 0)) != 1 || size > 8 * MAX_WORDS ||
        !private_pointer(NULL, variable) || is_set_first(m, variable, module_i64(m, size)))
        return;
    build_behind(m, variable);
    for (uint64_t at = 0; at < size;) {
        uint64_t width = size - at >= 8 ? 8 : size - at >= 4 ? 4 : 1;
        LLVMTypeRef type = LLVMIntTypeInContext(m->context, 8 * (unsigned)width);
        LLVMValueRef offset = module_i64(m, at);
        LLVMValueRef place = LLVMBuildGEP2(m->builder, m->i8, variable, &offset, 1, "");
        LLVMSetAlignment(LLVMBuildStore(m->builder, make_mark(m, type), place), 1);
        at += width;
    }
}

static void each_variable(Module *m, void (*treat)(Module *m, LLVMValueRef variable))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = {0};
        if (!LLVMIsDeclaration(f))
            list = module_instructions(f);
        for (uint32_t i = 0; i < list.count; i++)
            if (LLVMIsAAllocaInst(list.items[i]))
                treat(m, list.items[i]);
        VEC_FREE(&list);
    }
}

void pass_uninit_registers(Module *m) { each_variable(m, mark_register); }
void pass_uninit_words(Module *m) { each_variable(m, mark_words); }

/* ---- Registers ------------------------------------------------------------------------- */

static bool uses_result(LLVMValueRef function)
{
    static const char *const starts[] = {"pthread_create", NULL};
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool called = LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
        if (called ? LLVMGetFirstUse(user) != NULL : !name_is_one_of(callee_name(user), starts))
            return true;
    }
    return false;
}

/* Does the module use the return values of threads? */
static bool joins_for_result(Module *m)
{
    LLVMValueRef join = LLVMGetNamedFunction(m->llvm, "pthread_join");
    for (LLVMUseRef use = join ? LLVMGetFirstUse(join) : NULL; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || !LLVMIsNull(LLVMGetOperand(user, 1)))
            return true;
    }
    return false;
}

static bool is_needed(Module *m, LLVMValueRef mark)
{
    for (LLVMUseRef use = LLVMGetFirstUse(mark); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (!LLVMIsAReturnInst(user) || uses_result(function) || joins_for_result(m))
            return true;
    }
    return false;
}

static LLVMValueRef ask_for_number(Module *m)
{
    LLVMTypeRef type = LLVMFunctionType(m->i64, &m->ptr, 1, 0);
    LLVMValueRef function = LLVMGetNamedFunction(m->llvm, "sennit_ulong");
    LLVMValueRef name = module_string(m, "unset");
    if (!function)
        function = LLVMAddFunction(m->llvm, "sennit_ulong", type);
    return LLVMBuildCall2(m->builder, type, function, &name, 1, "");
}

static LLVMValueRef value_of_type(Module *m, LLVMTypeRef type)
{
    LLVMValueRef number = ask_for_number(m);
    LLVMTypeRef bits = LLVMIntTypeInContext(m->context, width_of(m, type));
    if (bits != m->i64)
        number = LLVMBuildTrunc(m->builder, number, bits, "");
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildIntToPtr(m->builder, number, type, "");
    return LLVMBuildBitCast(m->builder, number, type, "");
}

static void give_value(Module *m, LLVMValueRef mark)
{
    LLVMTypeRef type = LLVMTypeOf(mark);
    if (!LLVMIsUndef(LLVMGetOperand(mark, 0)) || !width_of(m, type))
        return;
    bool needed = is_needed(m, mark);
    LLVMPositionBuilderBefore(m->builder, mark);
    LLVMSetCurrentDebugLocation2(m->builder, LLVMInstructionGetDebugLoc(mark));
    LLVMReplaceAllUsesWith(mark, needed ? value_of_type(m, type) : LLVMConstNull(type));
    LLVMInstructionEraseFromParent(mark);
    m->makes_inputs |= needed;
}

/* ---- Memory ------------------------------------------------------------------------------ */

static bool is_for_joining(LLVMValueRef value)
{
    static const char *const takers[] = {"pthread_join", "pthread_detach", "pthread_cancel", NULL};
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!name_is_one_of(callee_name(LLVMGetUser(use)), takers))
            return false;
    return true;
}

/* Thread handles: their value before pthread_create is never used. */
static bool is_thread_name(LLVMValueRef pointer)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool fine = is_marker(user) || hook_is(user, "read") || hook_is(user, "within") ||
                    (strcmp(callee_name(user), "pthread_create") == 0 && LLVMGetOperand(user, 0) == pointer) ||
                    (LLVMIsALoadInst(user) && is_for_joining(user)) ||
                    (LLVMIsAGetElementPtrInst(user) && is_thread_name(user));
        if (!fine)
            return false;
    }
    return true;
}

/* The size of the variable in bytes; for a heap block of pass_scope it is the first argument. */
static LLVMValueRef size_of(Module *m, LLVMValueRef variable)
{
    if (LLVMIsACallInst(variable))
        return LLVMGetOperand(variable, 0);
    uint64_t size = LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(variable));
    LLVMValueRef count = LLVMGetOperand(variable, 0);
    if (LLVMIsAConstantInt(count))
        return module_i64(m, size * LLVMConstIntGetZExtValue(count));
    return LLVMBuildMul(m->builder, LLVMBuildZExtOrBitCast(m->builder, count, m->i64, ""), module_i64(m, size), "");
}

static void give_content(Module *m, LLVMValueRef variable)
{
    build_behind(m, variable);
    LLVMValueRef args[] = {variable, size_of(m, variable), site_of(m, LLVMGetNextInstruction(variable))};
    if (is_set_first(m, variable, args[1]) || is_thread_name(variable))
        return;
    hook_call(m, m->void_type, "shadow_unset", args, 3);
    m->makes_inputs = true;
}

/* ---- Functions ----------------------------------------------------------------------------- */

static void treat_function(Module *m, LLVMValueRef function)
{
    ValueList list = module_instructions(function);
    for (uint32_t i = 0; i < list.count; i++) {
        if (LLVMGetInstructionOpcode(list.items[i]) == LLVMFreeze)
            give_value(m, list.items[i]);
        else if (LLVMIsAAllocaInst(list.items[i]) ? !scope_is_room(list.items[i]) : scope_is_block(list.items[i]))
            give_content(m, list.items[i]);
    }
    VEC_FREE(&list);
}

/* Blocks of these are uninitialised too; the runtime fills them. */
static bool allocates(Module *m)
{
    static const char *const names[] = {"malloc",   "realloc", "reallocarray",  "aligned_alloc",
                                        "memalign", "valloc",  "posix_memalign"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMValueRef function = LLVMGetNamedFunction(m->llvm, names[i]);
        if (function && LLVMIsDeclaration(function) && LLVMGetFirstUse(function))
            return true;
    }
    return false;
}

void pass_uninit(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            treat_function(m, f);
    m->makes_inputs |= allocates(m);
}
