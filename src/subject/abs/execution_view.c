/* execution_view.c - see execution_view.h */
#include "subject/abs/execution_view.h"

#include <string.h>

#include "report/identity.h"
#include "report/report_json.h"
#include "subject/abs/endings.h"
#include "subject/abs/sequence_abs.h"

enum { MOST_STEPS = 5000, /* drawn */ CONDITION_SIZE = 1000 };

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
    else if (strchr(value, ':')) /* a choice, with what it stands for */
        json_add_string(&texts->json, name, value);
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

/* The condition, or its negation if the second option was taken; each on a line of its own. "(~x)" is the negation of
 * x, which is in parentheses unless it is an input. */
static void add_condition(Program *program, const Choice *choice, Text *out)
{
    char buffer[CONDITION_SIZE], *text = buffer;
    bool negated = choice->taken != 0;
    program->ops->condition_text(program, choice->condition, buffer, sizeof buffer);
    size_t length = strlen(text);
    for (; length > 3 && strncmp(text, "(~", 2) == 0 && text[length - 1] == ')'; length -= 3, negated = !negated)
        text += 2;
    bool bare = length > 2 && *text == '(' && text[length - 1] == ')' && !memchr(text + 1, '(', length - 1);
    if (!length)
        return;
    text_add_string(out, out->length ? "\n" : "");
    if (bare && !negated)
        text_add(out, "%.*s", (int)length - 2, text + 1);
    else
        text_add(out, "%s%.*s", negated ? "not " : "", (int)length, text);
}

const char *execution_path(Program *program, const Execution *ex, uint32_t length, Arena *arena)
{
    Text text = {0};
    for (uint32_t i = 0; i < length; i++) {
        const Event *event = &ex->events[i];
        for (uint32_t k = 0; k < event->choice_count; k++) {
            const Choice *choice = &ex->choices[event->first_choice + k];
            if (choice->condition && program->ops->condition_text)
                add_condition(program, choice, &text);
        }
    }
    return keep(arena, &text);
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
    view->path = execution_path(program_abs_program(program), ex, ex->event_count, arena);
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

static void write_conditions(const char *path, Text *out)
{
    for (; *path; path++)
        text_add_bytes(out, *path == '\n' ? ", " : path, *path == '\n' ? 2 : 1);
}

void execution_view_write(const ExecutionView *view, const Style *style, ExecutionDetail detail, Text *out)
{
    if (*view->inputs)
        text_add(out, "  with inputs %s\n", view->inputs);
    if (*view->path) {
        text_add_string(out, "  on the path ");
        write_conditions(view->path, out);
        text_add_string(out, "\n");
    }
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
    if (*view->path)
        report_json_path(view->path, json);
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
