/* tree.c - see tree.h */
#include "web/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "report/json.h"
#include "report/trace.h"
#include "web/traces.h"

enum { MOST_TRACES = 5000 };

typedef struct KeptTrace {
    char *name; /* "executions/0-000001" */
    Trace *trace;
} KeptTrace;

typedef VEC(KeptTrace) KeptTraces;
typedef VEC(const KeptTrace *) TraceBranch; /* traces that agree so far */

/* ---- Reading ------------------------------------------------------------------------- */

static void take_trace(void *context, const char *name, const char *path)
{
    KeptTraces *traces = context;
    Error error;
    Trace *trace = trace_read(path, &error);
    if (trace) /* one that is being written is damaged */
        VEC_PUSH(traces, ((KeptTrace){mem_copy_string(name), trace}));
}

/* All executions, if they were kept; else one for each final state and bug. */
static const char *read_traces(const char *run, KeptTraces *traces)
{
    static const char *const folders[] = {"executions", "tests", ""};
    for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
        traces_each(run, folders[i], MOST_TRACES, take_trace, traces);
        if (traces->count)
            return "executions";
    }
    traces_each(run, "states", MOST_TRACES, take_trace, traces);
    if (!traces->count)
        traces_each(run, "bugs", MOST_TRACES, take_trace, traces);
    return "examples";
}

/* ---- Writing --------------------------------------------------------------------------- */

static void add_step(Json *json, const TraceStep *step)
{
    json_open_object(json, NULL);
    json_add_string(json, "agent", step->agent);
    json_add_string(json, "text", step->text);
    if (step->place.file) {
        json_add_string(json, "file", step->place.file);
        json_add_count(json, "line", step->place.line);
    }
    json_close_object(json);
}

/* "state" and "test" are the kinds of traces without a bug. */
static bool is_of_bug(const Trace *trace)
{
    return strcmp(trace->kind, "state") != 0 && strcmp(trace->kind, "test") != 0;
}

static void add_leaf(Json *json, const KeptTrace *kept)
{
    const Trace *trace = kept->trace;
    json_open_object(json, NULL);
    json_add_string(json, "name", kept->name);
    json_add_string(json, "kind", trace->kind);
    json_add_string(json, "id", trace->id);
    json_add_bool(json, "bug", is_of_bug(trace));
    json_add_string(json, "summary", trace->summary);
    json_add_count(json, "steps", trace->step_count);
    if (trace->input_count) {
        json_open_object(json, "inputs");
        for (uint32_t i = 0; i < trace->input_count; i++)
            json_add_string(json, trace->inputs[i].name, trace->inputs[i].value);
        json_close_object(json);
    }
    json_close_object(json);
}

static bool decide_alike(const KeptTrace *a, const KeptTrace *b, uint32_t position)
{
    return trace_same_decision(a->trace, &a->trace->steps[position], b->trace, &b->trace->steps[position]);
}

/* How many steps all of them have in common. */
static uint32_t common_length(const TraceBranch *branch)
{
    const KeptTrace *first = branch->items[0];
    uint32_t length = first->trace->step_count;
    for (uint32_t i = 1; i < branch->count; i++) {
        const KeptTrace *other = branch->items[i];
        uint32_t same = 0;
        while (same < length && same < other->trace->step_count && decide_alike(first, other, same))
            same++;
        length = same;
    }
    return length;
}

/* Moves those that continue like the first one of `rest` to `alike`. */
static void split_off(TraceBranch *rest, uint32_t position, TraceBranch *alike)
{
    uint32_t left = 0;
    const KeptTrace *first = rest->items[0];
    for (uint32_t i = 0; i < rest->count; i++) {
        const KeptTrace *item = rest->items[i];
        if (decide_alike(first, item, position))
            VEC_PUSH(alike, item);
        else
            rest->items[left++] = item;
    }
    rest->count = left;
}

/* A node: the steps that its executions have in common, those that end there, and what follows. The branch is used
 * up. */
static void add_node(Json *json, const char *key, TraceBranch *branch, uint32_t from)
{
    uint32_t length = common_length(branch), left = 0;
    const Trace *first = branch->items[0]->trace;
    json_open_object(json, key);
    json_add_count(json, "executions", branch->count);
    json_open_list(json, "steps");
    for (uint32_t i = from; i < length; i++)
        add_step(json, &first->steps[i]);
    json_close_list(json);
    json_open_list(json, "ends");
    for (uint32_t i = 0; i < branch->count; i++) {
        if (branch->items[i]->trace->step_count == length)
            add_leaf(json, branch->items[i]);
        else
            branch->items[left++] = branch->items[i];
    }
    json_close_list(json);
    branch->count = left;
    json_open_list(json, "children");
    while (branch->count) {
        TraceBranch alike = {0};
        split_off(branch, length, &alike);
        add_node(json, NULL, &alike, length);
        VEC_FREE(&alike);
    }
    json_close_list(json);
    json_close_object(json);
}

void tree_write(const char *run, Text *out)
{
    KeptTraces traces = {0};
    TraceBranch all = {0};
    Json json = {.text = out, .first = true};
    json_open_object(&json, NULL);
    json_add_string(&json, "of", read_traces(run, &traces));
    json_add_count(&json, "kept", traces.count);
    for (uint32_t i = 0; i < traces.count; i++)
        VEC_PUSH(&all, &traces.items[i]);
    if (all.count)
        add_node(&json, "root", &all, 0);
    else
        json_add_raw(&json, "root", "null");
    json_close_object(&json);
    for (uint32_t i = 0; i < traces.count; i++) {
        free(traces.items[i].name);
        trace_destroy(traces.items[i].trace);
    }
    VEC_FREE(&traces);
    VEC_FREE(&all);
}
