/* report_json.c - see report_json.h */
#include "report/report_json.h"

#include <string.h>

#include "report/json.h"
#include "sennit_version.h"

/* ---- Bugs ---------------------------------------------------------------------- */

static void add_place_members(Json *json, const TracePlace *place)
{
    json_add_string(json, "file", place->file);
    json_add_count(json, "line", place->line);
    json_add_string(json, "function", place->function);
}

static void add_place(Json *json, const char *key, const TracePlace *place)
{
    json_open_object(json, key);
    add_place_members(json, place);
    json_close_object(json);
}

static void add_party(Json *json, const BugView *view, const PartyView *party)
{
    json_open_object(json, NULL);
    json_add_string(json, "thread", view->threads[party->thread].name);
    json_add_string(json, "action", party->action);
    add_place(json, "place", &party->place);
    json_open_list(json, "stack");
    for (uint32_t i = 0; i < party->frame_count; i++)
        add_place(json, NULL, &party->frames[i]);
    json_close_list(json);
    if (party->locks_known) {
        json_open_list(json, "locks");
        for (uint32_t i = 0; i < party->lock_count; i++) {
            json_open_object(json, NULL);
            json_add_string(json, "name", party->locks[i].name);
            add_place_members(json, &party->locks[i].taken);
            json_close_object(json);
        }
        json_close_list(json);
    }
    if (party->waits_for) {
        json_add_string(json, "waits_for", party->waits_for);
        if (party->owner != VIEW_NO_THREAD)
            json_add_string(json, "owner", view->threads[party->owner].name);
    } else if (party->awaits) {
        json_add_string(json, "waits_for", party->awaits);
        json_add_string(json, "owner", view->threads[party->awaited].name);
    }
    json_close_object(json);
}

/* The last ones; the trace has them all. */
static void add_steps(Json *json, const Trace *trace)
{
    enum { SHOWN = 1000 };
    json_add_count(json, "step_count", trace->step_count);
    json_open_list(json, "steps");
    for (uint32_t i = trace->step_count > SHOWN ? trace->step_count - SHOWN : 0; i < trace->step_count; i++) {
        const TraceStep *step = &trace->steps[i];
        json_open_object(json, NULL);
        json_add_string(json, "agent", step->agent);
        json_add_string(json, "text", step->text);
        add_place_members(json, &step->place);
        json_close_object(json);
    }
    json_close_list(json);
}

/* Numbers as numbers, bytes as a string with escapes as in the trace. */
static void add_inputs(Json *json, const Trace *trace)
{
    json_open_object(json, "inputs");
    for (uint32_t i = 0; i < trace->input_count; i++) {
        const TraceInput *input = &trace->inputs[i];
        size_t length = strlen(input->value);
        if (*input->value == '"')
            json_add_bytes(json, input->name, input->value + 1, length - 2);
        else if (strcmp(input->value, "True") == 0 || strcmp(input->value, "False") == 0) /* as in models */
            json_add_bool(json, input->name, *input->value == 'T');
        else if (strchr(input->value, ':')) /* a choice, with what it stands for */
            json_add_string(json, input->name, input->value);
        else
            json_add_raw(json, input->name, input->value);
    }
    json_close_object(json);
}

static void add_explanation(Json *json, const BugView *view)
{
    Sequential sequential = view->trace->sequential;
    if (sequential != SEQUENTIAL_UNKNOWN)
        json_add_bool(json, "sequential", sequential == SEQUENTIAL_YES);
    if (view->explanation_count == 0)
        return;
    json_open_list(json, "explanation");
    for (uint32_t i = 0; i < view->explanation_count; i++)
        json_add_string(json, NULL, view->explanation[i]);
    json_close_list(json);
}

/* Bugs that the same execution showed before it, as "data-race-1bad". */
static void add_earlier(Json *json, const BugView *view)
{
    if (view->earlier_count == 0)
        return;
    json_open_list(json, "after");
    for (uint32_t i = 0; i < view->earlier_count; i++) {
        Text name = {0};
        text_add(&name, "%s-%s", view->earlier[i].kind, view->earlier[i].id);
        json_add_string(json, NULL, name.data);
        text_release(&name);
    }
    json_close_list(json);
}

void report_json_path(const char *path, Json *json)
{
    json_open_list(json, "path_condition");
    while (*path) {
        Text condition = {0};
        size_t size = strcspn(path, "\n");
        text_add_bytes(&condition, path, size);
        json_add_string(json, NULL, text_borrow(&condition));
        text_release(&condition);
        path += size + (path[size] == '\n');
    }
    json_close_list(json);
}

void report_json_bug(const BugView *view, const char *trace, Text *out)
{
    Json json = {.text = out, .first = true};
    const Trace *bug = view->trace;
    json_open_object(&json, NULL);
    json_add_string(&json, "kind", bug->kind);
    json_add_string(&json, "id", bug->id);
    json_add_string(&json, "summary", bug->summary);
    json_add_bool(&json, "confirmed", view->doubt == NULL);
    if (view->doubt)
        json_add_string(&json, "doubt", view->doubt);
    json_open_list(&json, "places");
    for (uint32_t i = 0; i < bug->place_count; i++)
        add_place(&json, NULL, &bug->places[i]);
    json_close_list(&json);
    json_add_string(&json, "trace", trace);
    json_add_count(&json, "preemptions", bug->preemptions);
    json_add_bool(&json, "minimised", !bug->unminimised);
    add_earlier(&json, view);
    add_explanation(&json, view);
    add_inputs(&json, bug);
    if (view->path)
        report_json_path(view->path, &json);
    json_open_list(&json, "threads");
    for (uint32_t i = 0; i < view->party_count; i++)
        add_party(&json, view, &view->parties[i]);
    json_close_list(&json);
    add_steps(&json, bug);
    if (view->sequence)
        sequence_write_json(view->sequence, "interleavings", &json);
    if (view->output_size > 0)
        json_add_bytes(&json, "output", view->output, view->output_size);
    json_close_object(&json);
}

/* ---- Runs ------------------------------------------------------------------------ */

static void add_bounds(Json *json, const Summary *summary)
{
    json_open_list(json, "bounds");
    for (uint32_t i = 0; i < summary->bound_count; i++) {
        const Bound *bound = &summary->bounds[i];
        json_open_object(json, NULL);
        json_add_string(json, "name", bound->name);
        json_add_number(json, "limit", bound->limit);
        json_add_count(json, "hits", bound->hits);
        json_close_object(json);
    }
    json_close_list(json);
}

static void add_unseen(Json *json, const Summary *summary)
{
    json_open_list(json, "unseen");
    for (uint32_t i = 0; i < summary->unseen_count && i < SUMMARY_UNSEEN; i++) {
        const Unseen *unseen = &summary->unseen[i];
        json_open_object(json, NULL);
        json_add_string(json, "kind", unseen_kind_name(unseen->kind));
        json_add_string(json, "name", unseen->name);
        json_add_string(json, "file", unseen->file);
        json_add_count(json, "line", unseen->line);
        json_add_string(json, "function", unseen->function);
        json_close_object(json);
    }
    json_close_list(json);
}

/* What keeps a search from ending, and the options that bound it. */
static void add_endless_loop(Json *json, const Summary *summary)
{
    const Busiest *busiest = &summary->busiest;
    json_open_object(json, "loop");
    json_add_string(json, "file", busiest->file);
    json_add_count(json, "line", busiest->line);
    json_add_string(json, "function", busiest->function);
    json_add_count(json, "steps", busiest->steps);
    json_add_count(json, "of", busiest->length);
    json_open_list(json, "options");
    json_add_string(json, NULL, "unroll");
    json_add_string(json, NULL, "max-steps");
    json_close_list(json);
    json_close_object(json);
}

static void add_figures(Json *json, const Summary *summary)
{
    const ExploreStats *stats = &summary->stats;
    json_add_count(json, "executions", stats->executions);
    json_add_count(json, "redundant", stats->redundant);
    if (stats->restored)
        json_add_count(json, "restored", stats->restored);
    if (stats->states)
        json_add_count(json, "states", stats->states);
    if (stats->hoped)
        json_add_string(json, "fairness", stats->strong ? "weak, strong where stated" : "weak");
    if (stats->endless)
        json_add_count(json, "endless", stats->endless);
    if (summary->samples)
        json_add_count(json, "samples", summary->samples);
    if (summary->sampled_bug_count) {
        json_open_list(json, "sampled_bugs");
        for (uint32_t i = 0; i < summary->sampled_bug_count; i++)
            json_add_string(json, NULL, summary->sampled_bugs[i]);
        json_close_list(json);
    }
    if (stats->pruned)
        json_add_count(json, "pruned", stats->pruned);
    if (stats->symmetric)
        json_add_count(json, "symmetric", stats->symmetric);
    if (summary->faults.possible) {
        json_open_object(json, "faults");
        json_add_count(json, "lost", summary->faults.lost);
        json_add_count(json, "duplicated", summary->faults.duplicated);
        json_add_count(json, "cut_off", summary->faults.cut_off);
        json_add_count(json, "crashed", summary->faults.crashed);
        json_add_count(json, "reset", summary->faults.reset);
        json_add_count(json, "shortened", summary->faults.shortened);
        json_add_count(json, "partitions", summary->faults.parted);
        json_close_object(json);
    }
    json_add_count(json, "probes", stats->probes);
    json_add_count(json, "blocked", stats->blocked);
    json_add_count(json, "failing", stats->failing);
    json_add_count(json, "crashed", stats->crashed);
    json_add_count(json, "cut", stats->cut);
    json_add_count(json, "assumed", stats->assumed);
    json_add_count(json, "steps", stats->steps);
    json_add_count(json, "depth", stats->depth);
    json_add_count(json, "threads", stats->agents);
    json_add_number(json, "seconds", summary->seconds);
    json_add_number(json, "cpu_seconds", summary->cpu_seconds);
    json_add_count(json, "peak_kb", summary->peak_kb);
}

/* Only branches that no execution took are listed; the tracefile has everything. */
static void add_coverage(Json *json, const CodeCoverage *coverage)
{
    CoverageTotals totals = coverage_totals(coverage);
    json_open_object(json, "coverage");
    json_add_count(json, "lines", totals.lines);
    json_add_count(json, "lines_hit", totals.lines_hit);
    json_add_count(json, "branches", totals.branches);
    json_add_count(json, "branches_hit", totals.branches_hit);
    json_add_count(json, "functions", totals.functions);
    json_add_count(json, "functions_hit", totals.functions_hit);
    json_open_list(json, "uncovered");
    for (uint32_t i = 0; i < coverage->count; i++) {
        const CoveragePoint *point = &coverage->points[i];
        if (point->kind != COVERAGE_BRANCH || point->hit)
            continue;
        json_open_object(json, NULL);
        json_add_string(json, "file", point->file);
        json_add_count(json, "line", point->line);
        json_add_string(json, "function", point->function);
        json_add_count(json, "target_line", point->target);
        json_close_object(json);
    }
    json_close_list(json);
    json_close_object(json);
}

void report_json_run(const Summary *summary, const Text *bugs, uint32_t bug_count, Text *out)
{
    Json json = {.text = out, .pretty = true, .first = true};
    Text sentence = {0}, command = {0};
    summary_write_verdict(summary, &sentence);
    summary_write_command(summary, &command);
    json_open_object(&json, NULL);
    json_add_string(&json, "program", summary->program);
    json_add_string(&json, "command", summary->command ? text_borrow(&command) : NULL);
    json_add_string(&json, "version", SENNIT_VERSION);
    json_add_string(&json, "verdict", verdict_name(summary_verdict(summary)));
    json_add_string(&json, "sentence", sentence.data);
    json_add_string(&json, "ending", summary_ending_name(summary->ending));
    json_add_string(&json, "note", summary->note);
    json_add_string(&json, "strategy", summary->strategies);
    json_add_count(&json, "seed", summary->seed);
    if (summary->memory)
        json_add_string(&json, "memory", summary->memory);
    if (summary->memory_why)
        json_add_string(&json, "memory_why", summary->memory_why);
    add_bounds(&json, summary);
    add_unseen(&json, summary);
    if (summary_has_endless_loop(summary))
        add_endless_loop(&json, summary);
    add_figures(&json, summary);
    json_add_integer(&json, "exit_code", summary->exit_code);
    if (summary->goal_count) {
        json_open_object(&json, "goals");
        for (uint32_t i = 0; i < summary->goal_count; i++)
            json_add_bool(&json, summary->goals[i].name, summary->goals[i].is_reached);
        json_close_object(&json);
    }
    if (summary->coverage)
        add_coverage(&json, summary->coverage);
    json_open_list(&json, "opaque");
    for (uint32_t i = 0; i < summary->opaque_count; i++)
        json_add_string(&json, NULL, summary->opaque[i]);
    json_close_list(&json);
    for (uint32_t i = 0; i < summary->part_count; i++)
        json_add_raw(&json, summary->parts[i].key, text_borrow(&summary->parts[i].json));
    json_open_list(&json, "bugs");
    for (uint32_t i = 0; i < bug_count; i++)
        json_add_raw(&json, NULL, text_borrow(&bugs[i]));
    json_close_list(&json);
    json_close_object(&json);
    text_add_string(out, "\n");
    text_release(&sentence);
    text_release(&command);
}

void report_json_progress(const ExploreStats *stats, const ProgressWork *work, double seconds, uint32_t bugs, Text *out)
{
    Json json = {.text = out, .first = true};
    json_open_object(&json, NULL);
    json_add_number(&json, "seconds", seconds);
    json_add_count(&json, "executions", stats->executions);
    json_add_count(&json, "redundant", stats->redundant);
    json_add_count(&json, "steps", stats->steps);
    json_add_count(&json, "depth", stats->depth);
    json_add_count(&json, "bugs", bugs);
    json_add_number(&json, "estimate", stats->estimate.total);
    json_add_number(&json, "estimate_low", stats->estimate.low);
    json_add_number(&json, "estimate_high", stats->estimate.high);
    json_add_count(&json, "workers", work->workers);
    if (work->branches) {
        json_add_count(&json, "branches", work->branches);
        json_add_count(&json, "branches_hit", work->branches_taken);
    }
    json_close_object(&json);
    text_add_string(out, "\n");
}
