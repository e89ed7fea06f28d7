/* thread.c - what a thread of a toy program does by itself; see weak.h */
#include <string.h>

#include "weak.h"

enum { VALUES = 3 }; /* of an input */

uint32_t inputs_all(const Code *code)
{
    uint32_t set = 0;
    for (uint32_t i = 0; i < code->domain[0]; i++)
        for (uint32_t j = 0; j < code->domain[1]; j++)
            set |= 1u << (i * VALUES + j);
    return set;
}

uint32_t inputs_below(unsigned x, int c)
{
    uint32_t set = 0;
    for (int i = 0; i < VALUES; i++)
        for (int j = 0; j < VALUES; j++)
            if ((x == 0 ? i : j) < c)
                set |= 1u << (i * VALUES + j);
    return set;
}

bool ins_is_weak(const Ins *ins)
{
    return ins->kind <= INS_AWAIT_SET;
}
bool ins_awaits(const Ins *ins)
{
    return ins->kind == INS_AWAIT || ins->kind == INS_AWAIT_SET;
}
bool ins_may_read(const Ins *ins, int64_t value)
{
    return !ins_awaits(ins) || (value == ins->c) != ins->differs;
}

uint32_t ins_options(const Ins *ins, int64_t value)
{
    return ins->terms == 0 ? (uint32_t)ins->c : value <= 0 ? 1 : value >= 2 ? 3 : 2;
}

uint32_t ins_condition(const Ins *ins, int64_t value)
{
    return ins->asks ? inputs_below(ins->asks - 1u, 1 + (int)(value & 1)) : inputs_below(ins->x, ins->c);
}

bool term_holds(const Term *term, int64_t value)
{
    Access access = {.relation = term->relation, .operand = term->operand, .mask = UINT64_MAX, .lanes = LANES_ALL};
    return access_condition_holds(&access, value);
}

bool terms_hold(const Ins *ins, const int64_t *values)
{
    bool all = true, one = false, guarded = false;
    int64_t sum = 0;
    for (unsigned i = 0; i < ins->terms; i++)
        sum += values[ins->term[i].resource];
    if (ins->sum)
        return sum >= ins->c;
    for (unsigned i = 0; i < ins->terms; i++) {
        const Term *term = &ins->term[i];
        if (term->relation == REL_TRUE)
            continue;
        bool holds = term_holds(term, values[term->resource]);
        guarded = true;
        all = all && holds;
        one = one || holds;
    }
    return !guarded || (ins->any ? one : all);
}

void term_apply(const Term *term, int64_t *values)
{
    if (term->effect == EFFECT_SET)
        values[term->resource] = term->value;
    else if (term->effect == EFFECT_ADD)
        values[term->resource] += term->value;
}

/* Does the step use what its first resource held? */
static bool uses_value(const Ins *ins)
{
    return ins->kind != INS_TRY && (ins->r != REGISTERS - 1 || ins->asks || ins->kind == INS_CHOOSE);
}

Mode term_mode(const Ins *ins, unsigned nth, bool holds)
{
    const Term *term = &ins->term[nth];
    bool guarded = ins->sum || term->relation != REL_TRUE;
    if (term->effect == EFFECT_NONE || (ins->kind == INS_TRY && !holds))
        return MODE_READ;
    if (term->effect != EFFECT_ADD || (guarded && !term->commutes) || (nth == 0 && uses_value(ins)))
        return MODE_WRITE;
    return MODE_ACCUMULATE;
}

bool code_joins(const Code *code, unsigned t)
{
    for (unsigned u = 0; u < code->threads; u++)
        for (unsigned i = 0; i < code->length[u]; i++)
            for (unsigned n = 0; n < code->code[u][i].terms; n++)
                if (code->code[u][i].term[n].resource == THREAD_END + t)
                    return true;
    return false;
}

const Ins *code_ins(const Code *code, unsigned t, unsigned pc)
{
    static const Ins exits[MAX_THREADS] = {
#define EXIT(t)                                                                                                        \
    {                                                                                                                  \
        .kind = INS_EXIT, .terms = 1, .term = {                                                                        \
            {.resource = THREAD_END + (t), .effect = EFFECT_SET, .value = 1, .sync = SYNC_RELEASE}                     \
        }                                                                                                              \
    }
        EXIT(0), EXIT(1), EXIT(2), EXIT(3)
#undef EXIT
    };
    return pc < code->length[t] ? &code->code[t][pc] : &exits[t];
}

const Ins *thread_next(const Code *code, unsigned t, const Thread *thread)
{
    return code_ins(code, t, thread->pc);
}

/* Runs what is local: up to the next visible instruction, or the end. */
static void settle(const Code *code, unsigned t, Thread *thread)
{
    while (thread->pc < code->length[t]) {
        const Ins *ins = &code->code[t][thread->pc];
        bool holds = thread->reg[ins->r] == ins->c;
        if (ins->kind == INS_IF) {
            thread->pc = (uint8_t)(thread->pc + 1 + (holds ? 0 : ins->d));
        } else if (ins->kind == INS_ASSUME) {
            if (!holds) {
                thread->stopped = thread->ended = true;
                return;
            }
            thread->pc++;
        } else if (ins->needs && !(thread->held >> (ins->needs - 1) & 1)) {
            thread->pc++;
        } else {
            return;
        }
    }
    thread->pc = (uint8_t)code->length[t]; /* a skip may lead beyond */
    if (!code_joins(code, t))
        thread->ended = true;
}

void thread_start(const Code *code, unsigned t, Thread *thread)
{
    memset(thread, 0, sizeof *thread);
    thread->exists = true;
    settle(code, t, thread);
}

int64_t thread_stored(const Ins *ins, const Thread *thread)
{
    return ins->uses_register ? thread->reg[ins->r] + ins->c : ins->c;
}

void thread_step(const Code *code, unsigned t, Thread *thread, int64_t value)
{
    const Ins *ins = thread_next(code, t, thread);
    switch ((InsKind)ins->kind) {
    case INS_LOAD:
    case INS_ADD:
    case INS_CAS:
    case INS_STRONG:
    case INS_TRY:
    case INS_BRANCH:
    case INS_CHOOSE: thread->reg[ins->r] = (int8_t)value; break;
    case INS_EXIT: thread->ended = true; return;
    default: break;
    }
    if (ins->takes && (ins->kind != INS_TRY || value))
        thread->held = (uint8_t)(thread->held | 1u << (ins->takes - 1));
    if (ins->needs)
        thread->held = (uint8_t)(thread->held & ~(1u << (ins->needs - 1)));
    thread->pc++;
    settle(code, t, thread);
}
