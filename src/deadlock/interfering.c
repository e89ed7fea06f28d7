/* interfering.c - see interfering.h */
#include "deadlock/interfering.h"

#include "deadlock/bits.h"
#include "deadlock/flow.h"

/* An instruction that the cycle needs to be reached. */
typedef struct Point {
    const Code *code;
    uint32_t at;
} Point;

typedef struct PointQueue {
    const Analysis *analysis;
    CodeList *methods;
    VEC(Point) points; /* each once; those before `next` are done */
    uint32_t next;
} PointQueue;

static void add_point(PointQueue *w, const Code *code, uint32_t at)
{
    for (uint32_t i = 0; i < w->points.count; i++)
        if (w->points.items[i].code == code && w->points.items[i].at == at)
            return;
    VEC_PUSH(&w->points, ((Point){code, at}));
}

static void add_method(PointQueue *w, const Code *code)
{
    for (uint32_t i = 0; i < w->methods->count; i++)
        if (w->methods->items[i] == code)
            return;
    VEC_PUSH(w->methods, code);
}

/* ---- What precedes a point --------------------------------------------------------- */

static void mark_before(const Code *code, uint32_t at, bool *before)
{
    uint32_t next[FLOW_MOST_NEXT];
    before[at] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = code->count; i-- > 0;) {
            const TryRegion *region = flow_handler(code, i);
            uint32_t count = flow_next(code, i, next);
            bool leads = region && before[region->target];
            for (uint32_t k = 0; k < count; k++)
                leads |= before[next[k]];
            changed |= leads && !before[i];
            before[i] |= leads;
        }
    }
}

static bool releases_before(const Code *code, uint32_t at, const bool *before)
{
    for (uint32_t i = 0; i < code->count; i++)
        if (before[i] && i != at && (code->instrs[i].op == INSTR_AWAIT || code->instrs[i].op == INSTR_SUSPEND))
            return true;
    return false;
}

/* ---- Assignments to a field ------------------------------------------------------------------ */

static void add_assignments_in(PointQueue *w, const Code *code, uint32_t field)
{
    for (uint32_t at = 0; at < code->count; at++)
        if (code->instrs[at].op == INSTR_STORE && code->instrs[at].b == field) {
            add_method(w, code);
            add_point(w, code, at);
        }
}

static void add_assignments(PointQueue *w, const ClassCode *class, uint32_t field)
{
    for (uint32_t i = 0; class && i < w->analysis->image->selector_count; i++)
        if (class->methods[i])
            add_assignments_in(w, class->methods[i], field);
}

static void add_guard_fields(PointQueue *w, const Code *code, const Guarding *guard)
{
    for (uint32_t i = 0; i < guard->input_count; i++)
        if (guard->inputs[i].kind == INPUT_FIELD)
            add_assignments(w, code->class, guard->inputs[i].number);
}

static void process(PointQueue *w, Point point)
{
    const Code *code = point.code;
    bool *before = mem_alloc(code->count + 1u);
    mark_before(code, point.at, before);
    bool releases = releases_before(code, point.at, before);
    for (uint32_t i = 0; releases && i < code->count; i++) {
        const Instr *instr = &code->instrs[i];
        if (before[i] && (instr->op == INSTR_LOAD || instr->op == INSTR_STORE))
            add_assignments(w, code->class, instr->b);
        if (before[i] && instr->op == INSTR_AWAIT)
            add_guard_fields(w, code, instr->x.guard);
    }
    free(before);
}

/* ---- Cycles -------------------------------------------------------------------------------- */

/* The wait, the calls that create its futures, and the calls inside the task that lead to it. */
static void add_wait(PointQueue *w, const WaitEdge *wait)
{
    const ModelPointsTo *p = w->analysis->points;
    for (uint32_t i = 0; i < p->activations.count; i++) {
        const Activation *a = p->activations.items[i];
        if (!bits_has(w->analysis->graph->bodies[wait->task], i))
            continue;
        for (uint32_t k = 0; k < a->links.count; k++) {
            const Link *link = &a->links.items[k];
            bool leads = link->kind == LINK_INSIDE ? link->target == wait->activation : link->target == wait->target;
            if (leads && a->code->kind == CODE_METHOD)
                add_point(w, a->code, link->at);
        }
    }
    const Code *code = p->activations.items[wait->activation]->code;
    if (code->kind == CODE_METHOD)
        add_point(w, code, wait->at);
}

void interfering_find(const Analysis *analysis, const ModelCycle *cycle, CodeList *methods)
{
    PointQueue w = {.analysis = analysis, .methods = methods};
    for (uint32_t i = 0; i < cycle->count; i++) {
        const WaitEdge *wait = &analysis->graph->waits.items[cycle->steps[i].wait];
        const Code *code =
            analysis->points->activations.items[analysis->points->tasks.items[wait->task].activation]->code;
        if (wait->blocks && code->kind == CODE_METHOD)
            add_method(&w, code);
        add_wait(&w, wait);
    }
    while (w.next < w.points.count)
        process(&w, w.points.items[w.next++]);
    VEC_FREE(&w.points);
}

void interfering_add_text(const Analysis *analysis, const ModelCycle *cycle, Text *text)
{
    CodeList methods = {0};
    interfering_find(analysis, cycle, &methods);
    for (uint32_t i = 0; i < methods.count; i++)
        text_add(text, "%s%s.%s", i ? ", " : "", methods.items[i]->class ? methods.items[i]->class->name : "?",
                 methods.items[i]->name);
    if (!methods.count)
        text_add_string(text, "none except the main block");
    VEC_FREE(&methods);
}
