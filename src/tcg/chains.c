/* chains.c - see chains.h */
#include "tcg/chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "deadlock/bits.h"
#include "deadlock/flow.h"

/* What the code of a method may do on its own object, calls on `this` included. */
typedef struct Effect {
    uint64_t *reads, *writes; /* fields                                       */
    bool alone;               /* it may block or kill its object, or shares it */
} Effect;

struct Chains {
    const Image *image;
    bool whole_objects, use_results;
    uint32_t words, field_words;
    Effect *effects;          /* by code                                        */
    uint64_t *calls;          /* by code: tasks that it starts, as a bit vector */
    uint64_t *leads;          /* reflexive transitive closure of `calls`        */
};

static uint64_t *row(const Chains *c, uint64_t *rows, const Code *code)
{
    return rows + (size_t)code->number * c->words;
}

/* ---- Effects -------------------------------------------------------------------------- */

/* Is the register only assigned `this`, or newly created objects? */
static bool never_null(const Code *code, uint16_t number, uint32_t depth)
{
    if (number < code->param_count || depth == 0)
        return false;
    for (uint32_t at = 0; at < code->count; at++) {
        const Instr *instr = &code->instrs[at];
        if (!flow_defines(instr) || instr->a != number || instr->op == INSTR_THIS || instr->op == INSTR_NEW ||
            instr->op == INSTR_NEW_LOCAL)
            continue;
        if (instr->op != INSTR_MOVE || !never_null(code, instr->b, depth - 1))
            return false;
    }
    return true;
}

static bool throws(const Code *code, const Instr *instr)
{
    enum { MOVES = 3 };
    switch ((InstrOp)instr->op) {
    case INSTR_CALL:
    case INSTR_TAIL_CALL: return !instr->x.code->total;
    case INSTR_NO_MATCH: return instr->a != 1;
    case INSTR_AWAIT:
        return instr->x.guard->future_count > 0 || (instr->x.guard->condition && !instr->x.guard->condition->total);
    case INSTR_ASYNC: return !never_null(code, instr->b, MOVES);
    default: return flow_may_throw(instr);
    }
}

static void add_instr(Effect *effect, const Instr *instr)
{
    switch ((InstrOp)instr->op) {
    case INSTR_LOAD: bits_add(effect->reads, instr->b); break;
    case INSTR_STORE: bits_add(effect->writes, instr->b); break;
    case INSTR_GET:
    case INSTR_SYNC:
    case INSTR_DURATION:
    case INSTR_COST:
    case INSTR_NEW_LOCAL: effect->alone = true; break;
    case INSTR_AWAIT:
        for (uint32_t i = 0; i < instr->x.guard->input_count; i++)
            if (instr->x.guard->inputs[i].kind == INPUT_FIELD)
                bits_add(effect->reads, instr->x.guard->inputs[i].number);
        break;
    default: break;
    }
}

/* A call on `this` runs inside the task. */
static bool join_callees(Chains *c, const Code *code)
{
    Effect *effect = &c->effects[code->number];
    bool changed = false;
    for (uint32_t at = 0; at < code->count; at++) {
        if (code->instrs[at].op != INSTR_SYNC_SELF)
            continue;
        const Effect *callee = &c->effects[code->instrs[at].x.code->number];
        changed |= bits_join(effect->reads, callee->reads, c->field_words);
        changed |= bits_join(effect->writes, callee->writes, c->field_words);
        changed |= callee->alone && !effect->alone;
        effect->alone |= callee->alone;
    }
    return changed;
}

static void find_effects(Chains *c)
{
    for (uint32_t i = 0; i < c->image->codes.count; i++) {
        const Code *code = c->image->codes.items[i];
        Effect *effect = &c->effects[i];
        effect->reads = mem_alloc((c->field_words + 1) * sizeof(uint64_t));
        effect->writes = mem_alloc((c->field_words + 1) * sizeof(uint64_t));
        for (uint32_t at = 0; at < code->count && code->class; at++) {
            add_instr(effect, &code->instrs[at]);
            effect->alone |=
                throws(code, &code->instrs[at]) && (code->instrs[at].op == INSTR_DIE || !flow_handler(code, at));
            c->use_results |= code->instrs[at].op == INSTR_GET || code->instrs[at].op == INSTR_SYNC;
        }
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < c->image->codes.count; i++)
            changed |= join_callees(c, c->image->codes.items[i]);
    }
}

/* ---- Calls ------------------------------------------------------------------------------ */

/* Creating an object runs its init block, and starts its run method. */
static void add_creation(const Chains *c, uint64_t *calls, const ClassCode *class)
{
    if (class->init)
        bits_add(calls, class->init->number);
    if (class->run)
        bits_add(calls, class->run->number);
    (void)c;
}

static void add_call(const Chains *c, uint64_t *calls, uint64_t selector)
{
    for (uint32_t i = 0; i < c->image->model->classes.count; i++)
        if (c->image->classes[i].methods[selector])
            bits_add(calls, c->image->classes[i].methods[selector]->number);
}

static void find_calls(Chains *c, const Code *code)
{
    uint64_t *calls = row(c, c->calls, code);
    for (uint32_t at = 0; at < code->count; at++) {
        const Instr *instr = &code->instrs[at];
        if (instr->op == INSTR_NEW || instr->op == INSTR_NEW_LOCAL)
            add_creation(c, calls, instr->x.class);
        else if (instr->op == INSTR_ASYNC || instr->op == INSTR_SYNC)
            add_call(c, calls, instr->x.selector);
        else if (instr->op == INSTR_SYNC_SELF)
            bits_add(calls, instr->x.code->number);
    }
    if (code->class && code->class->recover)
        bits_add(calls, code->class->recover->number);
}

static void close_leads(Chains *c)
{
    uint32_t count = c->image->codes.count;
    memcpy(c->leads, c->calls, (size_t)count * c->words * sizeof *c->leads);
    for (uint32_t i = 0; i < count; i++)
        bits_add(c->leads + (size_t)i * c->words, i);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = 0; k < count; k++)
                if (i != k && bits_has(c->leads + (size_t)i * c->words, k))
                    changed |= bits_join(c->leads + (size_t)i * c->words, c->leads + (size_t)k * c->words, c->words);
    }
}

/* ---- Lifecycle ---------------------------------------------------------------------------- */

Chains *chains_create(const Image *image, bool whole_objects)
{
    Chains *c = mem_alloc(sizeof *c);
    uint32_t count = image->codes.count, fields = 0;
    for (uint32_t i = 0; i < image->model->classes.count; i++)
        fields = image->classes[i].field_count > fields ? image->classes[i].field_count : fields;
    *c = (Chains){.image = image,
                  .whole_objects = whole_objects,
                  .words = bits_words(count),
                  .field_words = bits_words(fields),
                  .effects = mem_alloc((count + 1u) * sizeof(Effect))};
    c->calls = mem_alloc(((size_t)count * c->words + 1) * sizeof(uint64_t));
    c->leads = mem_alloc(((size_t)count * c->words + 1) * sizeof(uint64_t));
    find_effects(c);
    for (uint32_t i = 0; i < count; i++)
        find_calls(c, image->codes.items[i]);
    close_leads(c);
    return c;
}

void chains_destroy(Chains *c)
{
    if (!c)
        return;
    for (uint32_t i = 0; i < c->image->codes.count; i++) {
        free(c->effects[i].reads);
        free(c->effects[i].writes);
    }
    free(c->effects);
    free(c->calls);
    free(c->leads);
    free(c);
}

/* ---- Questions ------------------------------------------------------------------------------ */

static bool conflicts(const Chains *c, const uint64_t *written, const Effect *other)
{
    for (uint32_t i = 0; i < c->field_words; i++)
        if (written[i] & (other->reads[i] | other->writes[i]))
            return true;
    return false;
}

static bool touches_something(const Chains *c, const Effect *effect)
{
    return !bits_empty(effect->reads, c->field_words) || !bits_empty(effect->writes, c->field_words);
}

bool chains_independent(const Chains *c, const Code *a, const Code *b)
{
    const Effect *x = &c->effects[a->number], *y = &c->effects[b->number];
    if (a->class != b->class || x->alone || y->alone)
        return false;
    if (c->whole_objects)
        return !touches_something(c, x) || !touches_something(c, y);
    return !conflicts(c, x->writes, y) && !conflicts(c, y->writes, x);
}

bool chains_lead_to(const Chains *c, const Code *from, const Code *to)
{
    return bits_has(row(c, c->leads, from), to->number);
}
bool chains_calls(const Chains *c, const Code *from, const Code *to)
{
    return bits_has(row(c, c->calls, from), to->number);
}

bool chains_create_class(const Chains *c, const Code *from, const ClassCode *class)
{
    return class->init && chains_lead_to(c, from, class->init);
}

bool chains_use_results(const Chains *c) { return c->use_results; }
