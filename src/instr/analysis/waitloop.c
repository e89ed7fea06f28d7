/* waitloop.c - see waitloop.h */
#include "instr/analysis/waitloop.h"

#include "base/map.h"
#include "instr/module/callee.h"
#include "instr/module/module.h"

static bool reads_shared(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: return LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return true;
    case LLVMCall: return name_begins(callee_name(i), "__atomic_") || name_begins(callee_name(i), "__sync_");
    default: return false;
    }
}

/* Does the function that is called do so, as a `try_lock' of the program? */
static bool calls_reader(LLVMValueRef i)
{
    LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    if (!called || !LLVMIsAFunction(called) || LLVMIsDeclaration(called))
        return false;
    ValueList instructions = module_instructions(called);
    bool reads = false;
    for (uint32_t k = 0; k < instructions.count && !reads; k++)
        reads = reads_shared(instructions.items[k]);
    VEC_FREE(&instructions);
    return reads;
}

/* Does the value depend on something that is read in the loop from memory that others change? */
static bool depends_on_others(const Cfg *cfg, const NaturalLoop *loop, LLVMValueRef value)
{
    ValueList left = {0};
    Map seen = {0};
    bool found = false;
    VEC_PUSH(&left, value);
    while (left.count && !found) {
        LLVMValueRef i = left.items[--left.count];
        bool added;
        if (!LLVMIsAInstruction(i) || !loop->contains[cfg_index(cfg, LLVMGetInstructionParent(i))])
            continue;
        map_insert(&seen, (uint64_t)(uintptr_t)i, &added);
        if (!added)
            continue;
        found = reads_shared(i) || calls_reader(i);
        for (int k = 0; k < LLVMGetNumOperands(i); k++)
            VEC_PUSH(&left, LLVMGetOperand(i, (unsigned)k));
    }
    VEC_FREE(&left);
    map_release(&seen);
    return found;
}

static bool leaves(const Cfg *cfg, const NaturalLoop *loop, uint32_t block)
{
    const BlockList *successors = cfg_successors(cfg, block);
    for (uint32_t i = 0; i < successors->count; i++)
        if (!loop->contains[successors->items[i]])
            return true;
    return false;
}

static bool waits(const Cfg *cfg, const NaturalLoop *loop)
{
    for (uint32_t i = 0; i < loop->blocks.count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg_block(cfg, loop->blocks.items[i]));
        if (leaves(cfg, loop, loop->blocks.items[i]) && depends_on_others(cfg, loop, end))
            return true;
    }
    return false;
}

bool waitloop_in(const Cfg *cfg)
{
    LoopList loops = cfg_loops(cfg);
    bool found = false;
    for (uint32_t i = 0; i < loops.count && !found; i++)
        found = waits(cfg, &loops.items[i]);
    cfg_release_loops(&loops);
    return found;
}
