/* portrait.c - see portrait.h */
#include "subject/abs/portrait.h"

#include <string.h>

#include "report/identity.h"
#include "subject/abs/endings.h"
#include "subject/abs/sequence_abs.h"

enum { MOST_STEPS = 5000 }; /* drawn */

/* ---- Running ---------------------------------------------------------------------- */

void portrait_run(AbsProgram *program, Execution *ex, const Schedule *schedule)
{
    Program *base = program_abs_program(program);
    ex->picker = NULL;
    ex->stop_at_bug = false;
    ex->stop_after_plan = false;
    schedule_plan(schedule, ex);
    base->ops->run(base, ex);
}

/* ---- Taking ------------------------------------------------------------------------- */

void portrait_write_outcome(uint32_t kinds, Text *out)
{
    const char *plus = "";
    if (!kinds)
        text_add_string(out, "ok");
    for (uint32_t kind = 0; kinds >> kind; kind++) {
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
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < ex->finding_count; i++)
        kinds |= 1u << ex->findings[i].kind;
    portrait_write_outcome(kinds, &text);
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

static void take_inputs(Portrait *portrait, AbsProgram *program, const Execution *ex, Arena *arena)
{
    InputTexts texts = {.json = {.first = true}};
    Program *base = program_abs_program(program);
    texts.json.text = &texts.object;
    json_open_object(&texts.json, NULL);
    base->ops->each_input(base, ex, add_input, &texts);
    json_close_object(&texts.json);
    portrait->inputs = keep(arena, &texts.line);
    portrait->inputs_json = keep(arena, &texts.object);
}

Portrait *portrait_take(AbsProgram *program, const Execution *ex, Arena *arena)
{
    Portrait *portrait = arena_zero(arena, sizeof *portrait);
    Text objects = {0}, printed = {0};
    identity_write(endings_hash(program, ex), PORTRAIT_ID, portrait->id);
    portrait->outcome = outcome_of(ex, arena);
    program_abs_print_state(program, &objects);
    text_add_string(&printed, program_abs_output(program));
    take_inputs(portrait, program, ex, arena);
    portrait->objects = keep(arena, &objects);
    portrait->printed = keep(arena, &printed);
    uint32_t length = ex->event_count < MOST_STEPS ? ex->event_count : MOST_STEPS;
    portrait->sequence = sequence_of_execution(program, ex, length, arena);
    return portrait;
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

void portrait_write(const Portrait *portrait, const Style *style, bool diagram, Text *out)
{
    if (*portrait->inputs)
        text_add(out, "  with inputs %s\n", portrait->inputs);
    write_indented(*portrait->objects ? portrait->objects : "no objects\n", "  ", out);
    if (*portrait->printed) {
        text_add_string(out, "  printed:\n");
        write_indented(portrait->printed, "    | ", out);
    }
    text_add_string(out, "\n");
    sequence_write_table(portrait->sequence, style, out);
    if (diagram) {
        text_add_string(out, "\n");
        sequence_write_diagram(portrait->sequence, style, out);
    }
}

static void add_object(AbsProgram *program, uint32_t number, Json *json)
{
    const Object *object = &program_abs_machine(program)->objects[number];
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

void portrait_write_json(const Portrait *portrait, AbsProgram *program, Json *json)
{
    uint32_t count;
    const uint32_t *objects = program_abs_objects(program, &count);
    json_add_string(json, "outcome", portrait->outcome);
    json_add_raw(json, "inputs", portrait->inputs_json);
    json_open_list(json, "objects");
    for (uint32_t i = 0; i < count; i++)
        add_object(program, objects[i], json);
    json_close_list(json);
    if (*portrait->printed)
        json_add_string(json, "output", portrait->printed);
    sequence_write_json(portrait->sequence, "interleavings", json);
}

void portrait_write_trace(const Portrait *portrait, AbsProgram *program, const Execution *ex, const RunInfo *info,
                          Text *out)
{
    Trace *trace = trace_create();
    Text summary = {0};
    runinfo_describe(info, trace);
    trace_add_steps(trace, program_abs_program(program), ex, ex->event_count);
    trace->preemptions = execution_preemptions(ex, ex->event_count);
    trace->kind = PORTRAIT_KIND;
    trace->id = portrait->id;
    text_add(&summary, "an execution that ends: %s", portrait->outcome);
    trace->summary = summary.data;
    trace_write(trace, out);
    text_release(&summary);
    trace_destroy(trace);
}
