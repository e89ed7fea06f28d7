/* throwing.c - see throwing.h */
#include "deadlock/throwing.h"

#include <stdlib.h>

#include "base/mem.h"
#include "deadlock/flow.h"

static bool holds_null(const Throwing *t, const Activation *a, uint32_t at, uint32_t number)
{
    return atoms_has(&t->p->atoms, model_pointsto_register(a, at, number), MODEL_POINTSTO_NULL);
}

/* Built-in functions that accept every argument. */
static bool is_total(BuiltinFunction *builtin)
{
    static const char *const names[] = {"print", "println", "toString", "strlen", "abs"};
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        if (builtin == builtin_find(names[i]))
            return true;
    return false;
}

static bool task_throws(const Throwing *t, uint32_t task)
{
    const AbstractTask *abstract = &t->p->tasks.items[task];
    return t->activations[abstract->activation] || t->objects[abstract->object];
}

static bool future_throws(const Throwing *t, const Activation *a, uint32_t at, uint32_t number)
{
    AtomSet futures = atoms_get(&t->p->atoms, model_pointsto_register(a, at, number));
    for (uint32_t i = 0; i < futures.count; i++) {
        uint32_t atom = futures.items[i];
        if (atom != MODEL_POINTSTO_FOREIGN && (!atom_is_task(atom) || task_throws(t, atom_number(atom))))
            return true;
    }
    return false;
}

/* A call inside the cog throws if the other object is dead. */
static bool call_throws(const Throwing *t, const Activation *a, uint32_t callee)
{
    uint32_t object = t->p->activations.items[callee]->object;
    return t->activations[callee] || (object != a->object && t->objects[object]);
}

static bool links_throw(const Throwing *t, const Activation *a, uint32_t at)
{
    for (uint32_t i = 0; i < a->links.count; i++) {
        const Link *link = &a->links.items[i];
        if (link->at != at || link->kind == LINK_SPAWN)
            continue;
        if (link->kind == LINK_INSIDE ? call_throws(t, a, link->target) : task_throws(t, link->target))
            return true;
    }
    return false;
}

static bool await_throws(const Throwing *t, const Activation *a, uint32_t at)
{
    const Guarding *guard = a->code->instrs[at].x.guard;
    if (t->objects[a->object] || (guard->condition && t->pure[guard->condition->number]))
        return true;
    for (uint32_t i = 0; i < guard->future_count; i++)
        if (holds_null(t, a, at, guard->futures[i]))
            return true;
    return false;
}

static bool instr_throws(const Throwing *t, const Activation *a, uint32_t at)
{
    const Instr *instr = &a->code->instrs[at];
    switch ((InstrOp)instr->op) {
    case INSTR_CALL: return t->pure[instr->x.code->number];
    case INSTR_BUILTIN: return !is_total(instr->x.builtin);
    case INSTR_ASYNC: return holds_null(t, a, at, instr->b);
    case INSTR_SYNC: return holds_null(t, a, at, instr->b) || links_throw(t, a, at);
    case INSTR_SYNC_SELF: return links_throw(t, a, at);
    case INSTR_GET: return holds_null(t, a, at, instr->b) || future_throws(t, a, at, instr->b);
    case INSTR_AWAIT: return await_throws(t, a, at);
    case INSTR_SUSPEND: return t->objects[a->object];
    default: return flow_may_throw(instr);
    }
}

bool throwing_at(const Throwing *t, const Activation *a, uint32_t at)
{
    bool leaves = a->code->instrs[at].op == INSTR_DIE || !flow_handler(a->code, at); /* nothing catches `die` */
    return a->reached[at] && leaves && instr_throws(t, a, at);
}

/* ---- Fixed points ------------------------------------------------------------------------ */

static bool pure_throws(const Throwing *t, const Code *code)
{
    for (uint32_t at = 0; at < code->count; at++) {
        const Instr *instr = &code->instrs[at];
        bool throws = instr->op == INSTR_CALL || instr->op == INSTR_TAIL_CALL ? t->pure[instr->x.code->number]
                      : instr->op == INSTR_BUILTIN                            ? !is_total(instr->x.builtin)
                                                                              : flow_may_throw(instr);
        if (throws)
            return true;
    }
    return false;
}

static void find_pure(Throwing *t)
{
    const Image *image = t->p->image;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < image->codes.count; i++) {
            const Code *code = image->codes.items[i];
            bool pure = code->kind == CODE_FUNCTION || code->kind == CODE_LAMBDA || code->kind == CODE_GUARD;
            if (pure && !t->pure[i] && pure_throws(t, code))
                t->pure[i] = changed = true;
        }
    }
}

static bool activation_throws(const Throwing *t, const Activation *a)
{
    for (uint32_t at = 0; at < a->code->count; at++)
        if (throwing_at(t, a, at))
            return true;
    return false;
}

void throwing_init(Throwing *t, const ModelPointsTo *p)
{
    *t = (Throwing){.p = p, .pure = mem_alloc(p->image->codes.count + 1u),
                    .activations = mem_alloc(p->activations.count + 1u), .objects = mem_alloc(p->objects.count + 1u)};
    find_pure(t);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < p->activations.count; i++)
            if (!t->activations[i] && activation_throws(t, p->activations.items[i])) {
                t->activations[i] = changed = true;
                t->objects[p->activations.items[i]->object] = true;
            }
    }
}

void throwing_release(Throwing *t)
{
    free(t->pure);
    free(t->activations);
    free(t->objects);
}
