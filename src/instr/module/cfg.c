/* cfg.c - see cfg.h
 *
 * Dominators by the iterative algorithm of Cooper, Harvey and Kennedy: intersect the
 * dominators of the predecessors, in reverse post-order, until nothing changes.
 */
#include "instr/module/cfg.h"

#include <stdlib.h>

#include "base/mem.h"

typedef struct BlockIndex {
    LLVMBasicBlockRef block;
    uint32_t index;
} BlockIndex;

struct Cfg {
    uint32_t count;            /* blocks that can be reached       */
    LLVMBasicBlockRef *blocks; /* by index                         */
    BlockIndex *named;              /* all blocks, sorted by address    */
    uint32_t named_count;
    BlockList *successors, *predecessors;
    uint32_t *dominator;       /* immediate; the entry's is itself */
};

/* ---- Numbering ------------------------------------------------------------ */

static int compare_named(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const BlockIndex *)a)->block, y = (uintptr_t)((const BlockIndex *)b)->block;
    return x < y ? -1 : x > y;
}

static BlockIndex *find_named(const Cfg *cfg, LLVMBasicBlockRef block)
{
    BlockIndex key = {.block = block};
    return bsearch(&key, cfg->named, cfg->named_count, sizeof key, compare_named);
}

static void list_blocks(Cfg *cfg, LLVMValueRef function)
{
    cfg->named = mem_alloc(LLVMCountBasicBlocks(function) * sizeof *cfg->named);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        cfg->named[cfg->named_count++] = (BlockIndex){.block = b, .index = CFG_NONE};
    qsort(cfg->named, cfg->named_count, sizeof *cfg->named, compare_named);
}

typedef struct Visit {
    BlockIndex *named;
    unsigned next; /* successor to visit next */
} Visit;

/* The next unvisited successor of `visit` in the depth-first search, or NULL. */
static BlockIndex *next_unseen(const Cfg *cfg, Visit *visit)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(visit->named->block);
    while (visit->next < LLVMGetNumSuccessors(end)) {
        BlockIndex *next = find_named(cfg, LLVMGetSuccessor(end, visit->next++));
        if (next->index == CFG_NONE)
            return next;
    }
    return NULL;
}

/* Numbers the blocks from the last finished to the first. The stack is explicit, since
 * generated programs have very long functions. */
static void number_blocks(Cfg *cfg, LLVMBasicBlockRef entry)
{
    Visit *stack = mem_alloc(cfg->named_count * sizeof *stack);
    BlockIndex **finished = mem_alloc(cfg->named_count * sizeof *finished);
    uint32_t depth = 0, done = 0;
    stack[depth++] = (Visit){.named = find_named(cfg, entry)};
    stack[0].named->index = 0;
    while (depth) {
        BlockIndex *next = next_unseen(cfg, &stack[depth - 1]);
        if (next) {
            next->index = 0; /* visited; numbered below */
            stack[depth++] = (Visit){.named = next};
        } else {
            finished[done++] = stack[--depth].named;
        }
    }
    cfg->count = done;
    cfg->blocks = mem_alloc(done * sizeof *cfg->blocks);
    for (uint32_t i = 0; i < done; i++) {
        finished[i]->index = done - 1 - i;
        cfg->blocks[done - 1 - i] = finished[i]->block;
    }
    free(finished);
    free(stack);
}

static void connect(Cfg *cfg)
{
    cfg->successors = mem_alloc(cfg->count * sizeof *cfg->successors);
    cfg->predecessors = mem_alloc(cfg->count * sizeof *cfg->predecessors);
    for (uint32_t i = 0; i < cfg->count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[i]);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            uint32_t next = find_named(cfg, LLVMGetSuccessor(end, k))->index;
            VEC_PUSH(&cfg->successors[i], next);
            VEC_PUSH(&cfg->predecessors[next], i);
        }
    }
}

/* ---- Dominators ----------------------------------------------------------- */

static uint32_t common_dominator(const uint32_t *dominator, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (a > b)
            a = dominator[a];
        while (b > a)
            b = dominator[b];
    }
    return a;
}

static uint32_t dominator_from_predecessors(const Cfg *cfg, uint32_t block)
{
    uint32_t result = CFG_NONE;
    const BlockList *before = &cfg->predecessors[block];
    for (uint32_t k = 0; k < before->count; k++) {
        uint32_t p = before->items[k];
        if (cfg->dominator[p] != CFG_NONE)
            result = result == CFG_NONE ? p : common_dominator(cfg->dominator, p, result);
    }
    return result;
}

static void find_dominators(Cfg *cfg)
{
    cfg->dominator = mem_alloc(cfg->count * sizeof *cfg->dominator);
    for (uint32_t i = 1; i < cfg->count; i++)
        cfg->dominator[i] = CFG_NONE;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 1; i < cfg->count; i++) {
            uint32_t found = dominator_from_predecessors(cfg, i);
            changed |= found != cfg->dominator[i];
            cfg->dominator[i] = found;
        }
    }
}

bool cfg_dominates(const Cfg *cfg, uint32_t above, uint32_t below)
{
    while (below > above)
        below = cfg->dominator[below];
    return below == above;
}

/* ---- Lifecycle and queries ------------------------------------------------ */

Cfg *cfg_create(LLVMValueRef function)
{
    Cfg *cfg = mem_alloc(sizeof *cfg);
    list_blocks(cfg, function);
    number_blocks(cfg, LLVMGetEntryBasicBlock(function));
    connect(cfg);
    find_dominators(cfg);
    return cfg;
}

void cfg_destroy(Cfg *cfg)
{
    if (!cfg)
        return;
    for (uint32_t i = 0; i < cfg->count; i++) {
        VEC_FREE(&cfg->successors[i]);
        VEC_FREE(&cfg->predecessors[i]);
    }
    free(cfg->successors);
    free(cfg->predecessors);
    free(cfg->blocks);
    free(cfg->named);
    free(cfg->dominator);
    free(cfg);
}

uint32_t cfg_block_count(const Cfg *cfg)
{
    return cfg->count;
}

LLVMBasicBlockRef cfg_block(const Cfg *cfg, uint32_t index)
{
    return cfg->blocks[index];
}

uint32_t cfg_index(const Cfg *cfg, LLVMBasicBlockRef block)
{
    return find_named(cfg, block)->index;
}

const BlockList *cfg_successors(const Cfg *cfg, uint32_t index)
{
    return &cfg->successors[index];
}

const BlockList *cfg_predecessors(const Cfg *cfg, uint32_t index)
{
    return &cfg->predecessors[index];
}

/* ---- Loops ---------------------------------------------------------------- */

static void add_block(NaturalLoop *loop, uint32_t block)
{
    if (loop->contains[block])
        return;
    loop->contains[block] = true;
    VEC_PUSH(&loop->blocks, block);
}

/* The body: what reaches a latch without passing the header. */
static void fill_loop(const Cfg *cfg, NaturalLoop *loop)
{
    loop->contains = mem_alloc(cfg->count * sizeof *loop->contains);
    add_block(loop, loop->header);
    for (uint32_t i = 0; i < loop->latches.count; i++)
        add_block(loop, loop->latches.items[i]);
    for (uint32_t i = 1; i < loop->blocks.count; i++) {
        const BlockList *before = &cfg->predecessors[loop->blocks.items[i]];
        for (uint32_t k = 0; k < before->count; k++)
            add_block(loop, before->items[k]);
    }
}

static BlockList find_latches(const Cfg *cfg, uint32_t header)
{
    BlockList latches = {0};
    const BlockList *before = &cfg->predecessors[header];
    for (uint32_t k = 0; k < before->count; k++)
        if (cfg_dominates(cfg, header, before->items[k]))
            VEC_PUSH(&latches, before->items[k]);
    return latches;
}

static bool contains_other_header(const NaturalLoop *loop, const LoopList *loops)
{
    for (uint32_t i = 0; i < loops->count; i++)
        if (loops->items[i].header != loop->header && loop->contains[loops->items[i].header])
            return true;
    return false;
}

LoopList cfg_loops(const Cfg *cfg)
{
    LoopList loops = {0};
    for (uint32_t i = 0; i < cfg->count; i++) {
        NaturalLoop loop = {.header = i, .latches = find_latches(cfg, i)};
        if (!loop.latches.count)
            continue;
        fill_loop(cfg, &loop);
        VEC_PUSH(&loops, loop);
    }
    for (uint32_t i = 0; i < loops.count; i++)
        loops.items[i].innermost = !contains_other_header(&loops.items[i], &loops);
    return loops;
}

void cfg_release_loops(LoopList *loops)
{
    for (uint32_t i = 0; i < loops->count; i++) {
        VEC_FREE(&loops->items[i].blocks);
        VEC_FREE(&loops->items[i].latches);
        free(loops->items[i].contains);
    }
    VEC_FREE(loops);
}
