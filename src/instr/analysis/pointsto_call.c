/* pointsto_call.c - calls: of the program, of the library, of external code */
#include "instr/analysis/pointsto_internal.h"

#include <string.h>

#include "instr/analysis/libcall.h"

static void note_unresolved(PointsTo *a, LLVMValueRef instruction)
{
    for (uint32_t i = 0; i < a->unresolved.count; i++)
        if (a->unresolved.items[i] == instruction)
            return;
    VEC_PUSH(&a->unresolved, instruction);
}

LLVMValueRef pointsto_called(LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call);
    while (called && LLVMIsAGlobalAlias(called))
        called = LLVMAliasGetAliasee(called);
    return called && LLVMIsAFunction(called) ? called : NULL;
}

static void enter(PointsTo *a, Context *caller, LLVMValueRef call, Function *function, AbsValue *result)
{
    Context *callee = pointsto_context_of_call(a, caller, call, function);
    unsigned count = LLVMCountParams(function->value), given = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < count && i < given; i++) {
        AbsValue value = pointsto_operand(a, caller, call, i);
        a->changed |= abstract_value_join(&callee->values[i], &value);
        abstract_value_release(&value);
    }
    abstract_value_join(result, &callee->result);
}

/* External code calls the functions, with unknown arguments. */
static void enter_blindly(PointsTo *a, Context *caller, LLVMValueRef call, const AbsValue *functions)
{
    for (uint32_t i = 0; i < functions->atoms.count; i++) {
        uint32_t number = functions->atoms.items[i].object;
        const Object *object = abstract_memory_get(&a->memory, number);
        Function *function =
            number >= OBJECT_FIRST && object->kind == OBJECT_FUNCTION ? pointsto_function(a, object->value) : NULL;
        if (!function)
            continue;
        Context *callee = pointsto_context_of_call(a, caller, call, function);
        pointsto_share_context(a, callee, caller);
        for (unsigned k = 0; k < LLVMCountParams(function->value); k++) {
            a->changed |= abstract_value_add_numbers(&callee->values[k]);
            a->changed |= abstract_value_add(&callee->values[k], (AbsAtom){.object = OBJECT_UNKNOWN});
        }
    }
}

static ThreadClass *class_of_create(PointsTo *a, Context *context, LLVMValueRef call, Function *function)
{
    for (uint32_t i = 1; i < a->threads.count; i++) {
        ThreadClass *thread = &a->threads.items[i];
        if (thread->call == call && thread->root->function == function && thread->creator == context)
            return thread;
    }
    uint32_t number = a->threads.count, above = context->thread;
    /* A thread that creates threads like itself: they are one class. */
    for (; above; above = a->threads.items[above].creator->thread)
        if (a->threads.items[above].root->function == function && a->threads.items[above].call == call) {
            if (a->threads.items[above].single) {
                a->threads.items[above].single = false;
                pointsto_share_context(a, a->threads.items[above].root, a->threads.items[above].root);
            }
            return &a->threads.items[above];
        }
    VEC_PUSH(&a->threads,
             ((ThreadClass){
                 .creator = context, .call = call, .single = context->single && !pointsto_is_repeated(context, call)}));
    ThreadClass *thread = &a->threads.items[number];
    thread->root = pointsto_make_context(a, function, NULL, call, number);
    thread->root->single = thread->single;
    thread->object = abstract_memory_create(&a->memory, OBJECT_THREAD, call, thread->single);
    abstract_memory_get(&a->memory, thread->object)->number = number;
    return thread;
}

static void create_thread(PointsTo *a, Context *context, LLVMValueRef call, unsigned operand)
{
    AbsValue functions = pointsto_operand(a, context, call, operand),
             argument = pointsto_operand(a, context, call, operand + 1);
    AbsValue handle = pointsto_operand(a, context, call, 0);
    for (uint32_t i = 0; i < functions.atoms.count; i++) {
        uint32_t number = functions.atoms.items[i].object;
        const Object *object = abstract_memory_get(&a->memory, number);
        Function *function =
            number >= OBJECT_FIRST && object->kind == OBJECT_FUNCTION ? pointsto_function(a, object->value) : NULL;
        if (!function) {
            note_unresolved(a, call);
            continue;
        }
        ThreadClass *thread = class_of_create(a, context, call, function);
        AbsValue address = {0};
        if (LLVMCountParams(function->value))
            a->changed |= abstract_value_join(&thread->root->values[0], &argument);
        pointsto_add_address(&address, thread->object);
        abstract_memory_store(&a->memory, &handle, 8, &address);
        abstract_value_release(&address);
    }
    abstract_value_release(&functions);
    abstract_value_release(&argument);
    abstract_value_release(&handle);
}

/* External code: it stores numbers wherever it can, returns unknown numbers and addresses, and may call the functions
 * that it is passed. */
static void leave_program(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        AbsValue value = pointsto_operand(a, context, call, i);
        abstract_memory_hand_out(&a->memory, &value);
        enter_blindly(a, context, call, &value);
        abstract_value_release(&value);
    }
    abstract_value_add_numbers(result);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
        abstract_value_add(result, (AbsAtom){.object = OBJECT_UNKNOWN});
}

static uint64_t constant_operand(LLVMValueRef call, unsigned number)
{
    LLVMValueRef operand = LLVMGetNumArgOperands(call) > number ? LLVMGetOperand(call, number) : NULL;
    return operand && LLVMIsAConstantInt(operand) ? LLVMConstIntGetZExtValue(operand) : 0;
}

/* `value`: the old block of realloc, or where posix_memalign stores the address. */
static void allocate(PointsTo *a, Context *context, LLVMValueRef call, LibRole role, const AbsValue *value,
                     AbsValue *result)
{
    uint32_t object = pointsto_allocation(a, context, call, OBJECT_HEAP);
    abstract_memory_get(&a->memory, object)->zeroed |= role == LIB_ALLOCATE_ZERO;
    if (role == LIB_ALLOCATE_TO) {
        AbsValue address = {0};
        pointsto_add_address(&address, object);
        abstract_memory_store(&a->memory, value, 8, &address);
        abstract_value_add_number(result, 0);
        abstract_value_release(&address);
        return;
    }
    pointsto_add_address(result, object);
    if (role == LIB_REALLOCATE)
        abstract_memory_copy(&a->memory, result, value, 0);
}

static void call_library(PointsTo *a, Context *context, LLVMValueRef call, LibRole role, unsigned operand,
                         AbsValue *result)
{
    AbsValue value =
        LLVMGetNumArgOperands(call) > operand ? pointsto_operand(a, context, call, operand) : (AbsValue){0};
    AbsValue source = {0};
    switch (role) {
    case LIB_ALLOCATE:
    case LIB_ALLOCATE_ZERO:
    case LIB_REALLOCATE:
    case LIB_ALLOCATE_TO: allocate(a, context, call, role, &value, result); break;
    case LIB_COPY:
        source = pointsto_operand(a, context, call, 1);
        abstract_memory_copy(&a->memory, &value, &source, constant_operand(call, 2));
        abstract_value_join(result, &value);
        break;
    case LIB_FILL:
        abstract_memory_clear(&a->memory, &value);
        if (!LLVMIsAConstantInt(LLVMGetOperand(call, 1)) || constant_operand(call, 1))
            abstract_memory_hand_out(&a->memory, &value);
        abstract_value_join(result, &value);
        break;
    case LIB_GIVE_BACK: abstract_value_join(result, &value); break;
    case LIB_CALL:
        enter_blindly(a, context, call, &value);
        abstract_value_add_number(result, 0);
        a->other_waits = true;
        break;
    case LIB_LATER:
        note_unresolved(a, call);
        leave_program(a, context, call, result);
        break;
    case LIB_KEEP:
        a->changed |= abstract_value_join(&a->kept, &value);
        abstract_value_add_number(result, 0);
        break;
    case LIB_RECALL:
        abstract_value_join(result, &a->kept);
        abstract_value_add_number(result, 0);
        break;
    case LIB_CREATE:
        create_thread(a, context, call, operand);
        abstract_value_add_numbers(result);
        break;
    case LIB_SELF: pointsto_add_address(result, a->threads.items[context->thread].object); break;
    case LIB_AWAIT:
        a->other_waits = true;
        abstract_value_add_numbers(result);
        break;
    case LIB_OTHER_WAIT:
        a->other_waits = true;
        leave_program(a, context, call, result);
        break;
    default: abstract_value_add_numbers(result); break;
    }
    abstract_value_release(&value);
    abstract_value_release(&source);
}

static void call_function(PointsTo *a, Context *context, LLVMValueRef call, LLVMValueRef function, AbsValue *result)
{
    unsigned operand;
    LibRole role = libcall_role(function, &operand);
    Function *known = pointsto_function(a, function);
    if (role != LIB_NONE)
        call_library(a, context, call, role, operand, result);
    else if (known)
        enter(a, context, call, known, result);
    else
        leave_program(a, context, call, result);
}

/* An unknown pointer may refer to any function of the type whose address is taken. */
static void call_any(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    for (uint32_t i = 0; i < a->function_list.count; i++) {
        Function *function = a->function_list.items[i];
        if (function->is_taken && LLVMGlobalGetValueType(function->value) == type)
            enter(a, context, call, function, result);
    }
    abstract_value_add_numbers(result);
}

static void call_pointer(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result)
{
    AbsValue called = {0};
    bool known = false;
    pointsto_read(a, context, LLVMGetCalledValue(call), &called);
    for (uint32_t i = 0; i < called.atoms.count; i++) {
        uint32_t number = called.atoms.items[i].object;
        const Object *object = abstract_memory_get(&a->memory, number);
        if (number >= OBJECT_FIRST && object->kind == OBJECT_FUNCTION) {
            call_function(a, context, call, object->value, result);
            known = true;
        } else if (number == OBJECT_UNKNOWN) {
            call_any(a, context, call, result);
            known = true;
        }
    }
    if (!known && context->forced[cfg_index(context->function->cfg, LLVMGetInstructionParent(call))])
        call_any(a, context, call, result);
    abstract_value_release(&called);
}

/* Assembly with a system call may wait for anything. */
static bool calls_system(LLVMValueRef assembly)
{
    static const char *const words[] = {"syscall", "sysenter", "int $0x80", "int $$0x80", "svc"};
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &length);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
        if (memmem(text, length, words[i], strlen(words[i])))
            return true;
    return false;
}

void pointsto_call(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result)
{
    LLVMValueRef function = pointsto_called(call);
    if (function)
        call_function(a, context, call, function, result);
    else if (LLVMIsAInlineAsm(LLVMGetCalledValue(call))) {
        a->other_waits |= calls_system(LLVMGetCalledValue(call));
        abstract_value_add_numbers(result);
    } else
        call_pointer(a, context, call, result);
}
