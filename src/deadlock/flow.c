/* flow.c - see flow.h */
#include "deadlock/flow.h"

#include <stdlib.h>

#include "base/mem.h"

static uint32_t target_of(const Code *code, uint32_t at)
{
    return (uint32_t)(code->instrs[at].x.target - code->instrs);
}

uint32_t flow_next(const Code *code, uint32_t at, uint32_t next[FLOW_MOST_NEXT])
{
    switch ((InstrOp)code->instrs[at].op) {
    case INSTR_JUMP: next[0] = target_of(code, at); return 1;
    case INSTR_JUMP_IF:
    case INSTR_JUMP_UNLESS:
    case INSTR_UNLESS_DATA:
        next[0] = at + 1;
        next[1] = target_of(code, at);
        return 2;
    case INSTR_TAIL_CALL:
    case INSTR_RETURN:
    case INSTR_NO_MATCH:
    case INSTR_FINISH:
    case INSTR_THROW:
    case INSTR_DIE: return 0;
    default:
        next[0] = at + 1;
        return at + 1 < code->count;
    }
}

const TryRegion *flow_handler(const Code *code, uint32_t at)
{
    for (uint32_t i = 0; i < code->try_count; i++)
        if (at >= code->tries[i].first && at < code->tries[i].end)
            return &code->tries[i];
    return NULL;
}

static void mark_from(const Code *code, uint32_t at, bool *ahead)
{
    uint32_t next[FLOW_MOST_NEXT], count = flow_next(code, at, next);
    const TryRegion *region = flow_handler(code, at);
    for (uint32_t i = 0; i < count; i++)
        if (!ahead[next[i]]) {
            ahead[next[i]] = true;
            mark_from(code, next[i], ahead);
        }
    if (region && !ahead[region->target]) {
        ahead[region->target] = true;
        mark_from(code, region->target, ahead);
    }
}

bool flow_repeats(const Code *code, uint32_t at)
{
    bool *ahead = mem_alloc(code->count + 1u);
    mark_from(code, at, ahead);
    bool repeats = ahead[at];
    free(ahead);
    return repeats;
}

bool flow_defines(const Instr *instr)
{
    switch ((InstrOp)instr->op) {
    case INSTR_JUMP:
    case INSTR_JUMP_IF:
    case INSTR_JUMP_UNLESS:
    case INSTR_UNLESS_DATA:
    case INSTR_COVER:
    case INSTR_TAIL_CALL:
    case INSTR_RETURN:
    case INSTR_NO_MATCH:
    case INSTR_STORE:
    case INSTR_AWAIT:
    case INSTR_DURATION:
    case INSTR_COST:
    case INSTR_COMPONENT:
    case INSTR_SCHEDULER:
    case INSTR_DEADLINE:
    case INSTR_SUSPEND:
    case INSTR_FINISH:
    case INSTR_THROW:
    case INSTR_DIE:
    case INSTR_ASSERT: return false;
    default: return true;
    }
}

bool flow_may_throw(const Instr *instr)
{
    switch ((InstrOp)instr->op) {
    case INSTR_DIV:
    case INSTR_MOD:
    case INSTR_ACCESS:
    case INSTR_BUILTIN:
    case INSTR_CALL:
    case INSTR_CALL_CLOSURE:
    case INSTR_NO_MATCH:
    case INSTR_THROW:
    case INSTR_DIE:
    case INSTR_ASSERT:
    case INSTR_MOVE_COG:
    case INSTR_AWAIT:
    case INSTR_UNSUPPORTED: return true;
    default: return false;
    }
}
