/* pointsto.c - see pointsto.h
 *
 * All sets grow from nothing until nothing changes; what a branch is not known to do yet, it does
 * not do. Where a condition stays unknown to the end (it depends on memory that nobody was seen
 * to write), both ways are taken and the growing goes on.
 */
#include "instr/pointsto.h"

#include <string.h>

#include "base/mem.h"
#include "instr/absconstant.h"
#include "instr/absfold.h"

enum { MOST_CONTEXTS = 3000, MOST_DEPTH = 60 };

/* ---- Functions -------------------------------------------------------------------------- */

static void number_values(Function *function)
{
    for (LLVMValueRef p = LLVMGetFirstParam(function->value); p; p = LLVMGetNextParam(p))
        *map_insert(&function->slots, map_key(p), NULL) = function->slot_count++;
    for (uint32_t b = 0; b < cfg_block_count(function->cfg); b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg_block(function->cfg, b)); i; i = LLVMGetNextInstruction(i))
            *map_insert(&function->slots, map_key(i), NULL) = function->slot_count++;
}

static bool reaches(const Cfg *cfg, uint32_t from, uint32_t to, bool *seen)
{
    const BlockList *next = cfg_successors(cfg, from);
    for (uint32_t i = 0; i < next->count; i++) {
        if (next->items[i] == to)
            return true;
        if (!seen[next->items[i]]) {
            seen[next->items[i]] = true;
            if (reaches(cfg, next->items[i], to, seen))
                return true;
        }
    }
    return false;
}

/* Blocks are numbered in reverse post-order: only one with a way back up can repeat. */
static void find_repeating(Function *function)
{
    uint32_t count = cfg_block_count(function->cfg);
    bool *seen = mem_alloc(count), loops = false;
    function->repeats = mem_alloc(count);
    for (uint32_t b = 0; b < count; b++) {
        const BlockList *next = cfg_successors(function->cfg, b);
        for (uint32_t i = 0; i < next->count; i++)
            loops |= next->items[i] <= b;
    }
    for (uint32_t b = 0; loops && b < count; b++) {
        memset(seen, 0, count);
        function->repeats[b] = reaches(function->cfg, b, b, seen);
    }
    free(seen);
}

static bool is_address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return true;
    }
    return false;
}

static void add_function(PointsTo *a, LLVMValueRef value)
{
    Function *function = mem_alloc(sizeof *function);
    function->value = value;
    function->cfg = cfg_create(value);
    function->is_taken = is_address_taken(value);
    number_values(function);
    find_repeating(function);
    VEC_PUSH(&a->function_list, function);
    *map_insert(&a->functions, map_key(value), NULL) = map_key(function);
}

static Function *function_of(const PointsTo *a, LLVMValueRef value)
{
    uint64_t *found = map_find(&a->functions, map_key(value));
    return found ? (Function *)(uintptr_t)*found : NULL;
}

/* ---- Contexts ---------------------------------------------------------------------------- */

static Context *make_context(PointsTo *a, Function *function, Context *caller, LLVMValueRef call, uint32_t thread)
{
    Context *context = mem_alloc(sizeof *context);
    uint32_t blocks = cfg_block_count(function->cfg);
    *context = (Context){.function = function, .caller = caller, .call = call, .thread = thread, .number = a->contexts.count};
    context->values = mem_alloc((function->slot_count + 1) * sizeof *context->values);
    context->reached = mem_alloc(blocks + 1);
    context->forced = mem_alloc(blocks + 1);
    context->reached[0] = true;
    VEC_PUSH(&context->threads, thread);
    VEC_PUSH(&a->contexts, context);
    a->changed = true;
    return context;
}

static bool is_repeated(const Context *context, LLVMValueRef instruction)
{
    uint32_t block = cfg_index(context->function->cfg, LLVMGetInstructionParent(instruction));
    return block == CFG_NONE || context->function->repeats[block];
}

/* The same function further up, or NULL; `depth` counts the calls. */
static Context *find_above(Context *context, const Function *function, uint32_t *depth)
{
    for (*depth = 0; context; context = context->caller, ++*depth)
        if (context->function == function)
            return context;
    return NULL;
}

static void share_context(PointsTo *a, Context *context, const Context *with)
{
    if (!context->shared || context->single)
        a->changed = true;
    context->shared = true;
    context->single = false;
    for (uint32_t i = 0; i < with->threads.count; i++) {
        bool known = false;
        for (uint32_t k = 0; k < context->threads.count; k++)
            known |= context->threads.items[k] == with->threads.items[i];
        if (known)
            continue;
        VEC_PUSH(&context->threads, with->threads.items[i]);
        a->changed = true;
    }
    for (uint32_t i = 0; i < context->callees.count; i++) {
        Context *callee = context->callees.items[i].context;
        if (callee != context && (callee->single || callee->threads.count < context->threads.count))
            share_context(a, callee, context);
    }
}

static Context *context_of_call(PointsTo *a, Context *caller, LLVMValueRef call, Function *function)
{
    uint32_t depth;
    for (uint32_t i = 0; i < caller->callees.count; i++)
        if (caller->callees.items[i].call == call && caller->callees.items[i].context->function == function)
            return caller->callees.items[i].context;
    Context *context = find_above(caller, function, &depth);
    bool crowded = a->contexts.count >= MOST_CONTEXTS || depth >= MOST_DEPTH;
    if (!context && crowded) {
        uint64_t *slot = map_insert(&a->shared, map_key(function), NULL);
        if (!*slot)
            *map_insert(&a->shared, map_key(function), NULL) = map_key(make_context(a, function, caller, call, caller->thread));
        context = (Context *)(uintptr_t)*map_find(&a->shared, map_key(function));
    }
    if (context) {
        share_context(a, context, caller);
    } else {
        context = make_context(a, function, caller, call, caller->thread);
        context->single = caller->single && !is_repeated(caller, call);
        for (uint32_t i = 1; i < caller->threads.count; i++)
            VEC_PUSH(&context->threads, caller->threads.items[i]);
    }
    VEC_PUSH(&caller->callees, ((Callee){call, context}));
    return context;
}

/* ---- Objects and values ------------------------------------------------------------------- */

static void note_unfollowed(PointsTo *a, LLVMValueRef instruction)
{
    for (uint32_t i = 0; i < a->unfollowed.count; i++)
        if (a->unfollowed.items[i] == instruction)
            return;
    VEC_PUSH(&a->unfollowed, instruction);
}

static uint32_t object_of_allocation(PointsTo *a, Context *context, LLVMValueRef instruction, ObjectKind kind)
{
    bool added;
    uint64_t *slot = map_insert(&a->allocations, map_mix(map_key(instruction), context->number + 1), &added);
    if (added) {
        uint32_t object = absmemory_create(&a->memory, kind, instruction, context->single && !is_repeated(context, instruction));
        *slot = object;
    }
    Object *object = absmemory_get(&a->memory, (uint32_t)*slot);
    if (object->single && !context->single) {
        object->single = false;
        a->changed = true;
    }
    return (uint32_t)*slot;
}

void pointsto_read(PointsTo *a, Context *context, LLVMValueRef operand, AbsValue *value)
{
    uint64_t *slot = map_find(&context->function->slots, map_key(operand));
    if (slot)
        absvalue_join(value, &context->values[*slot]);
    else
        absvalue_join(value, absconstant_get(a, operand));
}

static AbsValue read_operand(PointsTo *a, Context *context, LLVMValueRef instruction, unsigned number)
{
    AbsValue value = {0};
    pointsto_read(a, context, LLVMGetOperand(instruction, number), &value);
    return value;
}

static void add_address(AbsValue *value, uint32_t object) { absvalue_add(value, (Atom){.object = object}); }

static unsigned width_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
}

static bool is_plain_number(LLVMValueRef value)
{
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    return kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

LLVMValueRef pointsto_called(LLVMValueRef call)
{
    LLVMValueRef called = LLVMGetCalledValue(call);
    while (called && LLVMIsAGlobalAlias(called))
        called = LLVMAliasGetAliasee(called);
    return called && LLVMIsAFunction(called) ? called : NULL;
}

static void enter(PointsTo *a, Context *caller, LLVMValueRef call, Function *function, AbsValue *result)
{
    Context *callee = context_of_call(a, caller, call, function);
    unsigned count = LLVMCountParams(function->value), given = LLVMGetNumArgOperands(call);
    for (unsigned i = 0; i < count && i < given; i++) {
        AbsValue value = read_operand(a, caller, call, i);
        a->changed |= absvalue_join(&callee->values[i], &value);
        absvalue_release(&value);
    }
    absvalue_join(result, &callee->result);
}

/* Somebody calls the function, nobody knows with what. */
static void enter_blindly(PointsTo *a, Context *caller, LLVMValueRef call, const AbsValue *functions)
{
    for (uint32_t i = 0; i < functions->atoms.count; i++) {
        uint32_t number = functions->atoms.items[i].object;
        const Object *object = absmemory_get(&a->memory, number);
        Function *function = number >= OBJECT_FIRST && object->kind == OBJECT_FUNCTION ? function_of(a, object->value) : NULL;
        if (!function)
            continue;
        Context *callee = context_of_call(a, caller, call, function);
        share_context(a, callee, caller);
        for (unsigned k = 0; k < LLVMCountParams(function->value); k++) {
            a->changed |= absvalue_add_numbers(&callee->values[k]);
            a->changed |= absvalue_add(&callee->values[k], (Atom){.object = OBJECT_UNKNOWN});
        }
    }
}

uint32_t pointsto_thread(const PointsTo *a, const Context *context, LLVMValueRef call, uint32_t after)
{
    for (uint32_t i = after; i < a->threads.count; i++)
        if (a->threads.items[i].creator == context && a->threads.items[i].call == call)
            return i;
    return UINT32_MAX;
}

static ThreadClass *class_of_create(PointsTo *a, Context *context, LLVMValueRef call, Function *function)
{
    for (uint32_t i = 1; i < a->threads.count; i++) {
        ThreadClass *thread = &a->threads.items[i];
        if (thread->call == call && thread->root->function == function && thread->creator == context)
            return thread;
    }
    uint32_t number = a->threads.count, above = context->thread;
    /* A thread that makes threads like itself: they are one class. */
    for (; above; above = a->threads.items[above].creator->thread)
        if (a->threads.items[above].root->function == function && a->threads.items[above].call == call) {
            if (a->threads.items[above].single) {
                a->threads.items[above].single = false;
                share_context(a, a->threads.items[above].root, a->threads.items[above].root);
            }
            return &a->threads.items[above];
        }
    VEC_PUSH(&a->threads, ((ThreadClass){.creator = context, .call = call, .single = context->single && !is_repeated(context, call)}));
    ThreadClass *thread = &a->threads.items[number];
    thread->root = make_context(a, function, NULL, call, number);
    thread->root->single = thread->single;
    thread->object = absmemory_create(&a->memory, OBJECT_THREAD, call, thread->single);
    absmemory_get(&a->memory, thread->object)->number = number;
    return thread;
}

static void create_thread(PointsTo *a, Context *context, LLVMValueRef call, unsigned operand)
{
    AbsValue functions = read_operand(a, context, call, operand), argument = read_operand(a, context, call, operand + 1);
    AbsValue handle = read_operand(a, context, call, 0);
    for (uint32_t i = 0; i < functions.atoms.count; i++) {
        uint32_t number = functions.atoms.items[i].object;
        const Object *object = absmemory_get(&a->memory, number);
        Function *function = number >= OBJECT_FIRST && object->kind == OBJECT_FUNCTION ? function_of(a, object->value) : NULL;
        if (!function) {
            note_unfollowed(a, call);
            continue;
        }
        ThreadClass *thread = class_of_create(a, context, call, function);
        AbsValue address = {0};
        if (LLVMCountParams(function->value))
            a->changed |= absvalue_join(&thread->root->values[0], &argument);
        add_address(&address, thread->object);
        absmemory_store(&a->memory, &handle, 8, &address);
        absvalue_release(&address);
    }
    absvalue_release(&functions);
    absvalue_release(&argument);
    absvalue_release(&handle);
}

/* Code that is not there: it stores numbers where it can, gives back numbers and addresses that
 * nobody knows, and may call what it is given. */
static void leave_program(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        AbsValue value = read_operand(a, context, call, i);
        absmemory_hand_out(&a->memory, &value);
        enter_blindly(a, context, call, &value);
        absvalue_release(&value);
    }
    absvalue_add_numbers(result);
    if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
        absvalue_add(result, (Atom){.object = OBJECT_UNKNOWN});
}

static uint64_t constant_operand(LLVMValueRef call, unsigned number)
{
    LLVMValueRef operand = LLVMGetNumArgOperands(call) > number ? LLVMGetOperand(call, number) : NULL;
    return operand && LLVMIsAConstantInt(operand) ? LLVMConstIntGetZExtValue(operand) : 0;
}

static void call_library(PointsTo *a, Context *context, LLVMValueRef call, LibRole role, unsigned operand, AbsValue *result)
{
    AbsValue value = LLVMGetNumArgOperands(call) > operand ? read_operand(a, context, call, operand) : (AbsValue){0};
    AbsValue source = {0};
    uint32_t object;
    switch (role) {
    case LIB_ALLOCATE:
    case LIB_ALLOCATE_ZERO:
    case LIB_REALLOCATE:
    case LIB_ALLOCATE_TO:
        object = object_of_allocation(a, context, call, OBJECT_HEAP);
        absmemory_get(&a->memory, object)->zeroed |= role == LIB_ALLOCATE_ZERO;
        add_address(role == LIB_ALLOCATE_TO ? &source : result, object);
        if (role == LIB_ALLOCATE_TO) {
            absmemory_store(&a->memory, &value, 8, &source);
            absvalue_add_number(result, 0);
        } else if (role == LIB_REALLOCATE) {
            absmemory_copy(&a->memory, result, &value, 0);
        }
        break;
    case LIB_COPY:
        source = read_operand(a, context, call, 1);
        absmemory_copy(&a->memory, &value, &source, constant_operand(call, 2));
        absvalue_join(result, &value);
        break;
    case LIB_FILL:
        absmemory_clear(&a->memory, &value);
        if (!LLVMIsAConstantInt(LLVMGetOperand(call, 1)) || constant_operand(call, 1))
            absmemory_hand_out(&a->memory, &value);
        absvalue_join(result, &value);
        break;
    case LIB_GIVE_BACK: absvalue_join(result, &value); break;
    case LIB_CALL:
        enter_blindly(a, context, call, &value);
        absvalue_add_number(result, 0);
        a->other_waits = true;
        break;
    case LIB_LATER:
        note_unfollowed(a, call);
        leave_program(a, context, call, result);
        break;
    case LIB_KEEP:
        a->changed |= absvalue_join(&a->kept, &value);
        absvalue_add_number(result, 0);
        break;
    case LIB_RECALL:
        absvalue_join(result, &a->kept);
        absvalue_add_number(result, 0);
        break;
    case LIB_CREATE: create_thread(a, context, call, operand); absvalue_add_numbers(result); break;
    case LIB_SELF: add_address(result, a->threads.items[context->thread].object); break;
    case LIB_AWAIT:
        a->other_waits = true;
        absvalue_add_numbers(result);
        break;
    case LIB_OTHER_WAIT:
        a->other_waits = true;
        leave_program(a, context, call, result);
        break;
    default: absvalue_add_numbers(result); break;
    }
    absvalue_release(&value);
    absvalue_release(&source);
}

static void call_function(PointsTo *a, Context *context, LLVMValueRef call, LLVMValueRef function, AbsValue *result)
{
    unsigned operand;
    LibRole role = libcall_role(function, &operand);
    Function *known = function_of(a, function);
    if (role != LIB_NONE)
        call_library(a, context, call, role, operand, result);
    else if (known)
        enter(a, context, call, known, result);
    else
        leave_program(a, context, call, result);
}

/* A pointer that comes from nowhere may mean any function of the type whose address is taken. */
static void call_any(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result)
{
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    for (uint32_t i = 0; i < a->function_list.count; i++) {
        Function *function = a->function_list.items[i];
        if (function->is_taken && LLVMGlobalGetValueType(function->value) == type)
            enter(a, context, call, function, result);
    }
    absvalue_add_numbers(result);
}

static void call_pointer(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result)
{
    AbsValue called = {0};
    bool known = false;
    pointsto_read(a, context, LLVMGetCalledValue(call), &called);
    for (uint32_t i = 0; i < called.atoms.count; i++) {
        uint32_t number = called.atoms.items[i].object;
        const Object *object = absmemory_get(&a->memory, number);
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
    absvalue_release(&called);
}

static void evaluate_call(PointsTo *a, Context *context, LLVMValueRef call, AbsValue *result)
{
    LLVMValueRef function = pointsto_called(call);
    if (function)
        call_function(a, context, call, function, result);
    else if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        absvalue_add_numbers(result);
    else
        call_pointer(a, context, call, result);
}

/* ---- Instructions ------------------------------------------------------------------------------ */

static void evaluate_phi(PointsTo *a, Context *context, LLVMValueRef phi, AbsValue *result)
{
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        uint32_t index = cfg_index(context->function->cfg, from);
        if (index != CFG_NONE && context->reached[index] && pointsto_goes_to(a, context, from, here))
            pointsto_read(a, context, LLVMGetIncomingValue(phi, i), result);
    }
}

/* Adds to each base what one index moves it by. */
static AbsValue index_addresses(const AbsValue *base, const AbsValue *index, uint64_t scale)
{
    AbsValue moved = {0};
    for (uint32_t i = 0; i < base->atoms.count; i++) {
        for (uint32_t k = 0; k < index->atoms.count; k++) {
            Atom by = index->atoms.items[k];
            bool known = by.object == OBJECT_NUMBER && by.stride == 0;
            absvalue_add(&moved, known ? atom_moved(base->atoms.items[i], by.offset * (int64_t)scale)
                                       : atom_spread(base->atoms.items[i], scale));
        }
    }
    return moved;
}

static void evaluate_gep(PointsTo *a, Context *context, LLVMValueRef gep, AbsValue *result)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    AbsValue value = read_operand(a, context, gep, 0);
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        AbsValue index = read_operand(a, context, gep, i), moved;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(LLVMGetOperand(gep, i));
            AbsValue distance = {0};
            absvalue_add_number(&distance, (int64_t)LLVMOffsetOfElement(a->module->layout, type, field));
            moved = index_addresses(&value, &distance, 1);
            absvalue_release(&distance);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            if (i > 1)
                type = LLVMGetElementType(type);
            moved = index_addresses(&value, &index, LLVMABISizeOfType(a->module->layout, type));
        }
        absvalue_release(&index);
        absvalue_release(&value);
        value = moved;
    }
    absvalue_join(result, &value);
    absvalue_release(&value);
}

static void evaluate_load(PointsTo *a, Context *context, LLVMValueRef load, AbsValue *result)
{
    AbsValue address = read_operand(a, context, load, 0);
    absmemory_load(&a->memory, &address, module_size_of(a->module, LLVMTypeOf(load)), result);
    if (!is_plain_number(load) && !absvalue_is_empty(result))
        absvalue_add_numbers(result);
    absvalue_release(&address);
}

static void evaluate_store(PointsTo *a, Context *context, LLVMValueRef store)
{
    AbsValue value = read_operand(a, context, store, 0), address = read_operand(a, context, store, 1);
    absmemory_store(&a->memory, &address, module_size_of(a->module, LLVMTypeOf(LLVMGetOperand(store, 0))), &value);
    absvalue_release(&value);
    absvalue_release(&address);
}

/* Exchanges of any kind: what was there comes back, what is given may be there. */
static void evaluate_exchange(PointsTo *a, Context *context, LLVMValueRef exchange, unsigned operand, AbsValue *result)
{
    AbsValue address = read_operand(a, context, exchange, 0), value = read_operand(a, context, exchange, operand);
    uint64_t size = module_size_of(a->module, LLVMTypeOf(LLVMGetOperand(exchange, operand)));
    absvalue_add_numbers(&value);
    absmemory_store(&a->memory, &address, size, &value);
    absmemory_load(&a->memory, &address, size, result);
    absvalue_add_numbers(result);
    absvalue_release(&address);
    absvalue_release(&value);
}

/* Structures, vectors and floating point: all addresses that go in may come out. */
static void mix_operands(PointsTo *a, Context *context, LLVMValueRef instruction, AbsValue *result)
{
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(instruction); i++)
        if (!LLVMIsABasicBlock(LLVMGetOperand(instruction, i)))
            pointsto_read(a, context, LLVMGetOperand(instruction, i), result);
    absvalue_add_numbers(result);
}

static void evaluate_select(PointsTo *a, Context *context, LLVMValueRef select, AbsValue *result)
{
    AbsValue condition = read_operand(a, context, select, 0);
    bool constant = absvalue_is_constant(&condition);
    for (uint32_t i = 0; constant && i < condition.atoms.count; i++)
        pointsto_read(a, context, LLVMGetOperand(select, condition.atoms.items[i].offset ? 1 : 2), result);
    if (!constant && !absvalue_is_empty(&condition)) {
        pointsto_read(a, context, LLVMGetOperand(select, 1), result);
        pointsto_read(a, context, LLVMGetOperand(select, 2), result);
    }
    absvalue_release(&condition);
}

static void evaluate_two(PointsTo *a, Context *context, LLVMValueRef instruction, AbsValue *result)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    AbsValue left = read_operand(a, context, instruction, 0), right = read_operand(a, context, instruction, 1);
    unsigned width = width_of(LLVMGetOperand(instruction, 0));
    if (!is_plain_number(LLVMGetOperand(instruction, 0)))
        mix_operands(a, context, instruction, result);
    else if (opcode == LLVMICmp)
        absfold_compare(&a->memory, LLVMGetICmpPredicate(instruction), width, &left, &right, result);
    else
        absfold_binary(opcode, width, &left, &right, result);
    absvalue_release(&left);
    absvalue_release(&right);
}

static void evaluate_cast(PointsTo *a, Context *context, LLVMValueRef cast, AbsValue *result)
{
    AbsValue value = read_operand(a, context, cast, 0);
    if (is_plain_number(cast) && is_plain_number(LLVMGetOperand(cast, 0)))
        absfold_cast(LLVMGetInstructionOpcode(cast), width_of(LLVMGetOperand(cast, 0)), width_of(cast), &value, result);
    else
        mix_operands(a, context, cast, result);
    absvalue_release(&value);
}

static void evaluate(PointsTo *a, Context *context, LLVMValueRef instruction, AbsValue *result)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMAlloca: add_address(result, object_of_allocation(a, context, instruction, OBJECT_LOCAL)); break;
    case LLVMPHI: evaluate_phi(a, context, instruction, result); break;
    case LLVMGetElementPtr: evaluate_gep(a, context, instruction, result); break;
    case LLVMLoad: evaluate_load(a, context, instruction, result); break;
    case LLVMStore: evaluate_store(a, context, instruction); break;
    case LLVMAtomicRMW: evaluate_exchange(a, context, instruction, 1, result); break;
    case LLVMAtomicCmpXchg: evaluate_exchange(a, context, instruction, 2, result); break;
    case LLVMSelect: evaluate_select(a, context, instruction, result); break;
    case LLVMCall: evaluate_call(a, context, instruction, result); break;
    case LLVMFreeze: pointsto_read(a, context, LLVMGetOperand(instruction, 0), result); break;
    case LLVMTrunc: case LLVMZExt: case LLVMSExt: case LLVMPtrToInt: case LLVMIntToPtr: case LLVMBitCast: case LLVMAddrSpaceCast:
        evaluate_cast(a, context, instruction, result);
        break;
    case LLVMICmp: case LLVMAdd: case LLVMSub: case LLVMMul: case LLVMUDiv: case LLVMSDiv: case LLVMURem: case LLVMSRem:
    case LLVMShl: case LLVMLShr: case LLVMAShr: case LLVMAnd: case LLVMOr: case LLVMXor:
        evaluate_two(a, context, instruction, result);
        break;
    case LLVMBr: case LLVMSwitch: case LLVMUnreachable: case LLVMIndirectBr: case LLVMFence: break;
    case LLVMRet:
        if (LLVMGetNumOperands(instruction))
            pointsto_read(a, context, LLVMGetOperand(instruction, 0), result);
        a->changed |= absvalue_join(&context->result, result);
        break;
    default: mix_operands(a, context, instruction, result); break;
    }
}

/* ---- Control flow ------------------------------------------------------------------------------- */

static bool switch_takes(LLVMValueRef end, const AbsValue *condition, LLVMBasicBlockRef to)
{
    for (uint32_t i = 0; i < condition->atoms.count; i++) {
        LLVMBasicBlockRef target = LLVMGetSwitchDefaultDest(end);
        for (unsigned k = 1; k < LLVMGetNumSuccessors(end); k++)
            if (LLVMConstIntGetSExtValue(LLVMGetOperand(end, 2 * k)) == condition->atoms.items[i].offset)
                target = LLVMGetSuccessor(end, k);
        if (target == to)
            return true;
    }
    return false;
}

bool pointsto_goes_to(PointsTo *a, Context *context, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    bool conditional = LLVMIsABranchInst(end) && LLVMIsConditional(end), takes = true;
    if ((!conditional && !LLVMIsASwitchInst(end)) || context->forced[cfg_index(context->function->cfg, from)])
        return true;
    AbsValue condition = {0};
    pointsto_read(a, context, conditional ? LLVMGetCondition(end) : LLVMGetOperand(end, 0), &condition);
    if (absvalue_is_empty(&condition)) {
        takes = false;
    } else if (absvalue_is_constant(&condition) && conditional) {
        takes = false;
        for (uint32_t i = 0; i < condition.atoms.count; i++)
            takes |= LLVMGetSuccessor(end, condition.atoms.items[i].offset ? 0 : 1) == to;
    } else if (absvalue_is_constant(&condition)) {
        takes = switch_takes(end, &condition, to);
    }
    absvalue_release(&condition);
    return takes;
}

static bool evaluate_block(PointsTo *a, Context *context, uint32_t block)
{
    bool changed = false;
    LLVMBasicBlockRef here = cfg_block(context->function->cfg, block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(here); i; i = LLVMGetNextInstruction(i)) {
        AbsValue result = {0};
        evaluate(a, context, i, &result);
        changed |= absvalue_join(&context->values[*map_find(&context->function->slots, map_key(i))], &result);
        absvalue_release(&result);
    }
    const BlockList *next = cfg_successors(context->function->cfg, block);
    for (uint32_t i = 0; i < next->count; i++)
        if (!context->reached[next->items[i]] &&
            pointsto_goes_to(a, context, here, cfg_block(context->function->cfg, next->items[i])))
            context->reached[next->items[i]] = changed = true;
    return changed;
}

static void evaluate_context(PointsTo *a, Context *context)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < cfg_block_count(context->function->cfg); b++)
            if (context->reached[b])
                changed |= evaluate_block(a, context, b);
        a->changed |= changed;
    }
}

/* What code that is not there has got hold of, it can follow. */
static void settle_memory(PointsTo *a)
{
    for (uint32_t i = OBJECT_FIRST; i < a->memory.objects.count; i++)
        for (uint32_t k = 0; absmemory_get(&a->memory, i)->foreign && k < absmemory_get(&a->memory, i)->parts.count; k++)
            absmemory_hand_out(&a->memory, &absmemory_get(&a->memory, i)->parts.items[k].value);
}

static void grow(PointsTo *a)
{
    do {
        a->changed = a->memory.changed = false;
        for (uint32_t i = 0; i < a->contexts.count; i++)
            evaluate_context(a, a->contexts.items[i]);
        settle_memory(a);
    } while (a->changed || a->memory.changed);
}

/* Blocks that end, or call, by a value that never came. */
static bool is_stuck(PointsTo *a, Context *context, uint32_t block)
{
    LLVMBasicBlockRef here = cfg_block(context->function->cfg, block);
    const BlockList *next = cfg_successors(context->function->cfg, block);
    bool goes = next->count == 0;
    for (uint32_t i = 0; i < next->count; i++)
        goes |= pointsto_goes_to(a, context, here, cfg_block(context->function->cfg, next->items[i]));
    for (LLVMValueRef i = LLVMGetFirstInstruction(here); i && goes; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsACallInst(i) || pointsto_called(i) || LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
            continue;
        AbsValue called = {0};
        pointsto_read(a, context, LLVMGetCalledValue(i), &called);
        goes = false;
        for (uint32_t k = 0; k < called.atoms.count; k++)
            goes |= called.atoms.items[k].object != OBJECT_NUMBER;
        absvalue_release(&called);
    }
    return !goes;
}

static bool force_stuck(PointsTo *a)
{
    bool forced = false;
    for (uint32_t i = 0; i < a->contexts.count; i++) {
        Context *context = a->contexts.items[i];
        for (uint32_t b = 0; b < cfg_block_count(context->function->cfg); b++)
            if (context->reached[b] && !context->forced[b] && is_stuck(a, context, b))
                context->forced[b] = forced = true;
    }
    return forced;
}

/* ---- Lifecycle ------------------------------------------------------------------------------------ */

/* Arguments of main: numbers and strings. */
static void start_main(PointsTo *a, LLVMValueRef main)
{
    VEC_PUSH(&a->threads, ((ThreadClass){.single = true}));
    Context *root = make_context(a, function_of(a, main), NULL, NULL, 0);
    root->single = true;
    a->threads.items[0].root = root;
    a->threads.items[0].object = absmemory_create(&a->memory, OBJECT_THREAD, main, true);
    for (unsigned i = 0; i < LLVMCountParams(main); i++) {
        absvalue_add_numbers(&root->values[i]);
        if (i > 0)
            absvalue_add(&root->values[i], (Atom){.object = OBJECT_UNKNOWN});
    }
}

PointsTo *pointsto_create(Module *module)
{
    LLVMValueRef main = LLVMGetNamedFunction(module->llvm, "main");
    if (!main || LLVMIsDeclaration(main))
        return NULL;
    PointsTo *a = mem_alloc(sizeof *a);
    a->module = module;
    absmemory_init(&a->memory);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            add_function(a, f);
    start_main(a, main);
    do
        grow(a);
    while (force_stuck(a));
    return a;
}

static void destroy_context(Context *context)
{
    for (uint32_t i = 0; i < context->function->slot_count; i++)
        absvalue_release(&context->values[i]);
    absvalue_release(&context->result);
    free(context->values);
    free(context->reached);
    free(context->forced);
    VEC_FREE(&context->callees);
    VEC_FREE(&context->threads);
    free(context);
}

void pointsto_destroy(PointsTo *a)
{
    for (uint32_t i = 0; i < a->contexts.count; i++)
        destroy_context(a->contexts.items[i]);
    for (uint32_t i = 0; i < a->function_list.count; i++) {
        cfg_destroy(a->function_list.items[i]->cfg);
        map_release(&a->function_list.items[i]->slots);
        free(a->function_list.items[i]->repeats);
        free(a->function_list.items[i]);
    }
    absconstant_release(a);
    VEC_FREE(&a->contexts);
    VEC_FREE(&a->function_list);
    VEC_FREE(&a->threads);
    VEC_FREE(&a->unfollowed);
    absvalue_release(&a->kept);
    map_release(&a->functions);
    map_release(&a->globals);
    map_release(&a->allocations);
    map_release(&a->shared);
    absmemory_release(&a->memory);
    free(a);
}
