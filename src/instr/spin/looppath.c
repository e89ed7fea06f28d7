/* looppath.c - see looppath.h
 *
 * Walks from the header along the branches. The first branch that is not constant gives the condition; two more walks
 * assume that it holds and that it does not. Phis have the value of the edge taken, so short-circuit operators are
 * resolved.
 */
#include "instr/spin/looppath.h"

#include <stddef.h>

#include "base/vec.h"

typedef enum LoopWalkEnd { WALK_FAILS, WALK_LEAVES, WALK_RETURNS, WALK_ASKS } LoopWalkEnd;

typedef struct PhiValue {
    LLVMValueRef phi, value;
} PhiValue;

typedef struct LoopWalk {
    Resolver resolver; /* must be first */
    const Cfg *cfg;
    const NaturalLoop *loop;
    VEC(PhiValue) choices;
    bool has_root, root_holds;
    Condition root;
} LoopWalk;

static LLVMValueRef resolve(const Resolver *resolver, LLVMValueRef value)
{
    const LoopWalk *walk = (const LoopWalk *)resolver;
    for (uint32_t i = walk->choices.count; i-- > 0;)
        if (walk->choices.items[i].phi == value)
            return walk->choices.items[i].value;
    return value;
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    return phi;
}

static void enter_block(LoopWalk *walk, uint32_t from, uint32_t to)
{
    LLVMBasicBlockRef source = cfg_block(walk->cfg, from);
    for (LLVMValueRef i = LLVMGetFirstInstruction(cfg_block(walk->cfg, to)); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i)) {
        PhiValue choice = {.phi = i, .value = resolve(&walk->resolver, incoming(i, source))};
        VEC_PUSH(&walk->choices, choice);
    }
}

/* The value of the branch condition: 1 true, 0 false, -1 unknown, -2 it is the first condition found (kept as the
 * root). */
static int evaluate(LoopWalk *walk, LLVMValueRef value)
{
    Meaning meaning = condition_meaning(&walk->resolver, value);
    if (meaning.kind == MEANS_CONSTANT)
        return meaning.constant;
    if (meaning.kind != MEANS_CONDITION)
        return -1;
    if (!walk->has_root) {
        walk->root = meaning.condition;
        return -2;
    }
    bool same = condition_equal(&meaning.condition, &walk->root);
    if (!same) { /* perhaps its negation */
        meaning.condition.relation = condition_negate(meaning.condition.relation);
        meaning.constant = !meaning.constant;
        same = condition_equal(&meaning.condition, &walk->root);
    }
    return same ? walk->root_holds == meaning.constant : -1;
}

/* The successor that a switch takes, if its value is known; clang leaves a scope with cleanups by a switch on the
 * destination. */
static bool decide_switch(LoopWalk *walk, LLVMValueRef branch, unsigned *way)
{
    LLVMValueRef value = resolve(&walk->resolver, LLVMGetOperand(branch, 0));
    if (!LLVMIsAConstantInt(value))
        return false;
    *way = 0;
    for (unsigned i = 1; i < LLVMGetNumSuccessors(branch); i++)
        if (LLVMGetOperand(branch, 2 * i) == value)
            *way = i;
    return true;
}

static bool decide(LoopWalk *walk, LLVMValueRef branch, unsigned *way, LoopWalkEnd *end)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(branch);
    *end = WALK_FAILS;
    *way = 0;
    if (opcode == LLVMSwitch)
        return decide_switch(walk, branch, way);
    if (opcode != LLVMBr)
        return false;
    if (!LLVMIsConditional(branch))
        return true;
    int truth = evaluate(walk, LLVMGetCondition(branch));
    if (truth == -2)
        *end = WALK_ASKS;
    *way = truth == 1 ? 0 : 1;
    return truth >= 0;
}

/* The next block, or CFG_NONE with the reason in `end`. */
static uint32_t step(LoopWalk *walk, uint32_t block, LoopWalkEnd *end)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(cfg_block(walk->cfg, block));
    unsigned way;
    return decide(walk, branch, &way, end) ? cfg_index(walk->cfg, LLVMGetSuccessor(branch, way)) : CFG_NONE;
}

static LoopWalkEnd run_walk(LoopWalk *walk)
{
    LoopWalkEnd end = WALK_FAILS;
    uint32_t block = walk->loop->header;
    walk->choices.count = 0;
    /* An iteration visits each block at most once, else there is an inner cycle. */
    for (uint32_t steps = 0; steps <= walk->loop->blocks.count; steps++) {
        uint32_t next = step(walk, block, &end);
        if (next == CFG_NONE)
            return end;
        if (next == walk->loop->header)
            return WALK_RETURNS;
        if (!walk->loop->contains[next])
            return WALK_LEAVES;
        enter_block(walk, block, next);
        block = next;
    }
    return WALK_FAILS;
}

bool looppath_exit_condition(const Cfg *cfg, const NaturalLoop *loop, Condition *leaves)
{
    LoopWalk walk = {.resolver.resolve = resolve, .cfg = cfg, .loop = loop};
    bool found = run_walk(&walk) == WALK_ASKS;
    if (found) {
        walk.has_root = true;
        walk.root_holds = true;
        LoopWalkEnd if_true = run_walk(&walk);
        walk.root_holds = false;
        LoopWalkEnd if_false = run_walk(&walk);
        found = (if_true == WALK_LEAVES && if_false == WALK_RETURNS) ||
                (if_true == WALK_RETURNS && if_false == WALK_LEAVES);
        *leaves = walk.root;
        if (if_true == WALK_RETURNS)
            leaves->relation = condition_negate(leaves->relation);
    }
    VEC_FREE(&walk.choices);
    return found;
}
