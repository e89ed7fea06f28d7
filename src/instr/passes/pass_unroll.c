/* pass_unroll.c - counts the iterations of loops, for a bound on them
 *
 * Each loop has a counter in its function's frame: how many iterations have begun since the loop was entered. An
 * iteration begins where the condition of the loop holds or, if the loop does not begin with one, at its header. So the
 * bound does not depend on the schedule, and a loop that ends after N iterations does not meet a bound of N. Loops that
 * have become blocking waits are counted too; they iterate only when woken.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "instr/module/callee.h"
#include "instr/module/cfg.h"
#include "instr/module/edge.h"
#include "instr/module/hook.h"
#include "instr/module/private.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"

typedef struct LoopEdge {
    LLVMBasicBlockRef from, to;
} LoopEdge;

/* The blocks of a loop, valid also after other blocks were added. */
typedef struct LoopBlocks {
    LLVMBasicBlockRef header;
    VEC(LLVMBasicBlockRef) entries;
    VEC(LoopEdge) begins;   /* where iterations begin                                */
    bool has_condition;     /* where the first one begins, too, not with the loop    */
} LoopBlocks;

typedef VEC(LoopBlocks) LoopBlocksList;

/* ---- The condition of a loop --------------------------------------------------------- */

/* Not those of ours, such as coverage. */
static bool is_effect(LLVMValueRef i)
{
    if (LLVMIsAStoreInst(i))
        return !name_begins(module_name_of(private_root(LLVMGetOperand(i, 1))), "sennit");
    if (LLVMIsACallInst(i))
        return !name_begins(callee_name(i), "llvm.") && !name_begins(callee_name(i), "sennit_rt_");
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

static bool has_effects(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (is_effect(i))
            return true;
    return false;
}

/* The block outside the loop that this one may lead to; CFG_NONE: there is none. */
static uint32_t way_out(const Cfg *cfg, const NaturalLoop *loop, uint32_t block)
{
    const BlockList *next = cfg_successors(cfg, block);
    for (uint32_t i = 0; i < next->count; i++)
        if (!loop->contains[next->items[i]])
            return next->items[i];
    return CFG_NONE;
}

/* Is the block, behind blocks of the condition, a part of it too? Such a condition is a && b: a leads to b or out of
 * the loop, or to a block behind both that leads there. */
static bool continues_condition(const Cfg *cfg, const NaturalLoop *loop, const bool *condition, uint32_t block)
{
    const BlockList *before = cfg_predecessors(cfg, block);
    uint32_t out = way_out(cfg, loop, block);
    bool decided = true;
    for (uint32_t i = 0; i < before->count; i++) {
        if (!condition[before->items[i]])
            return false;
        decided &= way_out(cfg, loop, before->items[i]) != CFG_NONE;
    }
    return !has_effects(cfg_block(cfg, block)) &&
           (!decided || (out != CFG_NONE && out == way_out(cfg, loop, before->items[0])));
}

/* Blocks are numbered such that each comes after those that lead to it, but for headers of loops. */
static void find_condition(const Cfg *cfg, const NaturalLoop *loop, bool *condition)
{
    uint32_t header = loop->header;
    condition[header] = way_out(cfg, loop, header) != CFG_NONE || !has_effects(cfg_block(cfg, header));
    for (uint32_t b = header + 1; b < cfg_block_count(cfg); b++)
        condition[b] = loop->contains[b] && continues_condition(cfg, loop, condition, b);
}

/* Adds the edges that leave the condition for the rest of the loop. False if the loop does not begin with a condition:
 * one of the edges is a back edge, or comes from a block that decides nothing. */
static bool find_begins(const Cfg *cfg, const NaturalLoop *loop, const bool *condition, LoopBlocks *blocks)
{
    for (uint32_t i = 0; i < loop->blocks.count; i++) {
        uint32_t from = loop->blocks.items[i];
        const BlockList *next = cfg_successors(cfg, from);
        for (uint32_t n = 0; condition[from] && n < next->count; n++) {
            uint32_t to = next->items[n];
            if (!loop->contains[to] || (condition[to] && to != loop->header))
                continue;
            if (to == loop->header || way_out(cfg, loop, from) == CFG_NONE)
                return false;
            VEC_PUSH(&blocks->begins, ((LoopEdge){cfg_block(cfg, from), cfg_block(cfg, to)}));
        }
    }
    return blocks->begins.count > 0;
}

static void find_iterations(const Cfg *cfg, const NaturalLoop *loop, LoopBlocks *blocks)
{
    bool *condition = mem_alloc(cfg_block_count(cfg) * sizeof *condition);
    find_condition(cfg, loop, condition);
    blocks->has_condition = find_begins(cfg, loop, condition, blocks);
    free(condition);
    if (blocks->has_condition)
        return;
    blocks->begins.count = 0;
    for (uint32_t i = 0; i < loop->latches.count; i++)
        VEC_PUSH(&blocks->begins, ((LoopEdge){cfg_block(cfg, loop->latches.items[i]), blocks->header}));
}

static LoopBlocksList find_loops(LLVMValueRef function)
{
    LoopBlocksList list = {0};
    Cfg *cfg = cfg_create(function);
    LoopList loops = cfg_loops(cfg);
    for (uint32_t i = 0; i < loops.count; i++) {
        const NaturalLoop *loop = &loops.items[i];
        LoopBlocks blocks = {.header = cfg_block(cfg, loop->header)};
        const BlockList *before = cfg_predecessors(cfg, loop->header);
        for (uint32_t p = 0; p < before->count; p++)
            if (!loop->contains[before->items[p]])
                VEC_PUSH(&blocks.entries, cfg_block(cfg, before->items[p]));
        find_iterations(cfg, loop, &blocks);
        VEC_PUSH(&list, blocks);
    }
    cfg_release_loops(&loops);
    cfg_destroy(cfg);
    return list;
}

static LLVMValueRef make_counter(Module *m, LLVMValueRef function)
{
    LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    LLVMSetCurrentDebugLocation2(m->builder, NULL);
    return LLVMBuildAlloca(m->builder, m->i32, "");
}

static void build_before_end(Module *m, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderBefore(m->builder, LLVMGetBasicBlockTerminator(block));
}

static void count_iteration(Module *m, const LoopEdge *begin, LLVMValueRef counter)
{
    LLVMValueRef site = site_of(m, LLVMGetBasicBlockTerminator(begin->from));
    build_before_end(m, edge_split(m, begin->from, begin->to));
    LLVMValueRef before = LLVMBuildLoad2(m->builder, m->i32, counter, "");
    LLVMValueRef now = LLVMBuildAdd(m->builder, before, module_i32(m, 1), "");
    LLVMBuildStore(m->builder, now, counter);
    LLVMValueRef args[] = {now, site};
    hook_call(m, m->void_type, "loop_iteration", args, 2);
}

static void count_loop(Module *m, LLVMValueRef function, const LoopBlocks *blocks)
{
    LLVMValueRef counter = make_counter(m, function);
    for (uint32_t i = 0; i < blocks->entries.count; i++) {
        build_before_end(m, edge_split(m, blocks->entries.items[i], blocks->header));
        LLVMBuildStore(m->builder, module_i32(m, blocks->has_condition ? 0 : 1), counter);
    }
    for (uint32_t i = 0; i < blocks->begins.count; i++)
        count_iteration(m, &blocks->begins.items[i], counter);
}

static void release(LoopBlocksList *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        VEC_FREE(&list->items[i].entries);
        VEC_FREE(&list->items[i].begins);
    }
    VEC_FREE(list);
}

/* One loop at a time: splitting an edge may give another loop a new predecessor. */
static void count_loop_at(Module *m, LLVMValueRef function, LLVMBasicBlockRef header)
{
    LoopBlocksList now = find_loops(function);
    for (uint32_t i = 0; i < now.count; i++)
        if (now.items[i].header == header)
            count_loop(m, function, &now.items[i]);
    release(&now);
}

void pass_unroll(Module *m)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m->llvm); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        LoopBlocksList list = find_loops(f);
        for (uint32_t i = 0; i < list.count; i++)
            count_loop_at(m, f, list.items[i].header);
        release(&list);
    }
}
