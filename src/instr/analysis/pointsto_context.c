/* pointsto_context.c - functions, and the contexts in which they are called; see pointsto_internal.h */
#include "instr/analysis/pointsto_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { MOST_CONTEXTS = 3000, MOST_DEPTH = 60 };

/* ---- Functions ------------------------------------------------------------------------------- */

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

/* Blocks are numbered in reverse post-order: only edges to lower numbers close cycles. */
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

void pointsto_add_function(PointsTo *a, LLVMValueRef value)
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

Function *pointsto_function(const PointsTo *a, LLVMValueRef value)
{
    uint64_t *found = map_find(&a->functions, map_key(value));
    return found ? (Function *)(uintptr_t)*found : NULL;
}

void pointsto_destroy_function(Function *function)
{
    cfg_destroy(function->cfg);
    map_release(&function->slots);
    free(function->repeats);
    free(function);
}

/* ---- Contexts -------------------------------------------------------------------------------- */

Context *pointsto_make_context(PointsTo *a, Function *function, Context *caller, LLVMValueRef call, uint32_t thread)
{
    Context *context = mem_alloc(sizeof *context);
    uint32_t blocks = cfg_block_count(function->cfg);
    *context =
        (Context){.function = function, .caller = caller, .call = call, .thread = thread, .number = a->contexts.count};
    context->values = mem_alloc((function->slot_count + 1) * sizeof *context->values);
    context->reached = mem_alloc(blocks + 1);
    context->forced = mem_alloc(blocks + 1);
    context->reached[0] = true;
    VEC_PUSH(&context->threads, thread);
    VEC_PUSH(&a->contexts, context);
    a->changed = true;
    return context;
}

bool pointsto_is_repeated(const Context *context, LLVMValueRef instruction)
{
    uint32_t block = cfg_index(context->function->cfg, LLVMGetInstructionParent(instruction));
    return block == CFG_NONE || context->function->repeats[block];
}

/* The context of the same function among the callers, or NULL; `depth` counts the calls. */
static Context *find_above(Context *context, const Function *function, uint32_t *depth)
{
    for (*depth = 0; context; context = context->caller, ++*depth)
        if (context->function == function)
            return context;
    return NULL;
}

void pointsto_share_context(PointsTo *a, Context *context, const Context *with)
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
            pointsto_share_context(a, callee, context);
    }
}

Context *pointsto_context_of_call(PointsTo *a, Context *caller, LLVMValueRef call, Function *function)
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
            *map_insert(&a->shared, map_key(function), NULL) =
                map_key(pointsto_make_context(a, function, caller, call, caller->thread));
        context = (Context *)(uintptr_t)*map_find(&a->shared, map_key(function));
    }
    if (context) {
        pointsto_share_context(a, context, caller);
    } else {
        context = pointsto_make_context(a, function, caller, call, caller->thread);
        context->single = caller->single && !pointsto_is_repeated(caller, call);
        for (uint32_t i = 1; i < caller->threads.count; i++)
            VEC_PUSH(&context->threads, caller->threads.items[i]);
    }
    VEC_PUSH(&caller->callees, ((Callee){call, context}));
    return context;
}

void pointsto_destroy_context(Context *context)
{
    for (uint32_t i = 0; i < context->function->slot_count; i++)
        abstract_value_release(&context->values[i]);
    abstract_value_release(&context->result);
    free(context->values);
    free(context->reached);
    free(context->forced);
    VEC_FREE(&context->callees);
    VEC_FREE(&context->threads);
    free(context);
}
