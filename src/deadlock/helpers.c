/* helpers.c - see helpers.h */
#include "deadlock/helpers.h"

#include <stdlib.h>

#include "deadlock/bits.h"
#include "deadlock/flow.h"

/* ---- Assignments ------------------------------------------------------------------- */

static bool reads_field(const Guarding *guard, uint32_t field)
{
    for (uint32_t i = 0; i < guard->input_count; i++)
        if (guard->inputs[i].kind == INPUT_FIELD && guard->inputs[i].number == field)
            return true;
    return false;
}

/* Is the condition just a field, or the negation of one? Then `wanted` gets the value it needs. */
static bool is_plain_field(const Guarding *guard, bool *wanted)
{
    const Code *code = guard->condition;
    if (guard->input_count != 1 || guard->inputs[0].kind != INPUT_FIELD || code->captured_count != 1)
        return false;
    uint32_t holds = code->captured[0]; /* the register that has the field, or its negation */
    *wanted = true;
    for (uint32_t i = 0; i < code->count; i++) {
        const Instr *instr = &code->instrs[i];
        bool decides = instr->op == INSTR_JUMP_UNLESS && instr->x.target == instr + 1; /* counts an outcome only */
        if (instr->op == INSTR_RETURN)
            return instr->b == holds;
        if (!decides && ((instr->op != INSTR_MOVE && instr->op != INSTR_NOT) || instr->b != holds))
            return false;
        *wanted = *wanted != (instr->op == INSTR_NOT);
        holds = decides ? holds : instr->a;
    }
    return false;
}

/* The constant that the instruction before loads into the register that is assigned, or VALUE_NONE. */
static Value constant_of(const Code *code, uint32_t at)
{
    if (!at || code->instrs[at - 1].op != INSTR_CONST || code->instrs[at - 1].a != code->instrs[at].a)
        return VALUE_NONE;
    for (uint32_t i = 0; i < code->count; i++) {
        uint32_t next[FLOW_MOST_NEXT], count = flow_next(code, i, next);
        for (uint32_t k = 0; i + 1 != at && k < count; k++)
            if (next[k] == at)
                return VALUE_NONE; /* also reached from elsewhere */
    }
    return code->instrs[at - 1].x.value;
}

bool helpers_may_satisfy(const Guarding *guard, const Code *code, uint32_t at)
{
    bool wanted;
    if (code->instrs[at].op != INSTR_STORE || !reads_field(guard, code->instrs[at].b))
        return false;
    if (!is_plain_field(guard, &wanted))
        return true;
    Value value = constant_of(code, at);
    return value == VALUE_NONE || value == value_from_bool(wanted);
}

static bool activation_writes(const DepGraph *graph, const WaitEdge *wait, uint32_t number)
{
    const Activation *waiter = graph->p->activations.items[wait->activation],
                     *writer = graph->p->activations.items[number];
    const Guarding *guard = waiter->code->instrs[wait->at].x.guard;
    if (writer->code->kind == CODE_INIT)
        return false; /* it is over before another task of the object begins */
    for (uint32_t at = 0; writer->object == waiter->object && at < writer->code->count; at++)
        if (writer->reached[at] && helpers_may_satisfy(guard, writer->code, at))
            return true;
    return false;
}

/* ---- Tasks ---------------------------------------------------------------------------- */

/* Does the task, or one that it starts, belong to the set? */
static bool leads_to(const DepGraph *graph, uint32_t task, const uint64_t *set)
{
    if (bits_has(set, task))
        return true;
    for (uint32_t i = 0; i < graph->p->activations.count; i++)
        for (uint32_t k = 0; bits_has(graph->bodies[task], i) && k < graph->mhp->words; k++)
            if (graph->mhp->locals[i].desc[k] & set[k])
                return true;
    return false;
}

void helpers_find(const DepGraph *graph, const WaitEdge *wait, uint64_t *writers, uint64_t *helpers)
{
    for (uint32_t i = 0; i < graph->p->activations.count; i++)
        for (uint32_t task = 0; activation_writes(graph, wait, i) && task < graph->p->tasks.count; task++)
            if (bits_has(graph->bodies[task], i))
                bits_add(writers, task);
    for (uint32_t task = 0; task < graph->p->tasks.count; task++)
        if (leads_to(graph, task, writers) && (task != wait->task || mhp_are_paired(graph->mhp, task, task)))
            bits_add(helpers, task);
}

/* ---- After a wait ------------------------------------------------------------------------ */

static void mark_ahead(const Code *code, uint32_t at, bool *ahead)
{
    uint32_t next[FLOW_MOST_NEXT];
    if (at >= code->count || ahead[at])
        return;
    ahead[at] = true;
    const TryRegion *region = flow_handler(code, at);
    if (region)
        mark_ahead(code, region->target, ahead);
    for (uint32_t i = 0, count = flow_next(code, at, next); i < count; i++)
        mark_ahead(code, next[i], ahead);
}

/* Does the link lead to a task of the set? Recover blocks may start anywhere. */
static bool link_leads_to(const DepGraph *graph, const Link *link, const bool *ahead, const uint64_t *writers)
{
    const Code *inner = link->kind == LINK_INSIDE ? graph->p->activations.items[link->target]->code : NULL;
    if (!ahead[link->at] && !(inner && inner->kind == CODE_RECOVER))
        return false;
    return inner || leads_to(graph, link->target, writers);
}

bool helpers_still_help(const DepGraph *graph, const WaitEdge *wait, const WaitEdge *next)
{
    const Activation *a = graph->p->activations.items[next->activation];
    const Guarding *guard = graph->p->activations.items[wait->activation]->code->instrs[wait->at].x.guard;
    if (graph->p->tasks.items[next->task].activation != next->activation)
        return true; /* its callers continue after it */
    uint64_t *writers = mem_alloc((graph->mhp->words + 1) * sizeof *writers),
             *helpers = mem_alloc((graph->mhp->words + 1) * sizeof *helpers);
    bool *ahead = mem_alloc(a->code->count + 1u), helps = false;
    bool same = a->object == graph->p->activations.items[wait->activation]->object;
    helpers_find(graph, wait, writers, helpers);
    mark_ahead(a->code, next->at, ahead);
    for (uint32_t at = 0; same && at < a->code->count; at++)
        helps |= ahead[at] && helpers_may_satisfy(guard, a->code, at);
    for (uint32_t i = 0; i < a->links.count; i++)
        helps |= link_leads_to(graph, &a->links.items[i], ahead, writers);
    free(writers);
    free(helpers);
    free(ahead);
    return helps;
}
