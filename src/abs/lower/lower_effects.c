/* lower_effects.c - which functions cannot throw, and which reads of fields matter
 *
 * The footprint of a step may depend on a field it reads: through a branch, an exception, an object it calls. Then the
 * engine must execute the step again to find its footprint with another value. Often the code shows that nothing after
 * a read depends on it in this way, because there is no branch, or no access after the branches; then the read does not
 * matter.
 */
#include <stdlib.h>
#include <string.h>

#include "abs/lower/lower_internal.h"
#include "base/mem.h"

/* ---- Functions -------------------------------------------------------------------------- */

static bool may_throw(const Instr *instr)
{
    switch ((InstrOp)instr->op) {
    case INSTR_CONST:
    case INSTR_MOVE:
    case INSTR_ADD:
    case INSTR_SUB:
    case INSTR_MUL:
    case INSTR_NEGATE:
    case INSTR_NOT:
    case INSTR_EQ:
    case INSTR_NE:
    case INSTR_LT:
    case INSTR_LE:
    case INSTR_GT:
    case INSTR_GE:
    case INSTR_CONSTRUCT:
    case INSTR_LIST:
    case INSTR_ARGUMENT:
    case INSTR_IMPLEMENTS:
    case INSTR_CAST:
    case INSTR_CLOSURE:
    case INSTR_JUMP:
    case INSTR_JUMP_IF:
    case INSTR_JUMP_UNLESS:
    case INSTR_UNLESS_DATA:
    case INSTR_COVER:
    case INSTR_RETURN: return false;
    case INSTR_NO_MATCH: return instr->a == 0;
    case INSTR_CALL:
    case INSTR_TAIL_CALL: return !instr->x.code->total;
    default: return true;
    }
}

static bool is_total(const Code *code)
{
    for (uint32_t i = 0; i < code->count; i++)
        if (may_throw(&code->instrs[i]))
            return false;
    return true;
}

/* A greatest fixed point: all are assumed total; those that are not make their callers partial. */
static void find_total_functions(Image *image)
{
    bool changed = true;
    for (uint32_t i = 0; i < image->codes.count; i++)
        image->codes.items[i]->total = image->codes.items[i]->kind == CODE_FUNCTION;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < image->codes.count; i++) {
            Code *code = image->codes.items[i];
            if (code->total && !is_total(code))
                changed = !(code->total = false);
        }
    }
}

/* ---- Reads -------------------------------------------------------------------------------- */

/* The code that follows a read, up to the end of its step. */
typedef struct Following {
    const Code *code;
    uint8_t *seen;
    bool branches; /* a decision that may depend on the value   */
    bool acts;     /* a further access, exception, call or wait */
} Following;

static void classify(Following *following, const Instr *instr)
{
    switch ((InstrOp)instr->op) {
    case INSTR_ITERATE: /* stops the task only with a bound: then every read matters */
    case INSTR_JUMP_IF:
    case INSTR_JUMP_UNLESS:
    case INSTR_UNLESS_DATA: following->branches = true; break;
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_SUSPEND: following->acts = true; break;
    case INSTR_THIS:
    case INSTR_DESTINY:
    case INSTR_FINISH: break;
    default:
        if (may_throw(instr))
            following->acts = following->branches = true;
    }
}

static void follow(Following *following, uint32_t at)
{
    const Code *code = following->code;
    while (at < code->count && !following->seen[at]) {
        const Instr *instr = &code->instrs[at];
        following->seen[at] = 1;
        classify(following, instr);
        bool jumps = instr->op == INSTR_JUMP_IF || instr->op == INSTR_JUMP_UNLESS || instr->op == INSTR_UNLESS_DATA;
        if (instr->op == INSTR_FINISH || instr->op == INSTR_SUSPEND)
            return;
        if (jumps)
            follow(following, (uint32_t)(instr->x.target - code->instrs));
        at = instr->op == INSTR_JUMP ? (uint32_t)(instr->x.target - code->instrs) : at + 1;
    }
}

static void mark_reads(Code *code)
{
    uint8_t *seen = mem_alloc(code->count + 1);
    for (uint32_t i = 0; i < code->count; i++) {
        if (code->instrs[i].op != INSTR_LOAD)
            continue;
        Following following = {.code = code, .seen = seen};
        memset(seen, 0, code->count);
        follow(&following, i + 1);
        code->instrs[i].c = !following.branches || !following.acts;
    }
    free(seen);
}

void lower_find_effects(Image *image)
{
    find_total_functions(image);
    for (uint32_t i = 0; i < image->codes.count; i++)
        mark_reads(image->codes.items[i]);
}
