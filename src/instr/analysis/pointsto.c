/* pointsto.c - see pointsto.h
 *
 * A least fixpoint: all sets grow from empty until nothing changes, and a branch whose condition has no value yet is
 * not taken. Where a condition has none at the end (it depends on memory that no store reaches), both branches are
 * taken and the iteration continues.
 */
#include "instr/analysis/pointsto_internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "instr/analysis/abstract_constant.h"
#include "instr/analysis/waitloop.h"
#include "instr/module/callee.h"

/* ---- Control flow ---------------------------------------------------------------------------- */

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
    if (abstract_value_is_empty(&condition)) {
        takes = false;
    } else if (abstract_value_is_constant(&condition) && conditional) {
        takes = false;
        for (uint32_t i = 0; i < condition.atoms.count; i++)
            takes |= LLVMGetSuccessor(end, condition.atoms.items[i].offset ? 0 : 1) == to;
    } else if (abstract_value_is_constant(&condition)) {
        takes = switch_takes(end, &condition, to);
    }
    abstract_value_release(&condition);
    return takes;
}

/* ---- The fixpoint --------------------------------------------------------------------------------- */

static bool evaluate_block(PointsTo *a, Context *context, uint32_t block)
{
    bool changed = false;
    LLVMBasicBlockRef here = cfg_block(context->function->cfg, block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(here); i; i = LLVMGetNextInstruction(i)) {
        AbsValue result = {0};
        pointsto_evaluate(a, context, i, &result);
        changed |= abstract_value_join(&context->values[*map_find(&context->function->slots, map_key(i))], &result);
        abstract_value_release(&result);
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

/* External code can reach everything behind the addresses it has. */
static void settle_memory(PointsTo *a)
{
    for (uint32_t i = OBJECT_FIRST; i < a->memory.objects.count; i++)
        for (uint32_t k = 0;
             abstract_memory_get(&a->memory, i)->foreign && k < abstract_memory_get(&a->memory, i)->parts.count; k++)
            abstract_memory_hand_out(&a->memory, &abstract_memory_get(&a->memory, i)->parts.items[k].value);
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

/* Blocks that branch on, or call, a value that is still empty. */
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
        abstract_value_release(&called);
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

/* ---- Lifecycle ------------------------------------------------------------------------------- */

/* The arguments of main: numbers and strings. */
static void start_main(PointsTo *a, LLVMValueRef main)
{
    VEC_PUSH(&a->threads, ((ThreadClass){.single = true}));
    Context *root = pointsto_make_context(a, pointsto_function(a, main), NULL, NULL, 0);
    root->single = true;
    a->threads.items[0].root = root;
    a->threads.items[0].object = abstract_memory_create(&a->memory, OBJECT_THREAD, main, true);
    for (unsigned i = 0; i < LLVMCountParams(main); i++) {
        abstract_value_add_numbers(&root->values[i]);
        if (i > 0)
            abstract_value_add(&root->values[i], (AbsAtom){.object = OBJECT_UNKNOWN});
    }
}

/* Constructors and destructors run before and after what is analysed. */
static void note_outside(PointsTo *a, const char *list)
{
    LLVMValueRef global = LLVMGetNamedGlobal(a->module->llvm, list);
    LLVMValueRef rows = global ? LLVMGetInitializer(global) : NULL;
    for (int i = 0; rows && i < LLVMGetNumOperands(rows); i++) {
        LLVMValueRef function = LLVMGetOperand(LLVMGetOperand(rows, (unsigned)i), 1);
        if (!LLVMIsAFunction(function) || LLVMIsDeclaration(function))
            continue;
        ValueList instructions = module_instructions(function);
        for (uint32_t k = 0; k < instructions.count; k++)
            if (LLVMIsACallInst(instructions.items[k]) && !name_begins(callee_name(instructions.items[k]), "llvm."))
                VEC_PUSH(&a->unresolved, instructions.items[k]);
        VEC_FREE(&instructions);
    }
}

PointsTo *pointsto_create(Module *module)
{
    LLVMValueRef main = LLVMGetNamedFunction(module->llvm, "main");
    if (!main || LLVMIsDeclaration(main))
        return NULL;
    PointsTo *a = mem_alloc(sizeof *a);
    a->module = module;
    abstract_memory_init(&a->memory);
    for (LLVMValueRef f = LLVMGetFirstFunction(module->llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            pointsto_add_function(a, f);
    for (uint32_t i = 0; i < a->function_list.count; i++)
        a->other_waits |= waitloop_in(a->function_list.items[i]->cfg);
    start_main(a, main);
    note_outside(a, "llvm.global_ctors");
    note_outside(a, "llvm.global_dtors");
    do
        grow(a);
    while (force_stuck(a));
    return a;
}

void pointsto_destroy(PointsTo *a)
{
    for (uint32_t i = 0; i < a->contexts.count; i++)
        pointsto_destroy_context(a->contexts.items[i]);
    for (uint32_t i = 0; i < a->function_list.count; i++)
        pointsto_destroy_function(a->function_list.items[i]);
    abstract_constant_release(a);
    VEC_FREE(&a->contexts);
    VEC_FREE(&a->function_list);
    VEC_FREE(&a->threads);
    VEC_FREE(&a->unresolved);
    abstract_value_release(&a->kept);
    map_release(&a->functions);
    map_release(&a->globals);
    map_release(&a->allocations);
    map_release(&a->shared);
    abstract_memory_release(&a->memory);
    free(a);
}
