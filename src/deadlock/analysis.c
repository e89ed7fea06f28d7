/* analysis.c - see analysis.h */
#include "deadlock/analysis.h"

#include <stdlib.h>

#include "deadlock/bits.h"
#include "deadlock/helpers.h"

Analysis *analysis_create(const Image *image, uint32_t depth)
{
    Analysis *analysis = mem_alloc(sizeof *analysis);
    analysis->image = image;
    analysis->points = model_pointsto_create(image, depth);
    analysis->graph = depgraph_create(analysis->points);
    analysis->cycles = cycles_create(analysis->graph);
    return analysis;
}

void analysis_destroy(Analysis *analysis)
{
    if (!analysis)
        return;
    cycles_destroy(analysis->cycles);
    depgraph_destroy(analysis->graph);
    model_pointsto_destroy(analysis->points);
    free(analysis);
}

/* ---- Places ----------------------------------------------------------------------------- */

static SourcePlace place_of(const Analysis *analysis, const Code *code, uint32_t at)
{
    return source_place(&analysis->image->model->sources, code->places[at]);
}

SourcePlace analysis_wait_place(const Analysis *analysis, const WaitEdge *wait)
{
    return place_of(analysis, analysis->points->activations.items[wait->activation]->code, wait->at);
}

static const Code *code_of_task(const Analysis *analysis, uint32_t task)
{
    return analysis->points->activations.items[analysis->points->tasks.items[task].activation]->code;
}

/* Where a task begins in the source. */
static SourcePlace task_place(const Analysis *analysis, uint32_t task)
{
    return source_place(&analysis->image->model->sources, code_of_task(analysis, task)->pos);
}

/* ---- Names ------------------------------------------------------------------------------- */

/* Is another object of the class created in the same line? */
static bool shares_line(const Analysis *analysis, const AbstractObject *object)
{
    SourcePlace place = place_of(analysis, object->code, object->at);
    for (uint32_t i = 0; i < analysis->points->objects.count; i++) {
        const AbstractObject *other = &analysis->points->objects.items[i];
        if (other->class != object->class || !other->code || (other->code == object->code && other->at == object->at))
            continue;
        SourcePlace second = place_of(analysis, other->code, other->at);
        if (second.file == place.file && second.line == place.line)
            return true;
    }
    return false;
}

/* "DB:7": class and line of creation; "DB:7:20" with the column, if the line has several. */
static void add_object(const Analysis *analysis, uint32_t number, Text *text)
{
    const AbstractObject *object = &analysis->points->objects.items[number];
    if (!object->class) {
        text_add_string(text, "main");
        return;
    }
    SourcePlace place = place_of(analysis, object->code, object->at);
    text_add(text, "%s:%u", object->class->name, place.line);
    if (shares_line(analysis, object))
        text_add(text, ":%u", place.column);
}

/* "DB:7.register" */
static void add_task(const Analysis *analysis, uint32_t task, Text *text)
{
    const Code *code = code_of_task(analysis, task);
    if (code->kind == CODE_MAIN) {
        text_add_string(text, "main");
        return;
    }
    add_object(analysis, analysis->points->tasks.items[task].object, text);
    text_add(text, ".%s", code->kind == CODE_INIT ? "init" : code->name);
}

static const char *name_of_task(const Analysis *analysis, uint32_t task)
{
    const Code *code = code_of_task(analysis, task);
    return code->kind == CODE_MAIN ? "main" : code->kind == CODE_INIT ? "init" : code->name;
}

/* ---- Cycles -------------------------------------------------------------------------------- */

static const WaitEdge *wait_of(const Analysis *analysis, const ModelCycle *cycle, uint32_t step)
{
    return &analysis->graph->waits.items[cycle->steps[step % cycle->count].wait];
}

static void add_start(const Analysis *analysis, const ModelCycle *cycle, uint32_t step, Text *text)
{
    const WaitEdge *wait = wait_of(analysis, cycle, step);
    if (cycle->steps[step % cycle->count].by_cog)
        add_object(analysis, depgraph_cog(analysis->graph, wait->task), text);
    else
        add_task(analysis, wait->task, text);
}

void analysis_add_cycle(const Analysis *analysis, const ModelCycle *cycle, Text *text)
{
    add_start(analysis, cycle, 0, text);
    for (uint32_t i = 0; i < cycle->count; i++) {
        const WaitEdge *wait = wait_of(analysis, cycle, i);
        text_add(text, " -%u:%s-> ", analysis_wait_place(analysis, wait).line, name_of_task(analysis, wait->task));
        add_task(analysis, wait->target, text);
        if (!cycle->steps[(i + 1) % cycle->count].by_cog)
            continue;
        text_add(text, " -%u:%s-> ", task_place(analysis, wait->target).line,
                 name_of_task(analysis, wait->target));
        add_start(analysis, cycle, i + 1, text);
    }
}

/* Does the awaited task assign to a field of the condition itself? */
static bool is_writer(const Analysis *analysis, const WaitEdge *wait)
{
    uint32_t words = analysis->graph->mhp->words + 1;
    uint64_t *writers = mem_alloc(words * sizeof *writers), *helpers = mem_alloc(words * sizeof *helpers);
    helpers_find(analysis->graph, wait, writers, helpers);
    bool writes = bits_has(writers, wait->target);
    free(writers);
    free(helpers);
    return writes;
}

void analysis_add_details(const Analysis *analysis, const ModelCycle *cycle, Text *text)
{
    for (uint32_t i = 0; i < cycle->count; i++) {
        const WaitEdge *wait = wait_of(analysis, cycle, i);
        SourcePlace place = analysis_wait_place(analysis, wait);
        text_add(text, "    %s:%u: ", place.file->name, place.line);
        add_task(analysis, wait->task, text);
        text_add_string(text, wait->condition ? " waits for a condition, which could be made true by "
                              : wait->blocks  ? " holds its object and waits for "
                                              : " waits for ");
        add_task(analysis, wait->target, text);
        if (wait->condition && !is_writer(analysis, wait))
            text_add_string(text, " if that continued and started a task that assigns");
        text_add_string(text, "\n");
        if (!cycle->steps[(i + 1) % cycle->count].by_cog)
            continue;
        place = task_place(analysis, wait->target);
        text_add(text, "    %s:%u: ", place.file->name, place.line);
        add_task(analysis, wait->target, text);
        text_add_string(text, " cannot run while its object is held\n");
    }
}

static bool is_named_before(const DepGraph *graph, uint32_t number)
{
    const WaitEdge *wait = &graph->conditions.items[number];
    for (uint32_t i = 0; i < number; i++)
        if (graph->conditions.items[i].task == wait->task && graph->conditions.items[i].at == wait->at &&
            graph->conditions.items[i].activation == wait->activation)
            return true;
    return false;
}

/* Who could make the condition true. */
static void add_writers(const Analysis *analysis, const WaitEdge *wait, Text *text)
{
    uint32_t words = analysis->graph->mhp->words + 1, count = 0;
    uint64_t *writers = mem_alloc(words * sizeof *writers), *helpers = mem_alloc(words * sizeof *helpers);
    helpers_find(analysis->graph, wait, writers, helpers);
    for (uint32_t task = 0; task < analysis->points->tasks.count; task++) {
        if (!bits_has(writers, task) || !bits_has(helpers, task))
            continue;
        text_add_string(text, count++ ? ", " : "undecided whether it becomes true by ");
        add_task(analysis, task, text);
    }
    const Guarding *guard =
        analysis->points->activations.items[wait->activation]->code->instrs[wait->at].x.guard;
    if (!count)
        text_add_string(text, guard->reads_clock ? "only time can make it true"
                                                 : "no other task can make it true if it is false");
    free(writers);
    free(helpers);
}

void analysis_add_conditions(const Analysis *analysis, Text *line, Text *details)
{
    const DepGraph *graph = analysis->graph;
    for (uint32_t i = 0; i < graph->conditions.count; i++) {
        const WaitEdge *wait = &graph->conditions.items[i];
        SourcePlace place = analysis_wait_place(analysis, wait);
        if (is_named_before(graph, i))
            continue;
        text_add_string(line, line->length ? ", " : "");
        add_task(analysis, wait->task, line);
        text_add(line, " -%u-> ?", place.line);
        text_add(details, "    %s:%u: ", place.file->name, place.line);
        add_task(analysis, wait->task, details);
        text_add_string(details, " waits for a condition; ");
        add_writers(analysis, wait, details);
        text_add_string(details, "\n");
    }
}

void analysis_add_constraints(const Analysis *analysis, const ModelCycle *cycle, Text *text)
{
    uint32_t location = 1, task = 1;
    for (uint32_t i = 0; i < cycle->count; i++) {
        const WaitEdge *wait = wait_of(analysis, cycle, i);
        const char *verb = wait->blocks ? "get" : "await";
        if (wait->condition) {
            text_add(text, "    exists t(L%u, T%u, _) -> <_, %u:await condition>\n", location++, task++,
                     analysis_wait_place(analysis, wait).line);
            continue;
        }
        text_add(text, "    exists t(L%u, T%u, _) -> <_, %u:F%u.%s>\n", location, task,
                 analysis_wait_place(analysis, wait).line, i + 1, verb);
        location++;
        task++;
        text_add(text, "    exists fut(F%u, L%u, T%u, %u, unresolved)\n", i + 1, location, task,
                 task_place(analysis, wait->target).line);
        if (cycle->steps[(i + 1) % cycle->count].by_cog)
            task++; /* the holder of the object need not be the awaited task */
    }
}
