/* execution_json.c - see execution_json.h */
#include "report/execution_json.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "core/hb.h"
#include "report/identity.h"

enum { NAME_SIZE = 260, STEP_SIZE = 520 };

/* A resource and the lanes by which it was accessed first: they give it its name. */
typedef struct NamedResource {
    uint64_t resource;
    uint8_t lanes;
} NamedResource;

typedef struct ExecutionWriter {
    const ExecutionDocument *document;
    Program *program;
    const Execution *ex;
    Json *json;
    Hb hb;              /* its events, unless memory is weak */
    VEC(NamedResource) resources;
    VEC(const char *) files; /* that places are in */
    uint32_t written;        /* possible writes that have been written */
} ExecutionWriter;

/* ---- Agents ------------------------------------------------------------------------- */

static void add_agent(ExecutionWriter *w, AgentId agent)
{
    char text[NAME_SIZE];
    const Agent *entry = &w->ex->agents[agent];
    Mail mail;
    json_open_object(w->json, NULL);
    w->program->ops->agent_path(w->program, agent, text, sizeof text);
    json_add_string(w->json, "path", text);
    w->program->ops->agent_name(w->program, agent, text, sizeof text);
    json_add_string(w->json, "name", text);
    if (w->program->ops->agent_owner) {
        w->program->ops->agent_owner(w->program, agent, text, sizeof text);
        json_add_string(w->json, "owner", text);
    }
    if (w->document->mail && w->document->mail(w->ex, agent, &mail)) {
        json_add_count(w->json, "sender", mail.sender);
        json_add_count(w->json, "receiver", mail.receiver);
        json_add_bool(w->json, "timer", mail.timer);
    }
    json_add_integer(w->json, "creator", entry->creator == AGENT_NONE ? -1 : (int64_t)entry->creator);
    json_add_count(w->json, "steps", entry->steps);
    json_close_object(w->json);
}

static void add_agents(ExecutionWriter *w)
{
    json_open_list(w->json, "agents");
    for (AgentId agent = 0; agent < w->ex->agent_count; agent++)
        add_agent(w, agent);
    json_close_list(w->json);
}

static void add_numbers(ExecutionWriter *w, const char *key, const uint32_t *numbers, uint32_t count)
{
    json_open_list(w->json, key);
    for (uint32_t i = 0; i < count; i++)
        json_add_count(w->json, NULL, numbers[i]);
    json_close_list(w->json);
}

/* The agents that the step created. */
static void add_created(ExecutionWriter *w, const Event *event)
{
    bool any = false;
    for (AgentId agent = 0; agent < w->ex->agent_count; agent++) {
        const Agent *entry = &w->ex->agents[agent];
        if (entry->creator != event->agent || entry->creator_step != event->index)
            continue;
        if (!any)
            json_open_list(w->json, "creates");
        any = true;
        json_add_count(w->json, NULL, agent);
    }
    if (any)
        json_close_list(w->json);
}

/* ---- Accesses ------------------------------------------------------------------------ */

static uint32_t resource_number(ExecutionWriter *w, const Access *access)
{
    for (uint32_t i = 0; i < w->resources.count; i++)
        if (w->resources.items[i].resource == access->resource && w->resources.items[i].lanes == access->lanes)
            return i;
    VEC_PUSH(&w->resources, ((NamedResource){access->resource, access->lanes}));
    return w->resources.count - 1;
}

static const char *mode_name(Mode mode)
{
    switch (mode) {
    case MODE_READ: return "read";
    case MODE_WRITE: return "write";
    case MODE_NONE: return "none";
    default: return "update";
    }
}

/* Values may be wider than the numbers of JavaScript: they are texts. */
static void add_value(ExecutionWriter *w, const char *key, int64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRId64, value);
    json_add_string(w->json, key, text);
}

static void add_accesses(ExecutionWriter *w, uint32_t first, uint32_t count)
{
    json_open_list(w->json, "accesses");
    for (uint32_t i = 0; i < count; i++) {
        const Access *access = &w->ex->accesses[first + i];
        if (access->mode == MODE_NONE || access->companion)
            continue;
        json_open_object(w->json, NULL);
        json_add_count(w->json, "resource", resource_number(w, access));
        json_add_string(w->json, "mode", mode_name((Mode)access->mode));
        if (access->role == ROLE_GUARD)
            json_add_bool(w->json, "guard", true);
        add_value(w, "before", access->before);
        add_value(w, "after", access->after);
        json_close_object(w->json);
    }
    json_close_list(w->json);
}

static void add_resources(ExecutionWriter *w)
{
    char text[NAME_SIZE];
    json_open_list(w->json, "resources");
    for (uint32_t i = 0; i < w->resources.count; i++) {
        const NamedResource *named = &w->resources.items[i];
        w->program->ops->resource_name(w->program, named->resource, named->lanes, text, sizeof text);
        json_add_string(w->json, NULL, text);
    }
    json_close_list(w->json);
}

/* ---- Steps ----------------------------------------------------------------------------- */

static void note_file(ExecutionWriter *w, const char *file)
{
    for (uint32_t i = 0; i < w->files.count; i++)
        if (strcmp(w->files.items[i], file) == 0)
            return;
    VEC_PUSH(&w->files, file);
}

static void add_place(ExecutionWriter *w, uint64_t site)
{
    Place place;
    if (!w->program->ops->place(w->program, site, &place) || !place.file)
        return;
    note_file(w, place.file);
    json_add_string(w->json, "file", place.file);
    json_add_count(w->json, "line", place.line);
    json_add_string(w->json, "function", place.function);
}

static void add_text(ExecutionWriter *w, uint16_t op, uint32_t first_access, uint32_t access_count)
{
    char text[STEP_SIZE];
    w->program->ops->step_text(w->program, op, &w->ex->accesses[first_access], access_count, text, sizeof text);
    json_add_string(w->json, "text", text);
}

/* What the inputs satisfy here. */
static void add_condition(ExecutionWriter *w, const Choice *choice)
{
    char text[STEP_SIZE], said[STEP_SIZE + 8];
    if (!choice->condition || !w->program->ops->condition_text)
        return;
    w->program->ops->condition_text(w->program, choice->condition, text, sizeof text);
    snprintf(said, sizeof said, "%s%s", choice->taken ? "not " : "", text);
    if (*text)
        json_add_string(w->json, "condition", said);
}

/* Under weak memory: the options of the step's first choice that the memory model allows. */
static void add_possible(ExecutionWriter *w, uint32_t position)
{
    const PossibleWrites *writes = w->document->writes;
    if (!writes || w->written >= writes->count || writes->items[w->written].step != position)
        return;
    json_open_list(w->json, "possible");
    for (; w->written < writes->count && writes->items[w->written].step == position; w->written++) {
        const PossibleWrite *write = &writes->items[w->written];
        json_open_object(w->json, NULL);
        json_add_count(w->json, "option", write->option);
        if (write->source != UINT32_MAX)
            json_add_count(w->json, "step", write->source);
        add_value(w, "value", write->value);
        json_close_object(w->json);
    }
    json_close_list(w->json);
}

static void add_choices(ExecutionWriter *w, uint32_t position)
{
    const Event *event = &w->ex->events[position];
    if (!event->choice_count)
        return;
    json_open_list(w->json, "choices");
    for (uint32_t i = 0; i < event->choice_count; i++) {
        const Choice *choice = &w->ex->choices[event->first_choice + i];
        json_open_object(w->json, NULL);
        json_add_count(w->json, "taken", choice->taken);
        json_add_count(w->json, "options", choice->options);
        json_add_bool(w->json, "input", choice->condition != 0);
        add_condition(w, choice);
        add_possible(w, position);
        json_close_object(w->json);
    }
    json_close_list(w->json);
}

static void add_enabled(ExecutionWriter *w, uint32_t position)
{
    const EnabledAgents *enabled = w->document->enabled;
    if (!enabled || position >= enabled->step_count)
        return;
    uint32_t first = position ? enabled->ends[position - 1] : 0;
    add_numbers(w, "enabled", &enabled->agents[first], enabled->ends[position] - first);
}

/* The steps of other agents that it had to come after, without those that these came after. */
static void add_causes(ExecutionWriter *w, uint32_t position)
{
    uint32_t count;
    if (w->ex->memory != MEMORY_SC)
        return;
    const uint32_t *races = hb_races(&w->hb, position, &count);
    if (count)
        add_numbers(w, "after", races, count);
}

static void add_step(ExecutionWriter *w, uint32_t position)
{
    const Event *event = &w->ex->events[position];
    json_open_object(w->json, NULL);
    json_add_count(w->json, "agent", event->agent);
    add_text(w, event->op, event->first_access, event->access_count);
    add_place(w, event->site);
    if (event->flags & EVENT_PREEMPTS)
        json_add_bool(w->json, "preempts", true);
    add_created(w, event);
    add_causes(w, position);
    add_choices(w, position);
    add_enabled(w, position);
    add_accesses(w, event->first_access, event->access_count);
    json_close_object(w->json);
}

static void add_steps(ExecutionWriter *w)
{
    json_open_list(w->json, "steps");
    for (uint32_t i = 0; i < w->ex->event_count; i++)
        add_step(w, i);
    json_close_list(w->json);
}

/* ---- The end --------------------------------------------------------------------------------- */

static void add_blocked(ExecutionWriter *w)
{
    json_open_list(w->json, "blocked");
    for (uint32_t i = 0; i < w->ex->blocked_count; i++) {
        const Blocked *blocked = &w->ex->blocked[i];
        json_open_object(w->json, NULL);
        json_add_count(w->json, "agent", blocked->agent);
        add_text(w, blocked->op, blocked->first_access, blocked->access_count);
        add_place(w, blocked->site);
        add_accesses(w, blocked->first_access, blocked->access_count);
        json_close_object(w->json);
    }
    json_close_list(w->json);
}

static void add_finding(ExecutionWriter *w, const Finding *finding)
{
    char id[IDENTITY_TEXT];
    json_open_object(w->json, NULL);
    json_add_string(w->json, "kind", bug_kind_name(finding->kind));
    identity_write(identity_of(w->program, finding), IDENTITY_DIGITS, id);
    json_add_string(w->json, "id", id);
    json_add_string(w->json, "summary", finding->text);
    json_add_count(w->json, "position", finding->position);
    add_numbers(w, "agents", finding->agents, finding->agent_count);
    json_open_list(w->json, "places");
    for (uint32_t i = 0; i < finding->site_count; i++) {
        json_open_object(w->json, NULL);
        add_place(w, finding->sites[i]);
        json_close_object(w->json);
    }
    json_close_list(w->json);
    json_close_object(w->json);
}

static void add_findings(ExecutionWriter *w)
{
    json_open_list(w->json, "findings");
    for (uint32_t i = 0; i < w->ex->finding_count; i++)
        add_finding(w, &w->ex->findings[i]);
    json_close_list(w->json);
}

static const char *end_name(const Execution *ex)
{
    if (execution_is_cut(ex) || ex->end == END_CUT)
        return "cut";
    return ex->end == END_CRASHED ? "crashed" : ex->end == END_ABANDONED ? "stopped" : "complete";
}

static void add_input(void *json, const char *name, const char *value) { json_add_string(json, name, value); }

static void add_inputs(ExecutionWriter *w)
{
    json_open_object(w->json, "inputs");
    if (w->program->ops->each_input)
        w->program->ops->each_input(w->program, w->ex, add_input, w->json);
    json_close_object(w->json);
}

/* The source files, as they are now; those that cannot be read are left out. */
static void add_sources(ExecutionWriter *w)
{
    json_open_object(w->json, "sources");
    for (uint32_t i = 0; i < w->files.count; i++) {
        Text text = {0};
        int file = open(w->files.items[i], O_RDONLY | O_CLOEXEC);
        if (file >= 0 && text_add_file(&text, file))
            json_add_bytes(w->json, w->files.items[i], text_borrow(&text), text.length);
        if (file >= 0)
            close(file);
        text_release(&text);
    }
    json_close_object(w->json);
}

void execution_json_write(const ExecutionDocument *document, Text *out)
{
    Json json = {.text = out, .first = true};
    ExecutionWriter w = {.document = document, .program = document->program, .ex = document->ex, .json = &json};
    bool ordered = document->ex->memory == MEMORY_SC;
    hb_init(&w.hb, document->ex);
    if (ordered)
        hb_extend(&w.hb);
    json_open_object(&json, NULL);
    json_add_count(&json, "format", 1);
    json_add_string(&json, "end", end_name(document->ex));
    add_findings(&w);
    add_inputs(&w);
    add_agents(&w);
    add_steps(&w);
    add_blocked(&w);
    add_resources(&w);
    if (document->sequence)
        sequence_write_json(document->sequence, "sequence", &json);
    add_sources(&w);
    json_add_string(&json, "trace", document->trace);
    if (document->output_size)
        json_add_bytes(&json, "output", document->output, document->output_size);
    json_close_object(&json);
    text_add_string(out, "\n");
    hb_release(&w.hb);
    VEC_FREE(&w.resources);
    VEC_FREE(&w.files);
}
