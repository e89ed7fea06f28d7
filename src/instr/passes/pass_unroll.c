/* pass_unroll.c - counts the iterations of loops, for a bound on them
 *
 * Each loop has a counter in its function's frame: set to 0 when the loop is entered, incremented on its back edges.
 * So the bound does not depend on the schedule. Loops that have become blocking waits are counted too; they iterate
 * only when woken.
 */
#include "instr/module/cfg.h"
#include "instr/module/edge.h"
#include "instr/module/hook.h"
#include "instr/module/site.h"
#include "instr/passes/passes.h"

/* The blocks of a loop, valid also after other blocks were added. */
typedef struct LoopBlocks {
    LLVMBasicBlockRef header;
    VEC(LLVMBasicBlockRef) entries, latches;
} LoopBlocks;

typedef VEC(LoopBlocks) LoopBlocksList;

static LoopBlocksList find_loops(LLVMValueRef function)
{
    LoopBlocksList list = {0};
    Cfg *cfg = cfg_create(function);
    LoopList loops = cfg_loops(cfg);
    for (uint32_t i = 0; i < loops.count; i++) {
        const NaturalLoop *loop = &loops.items[i];
        LoopBlocks blocks = {.header = cfg_block(cfg, loop->header)};
        const BlockList *before = cfg_predecessors(cfg, loop->header);
        for (uint32_t p = 0; p < before->count; p++) {
            if (loop->contains[before->items[p]])
                VEC_PUSH(&blocks.latches, cfg_block(cfg, before->items[p]));
            else
                VEC_PUSH(&blocks.entries, cfg_block(cfg, before->items[p]));
        }
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

static void count_iteration(Module *m, LLVMBasicBlockRef latch, LLVMBasicBlockRef header, LLVMValueRef counter)
{
    LLVMValueRef site = site_of(m, LLVMGetBasicBlockTerminator(latch));
    build_before_end(m, edge_split(m, latch, header));
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
        LLVMBuildStore(m->builder, module_i32(m, 0), counter);
    }
    for (uint32_t i = 0; i < blocks->latches.count; i++)
        count_iteration(m, blocks->latches.items[i], blocks->header, counter);
}

static void release(LoopBlocksList *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        VEC_FREE(&list->items[i].entries);
        VEC_FREE(&list->items[i].latches);
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
