/* pass_memory.c - hooks before plain loads, stores and copies
 *
 * Every access that another thread could observe gets a hook right before it, so that with --plain=visible the access
 * belongs to the step that the hook waits for. A copy between two shared places is one call of the runtime, since its
 * read and its write must not be separated; one with a private end is an ordinary read or write of the other.
 */
#include <stdio.h>

#include "instr/module/callee.h"
#include "instr/module/field.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"
#include "instr/passes/scope.h"

/* Calls sennit_rt_read4 or sennit_rt_read_n, write likewise. */
static void call_access_hook(Module *m, const char *verb, LLVMValueRef pointer, uint64_t size, LLVMValueRef site)
{
    char name[32];
    if (size == 1 || size == 2 || size == 4 || size == 8) {
        snprintf(name, sizeof name, "%s%u", verb, (unsigned)size);
        LLVMValueRef args[] = {pointer, site};
        hook_call(m, m->void_type, name, args, 2);
    } else {
        snprintf(name, sizeof name, "%s_n", verb);
        LLVMValueRef args[] = {pointer, module_i64(m, size), site};
        hook_call(m, m->void_type, name, args, 3);
    }
}

/* ---- Computed addresses ---------------------------------------------- */

static bool is_index(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

/* The offset in bytes of one index into a structure or an array. */
static int64_t step_into(const Module *m, LLVMTypeRef *type, int64_t index)
{
    if (LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        LLVMTypeRef outer = *type;
        *type = LLVMStructGetTypeAtIndex(outer, (unsigned)index);
        return (int64_t)LLVMOffsetOfElement(m->layout, outer, (unsigned)index);
    }
    *type = LLVMGetElementType(*type);
    return index * (int64_t)LLVMABISizeOfType(m->layout, *type);
}

/* Adds the offset of the indices; false if it is not constant. */
static bool add_offset(const Module *m, LLVMValueRef pointer, int64_t *offset)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    for (int i = 1; i < LLVMGetNumOperands(pointer); i++) {
        LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)i);
        if (!LLVMIsAConstantInt(index))
            return false;
        int64_t value = LLVMConstIntGetSExtValue(index);
        *offset += i == 1 ? value * (int64_t)LLVMABISizeOfType(m->layout, type) : step_into(m, &type, value);
    }
    return true;
}

/* Are `size` bytes at these indices always inside the object? */
static bool is_surely_inside(const Module *m, LLVMValueRef pointer, LLVMValueRef size, LLVMValueRef object_size)
{
    int64_t offset = 0;
    if (!LLVMIsAConstantInt(size) || !LLVMIsAConstantInt(object_size))
        return false;
    for (; is_index(pointer); pointer = LLVMGetOperand(pointer, 0))
        if (!add_offset(m, pointer, &offset))
            return false;
    int64_t room = (int64_t)LLVMConstIntGetZExtValue(object_size) - (int64_t)LLVMConstIntGetZExtValue(size);
    return offset >= 0 && offset <= room;
}

static bool is_global(LLVMValueRef object)
{
    return object && LLVMIsAGlobalVariable(object) && !LLVMIsDeclaration(object);
}

/* NULL if unknown. */
static LLVMValueRef size_of_object(const Module *m, LLVMValueRef object)
{
    if (scope_is_block(object))
        return LLVMGetOperand(object, 0);
    if (LLVMIsAAllocaInst(object)) {
        LLVMValueRef element = module_i64(m, LLVMABISizeOfType(m->layout, LLVMGetAllocatedType(object)));
        return LLVMBuildMul(m->builder, LLVMBuildIntCast2(m->builder, LLVMGetOperand(object, 0), m->i64, 0, ""),
                            element, "");
    }
    return is_global(object) ? module_i64(m, LLVMABISizeOfType(m->layout, LLVMGlobalGetValueType(object))) : NULL;
}

/* A wrong index may lead to another object: private ones have no red zone, and other red zones are finite. */
static void check_index(Module *m, LLVMValueRef instruction, LLVMValueRef pointer, LLVMValueRef size)
{
    LLVMValueRef object = private_root(pointer);
    LLVMPositionBuilderBefore(m->builder, instruction);
    LLVMValueRef object_size = size_of_object(m, object);
    if (!object_size || is_surely_inside(m, pointer, size, object_size))
        return;
    const char *name = module_name_of(object);
    LLVMValueRef args[] = {pointer, LLVMBuildIntCast2(m->builder, size, m->i64, 0, ""), object, object_size,
                           module_string(m, *name ? name : "local variable"), site_of(m, instruction)};
    hook_call(m, m->void_type, "within", args, 6);
}

/* A store to a constant is a bug. */
static void refuse(Module *m, LLVMValueRef instruction, LLVMValueRef pointer)
{
    LLVMValueRef args[] = {pointer, site_of(m, instruction)};
    LLVMPositionBuilderBefore(m->builder, instruction);
    hook_call(m, m->void_type, "constant_write", args, 2);
}

static void add_hook(Module *m, LLVMValueRef instruction, const char *verb, LLVMValueRef pointer, LLVMTypeRef type)
{
    if (!LLVMTypeIsSized(type))
        return;
    field_check(m, instruction, pointer, module_size_of(m, type));
    if (private_pointer(&m->private_roots, pointer)) {
        check_index(m, instruction, pointer, module_i64(m, module_size_of(m, type)));
        if (*verb == 'w' && private_constant(pointer))
            refuse(m, instruction, pointer);
        return;
    }
    check_index(m, instruction, pointer, module_i64(m, module_size_of(m, type)));
    LLVMPositionBuilderBefore(m->builder, instruction);
    call_access_hook(m, verb, pointer, module_size_of(m, type), site_of(m, instruction));
}

static bool is_plain(LLVMValueRef instruction)
{
    return LLVMGetOrdering(instruction) == LLVMAtomicOrderingNotAtomic;
}

/* ---- Copies --------------------------------------------------------------- */

static LLVMValueRef widen(Module *m, LLVMValueRef size)
{
    return LLVMBuildIntCast2(m->builder, size, m->i64, 0, "");
}

static void add_range_hook(Module *m, LLVMValueRef call, const char *verb, LLVMValueRef pointer)
{
    LLVMValueRef size = LLVMGetOperand(call, 2);
    LLVMPositionBuilderBefore(m->builder, call);
    if (LLVMIsAConstantInt(size)) {
        call_access_hook(m, verb, pointer, LLVMConstIntGetZExtValue(size), site_of(m, call));
        return;
    }
    char name[16];
    snprintf(name, sizeof name, "%s_n", verb);
    LLVMValueRef args[] = {pointer, widen(m, size), site_of(m, call)};
    hook_call(m, m->void_type, name, args, 3);
}

/* Replaces the intrinsic by sennit_rt_memcpy(to, from or byte, size); pass_call adds the source place. */
static void replace_copy(Module *m, LLVMValueRef call, const char *name, LLVMValueRef second)
{
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMValueRef args[] = {LLVMGetOperand(call, 0), second, widen(m, LLVMGetOperand(call, 2))};
    hook_call(m, m->ptr, name, args, 3);
    LLVMInstructionEraseFromParent(call);
}

/* A range of unknown length that starts in a shared object overlaps the red zone behind it. */
static void check_range(Module *m, LLVMValueRef call, LLVMValueRef pointer)
{
    LLVMValueRef size = LLVMGetOperand(call, 2);
    if (LLVMIsAConstantInt(size) || private_pointer(&m->private_roots, pointer))
        check_index(m, call, pointer, size);
}

static void instrument_copy(Module *m, LLVMValueRef call, const char *name)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    bool reads = !private_pointer(&m->private_roots, from), writes = !private_pointer(&m->private_roots, to);
    check_range(m, call, from);
    check_range(m, call, to);
    if (reads && writes)
        replace_copy(m, call, name, from);
    else if (reads)
        add_range_hook(m, call, "read", from);
    else if (writes)
        add_range_hook(m, call, "write", to);
}

static void instrument_fill(Module *m, LLVMValueRef call)
{
    check_range(m, call, LLVMGetOperand(call, 0));
    if (private_pointer(&m->private_roots, LLVMGetOperand(call, 0)))
        return;
    LLVMPositionBuilderBefore(m->builder, call);
    LLVMValueRef byte = LLVMBuildZExt(m->builder, LLVMGetOperand(call, 1), m->i32, "");
    replace_copy(m, call, "memset", byte);
}

/* ---- Calls ---------------------------------------------------------------- */

/* Passing a structure by value in memory copies it: a read of the original. */
static void instrument_byval(Module *m, LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
        if (attribute)
            add_hook(m, call, "read", LLVMGetOperand(call, i), LLVMGetTypeAttributeValue(attribute));
    }
}

static void instrument_call(Module *m, LLVMValueRef call)
{
    const char *name = callee_name(call);
    if (name_begins(name, "llvm.memcpy."))
        instrument_copy(m, call, "memcpy");
    else if (name_begins(name, "llvm.memmove."))
        instrument_copy(m, call, "memmove");
    else if (name_begins(name, "llvm.memset."))
        instrument_fill(m, call);
    else
        instrument_byval(m, call);
}

/* ---- The pass ------------------------------------------------------------- */

/* For an atomic access, whose hook is added later (pass_atomic.c). */
static void check_place(Module *m, LLVMValueRef instruction, LLVMValueRef pointer, LLVMTypeRef type)
{
    field_check(m, instruction, pointer, module_size_of(m, type));
    check_index(m, instruction, pointer, module_i64(m, module_size_of(m, type)));
}

static void instrument_access(Module *m, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        if (is_plain(i))
            add_hook(m, i, "read", LLVMGetOperand(i, 0), LLVMTypeOf(i));
        else
            check_place(m, i, LLVMGetOperand(i, 0), LLVMTypeOf(i));
        break;
    case LLVMStore:
        if (is_plain(i))
            add_hook(m, i, "write", LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
        else
            check_place(m, i, LLVMGetOperand(i, 1), LLVMTypeOf(LLVMGetOperand(i, 0)));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        check_place(m, i, LLVMGetOperand(i, 0), LLVMTypeOf(LLVMGetOperand(i, 1)));
        break;
    case LLVMCall:
        instrument_call(m, i);
        break;
    default:
        break;
    }
}

void pass_memory(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        ValueList list = module_instructions(f);
        map_reset(&m->private_roots);
        for (uint32_t i = 0; i < list.count; i++)
            instrument_access(m, list.items[i]);
        VEC_FREE(&list);
    }
}
