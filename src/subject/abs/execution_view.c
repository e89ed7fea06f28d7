/* execution_view.c - see execution_view.h */
#include "subject/abs/execution_view.h"

#include <string.h>

#include "report/identity.h"
#include "subject/abs/endings.h"
#include "subject/abs/sequence_abs.h"

enum { MOST_STEPS = 5000 }; /* drawn */

/* ---- Running ---------------------------------------------------------------------- */

void execution_view_run(AbsProgram *program, Execution *ex, const Schedule *schedule)
{
    Program *base = program_abs_program(program);
    ex->picker = NULL;
    ex->stop_at_bug = false;
    ex->stop_after_plan = false;
    schedule_plan(schedule, ex);
    base->ops->run(base, ex);
}

/* ---- Taking ------------------------------------------------------------------------- */

/* "ok", "cut", "deadlock", "deadlock+exception": see endings_kinds. */
static void write_outcome(uint32_t kinds, Text *out)
{
    const char *plus = "";
    if (!kinds || kinds == ENDINGS_CUT)
        text_add_string(out, kinds ? "cut" : "ok");
    for (uint32_t kind = 0; kind < BUG_KIND_COUNT; kind++) {
        if (!(kinds >> kind & 1))
            continue;
        text_add(out, "%s%s", plus, bug_kind_name((BugKind)kind));
        plus = "+";
    }
}

static const char *keep(Arena *arena, Text *text)
{
    const char *copy = arena_copy(arena, text_borrow(text), text->length);
    text_release(text);
    return copy;
}

static const char *outcome_of(const Execution *ex, Arena *arena)
{
    Text text = {0};
    write_outcome(endings_kinds(ex), &text);
    return keep(arena, &text);
}

typedef struct InputTexts {
    Text line;
    Text object;
    Json json;
} InputTexts;

static void add_input(void *context, const char *name, const char *value)
{
    InputTexts *texts = context;
    text_add(&texts->line, "%s%s = %s", texts->line.length ? ", " : "", name, value);
    if (strcmp(value, "True") == 0 || strcmp(value, "False") == 0)
        json_add_bool(&texts->json, name, *value == 'T');
    else
        json_add_raw(&texts->json, name, value);
}

static void take_inputs(ExecutionView *view, AbsProgram *program, const Execution *ex, Arena *arena)
{
    InputTexts texts = {.json = {.first = true}};
    Program *base = program_abs_program(program);
    texts.json.text = &texts.object;
    json_open_object(&texts.json, NULL);
    base->ops->each_input(base, ex, add_input, &texts);
    json_close_object(&texts.json);
    view->inputs = keep(arena, &texts.line);
    view->inputs_json = keep(arena, &texts.object);
}

ExecutionView *execution_view_take(AbsProgram *program, const Execution *ex, Arena *arena)
{
    ExecutionView *view = arena_zero(arena, sizeof *view);
    Text objects = {0}, printed = {0};
    identity_write(endings_hash(program, ex), EXECUTION_VIEW_ID, view->id);
    view->outcome = outcome_of(ex, arena);
    program_abs_print_state(program, &objects);
    text_add_string(&printed, program_abs_output(program));
    take_inputs(view, program, ex, arena);
    view->objects = keep(arena, &objects);
    view->printed = keep(arena, &printed);
    uint32_t length = ex->event_count < MOST_STEPS ? ex->event_count : MOST_STEPS;
    view->sequence = sequence_of_execution(program, ex, length, arena);
    return view;
}

/* ---- Texts ----------------------------------------------------------------------------- */

static void write_indented(const char *lines, const char *indent, Text *out)
{
    while (*lines) {
        size_t size = strcspn(lines, "\n");
        text_add(out, "%s%.*s\n", indent, (int)size, lines);
        lines += size + (lines[size] == '\n');
    }
}

void execution_view_write(const ExecutionView *view, const Style *style, ExecutionDetail detail, Text *out)
{
    if (*view->inputs)
        text_add(out, "  with inputs %s\n", view->inputs);
    write_indented(*view->objects ? view->objects : "no objects\n", "  ", out);
    if (*view->printed) {
        text_add_string(out, "  printed:\n");
        write_indented(view->printed, "    | ", out);
    }
    if (detail == DETAIL_STATE)
        return;
    text_add_string(out, "\n");
    sequence_write_table(view->sequence, &(SequenceView){.whole = detail >= DETAIL_EVENTS}, style, out);
    if (detail == DETAIL_DIAGRAM) {
        text_add_string(out, "\n");
        sequence_write_diagram(view->sequence, style, out);
    }
}

static void add_object(AbsProgram *program, uint32_t number, Json *json)
{
    const ModelObject *object = &program_abs_machine(program)->objects[number];
    Text text = {0};
    json_open_object(json, NULL);
    program_abs_object_name(program, number, &text);
    json_add_string(json, "name", text.data);
    json_add_string(json, "class", object->class->name);
    json_add_bool(json, "dead", object->dead);
    json_open_object(json, "fields");
    for (uint32_t i = 0; i < object->class->field_count; i++) {
        text_reset(&text);
        program_abs_print_field(program, number, i, &text);
        json_add_string(json, object->class->decl->fields.items[i]->name.text, text_borrow(&text));
    }
    json_close_object(json);
    json_close_object(json);
    text_release(&text);
}

void execution_view_write_json(const ExecutionView *view, AbsProgram *program, Json *json)
{
    uint32_t count;
    const uint32_t *objects = program_abs_objects(program, &count);
    json_add_string(json, "outcome", view->outcome);
    json_add_raw(json, "inputs", view->inputs_json);
    json_open_list(json, "objects");
    for (uint32_t i = 0; i < count; i++)
        add_object(program, objects[i], json);
    json_close_list(json);
    if (*view->printed)
        json_add_string(json, "output", view->printed);
    sequence_write_json(view->sequence, "interleavings", json);
}

void execution_view_describe(const ExecutionView *view, Trace *trace)
{
    Text summary = {0};
    text_add(&summary, "an execution with outcome %s", view->outcome);
    trace->kind = EXECUTION_VIEW_KIND;
    trace->id = trace_keep(trace, view->id);
    trace->summary = trace_keep(trace, summary.data);
    text_release(&summary);
}

void execution_view_write_trace(const ExecutionView *view, AbsProgram *program, const Execution *ex,
                                const RunInfo *info, Text *out)
{
    Trace *trace = trace_create();
    runinfo_describe(info, trace);
    trace_add_steps(trace, program_abs_program(program), ex, ex->event_count);
    trace->preemptions = execution_preemptions(ex, ex->event_count);
    execution_view_describe(view, trace);
    trace_write(trace, out);
    trace_destroy(trace);
}
