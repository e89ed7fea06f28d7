/* record_abs.c - what a search records of the executions of a model, and reports afterwards */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "abs/run/inputs.h"
#include "app/run/process.h"
#include "app/run/solving.h"
#include "base/mem.h"
#include "report/identity.h"
#include "subject/abs/decision_coverage.h"
#include "subject/abs/endings.h"
#include "subject/abs/execution_view.h"
#include "subject/abs/explored_suite.h"
#include "subject/abs/interleaving_tree.h"
#include "subject/abs/model_coverage.h"
#include "subject/abs/model_internal.h"

enum { STATES_PRINTED = 10, STATE_LINES = 15, STATES_SAVED = 1000 };

/* The SearchRecord of a model (app/run/subject.h); in the region, shared by workers and supervisor. */
typedef struct ModelRecord {
    AbsProgram *program;
    const RunInfo *info;
    Style style;
    Endings *endings;
    DecisionCoverage *decisions;
    Marks *marks;                      /* of executed instructions                   */
    _Atomic uint64_t inputs_cut;       /* executions with a concretised input        */
    uint64_t inputs_sent;              /* of these: written so far                   */
    _Atomic uint64_t inputs_limited;   /* executions with an input that is not any value of its type */
    uint64_t limited_sent;
    SymStats solving_sent;
    char refusal[400];
    double begin;                      /* process_now when the search began          */
    /* in the supervisor, after the search */
    uint32_t painted;                  /* final states for whose executions there is time */
    Execution *ex;
    Arena arena;
    Text states, list;        /* JSON */
} ModelRecord;

static ModelRecord *model_record(SearchRecord *record) { return (ModelRecord *)record; }
static bool ends_by_decisions(const ModelRecord *record) { return record->info->options.until == UNTIL_DECISIONS; }

/* ---- While it searches -------------------------------------------------------------- */

SearchRecord *record_create(Region *region, Program *program, const RunInfo *info, const Style *style, Error *error)
{
    ModelRecord *record = region_alloc(region, sizeof *record);
    const Options *options = &info->options;
    *record = (ModelRecord){.program = (AbsProgram *)program, .info = info, .style = *style};
    record->begin = process_now();
    record->endings = endings_create(options->show == SHOW_ALL || options->tree != TREE_NONE || *options->tests);
    if (!record->endings)
        error_set(error, EXIT_INTERNAL, "cannot reserve memory for final states");
    if (*options->tests && !explored_suite_prepare(options, error))
        return NULL;
    record->decisions = decision_coverage_create(region, record->program);
    record->marks = marks_create(region, program_abs_machine(record->program)->image);
    program_abs_mark(record->program, record->marks);
    return record->endings ? (SearchRecord *)record : NULL;
}

static void note_refusal(ModelRecord *record, const char *what, uint64_t site)
{
    Program *base = program_abs_program(record->program);
    Place place;
    if (base->ops->place(base, site, &place))
        snprintf(record->refusal, sizeof record->refusal, "%s:%u:%u: %s", place.file, place.line, place.column, what);
    else
        snprintf(record->refusal, sizeof record->refusal, "%s", what);
}

Ending record_execution(SearchRecord *base, const Execution *ex, ExecutionTag tag)
{
    ModelRecord *record = model_record(base);
    uint64_t site;
    const char *unsupported = program_abs_unsupported(record->program, &site);
    if (unsupported) {
        note_refusal(record, unsupported, site);
        return ENDING_REFUSED;
    }
    if (program_abs_machine(record->program)->concretised)
        atomic_fetch_add_explicit(&record->inputs_cut, 1, memory_order_relaxed);
    if (program_abs_machine(record->program)->limited)
        atomic_fetch_add_explicit(&record->inputs_limited, 1, memory_order_relaxed);
    if (ex->end == END_COMPLETE || ex->end == END_CUT || (ex->end == END_ABANDONED && ex->finding_count > 0))
        endings_add(record->endings, record->program, ex, tag);
    return ends_by_decisions(record) && decision_coverage_is_complete(record->decisions) ? ENDING_ENOUGH : ENDING_DONE;
}

void record_forget(SearchRecord *record, ExecutionTag last) { endings_forget(model_record(record)->endings, last); }

/* ---- For other processes ------------------------------------------------------------------ */

static Archive *archive_of(const ModelRecord *record)
{
    const Inputs *inputs = program_abs_machine(record->program)->inputs;
    return inputs ? inputs_archive(inputs) : NULL;
}

static bool read_solving(const ModelRecord *record, SymStats *stats)
{
    const Archive *archive = archive_of(record);
    if (archive)
        archive_stats(archive, stats);
    return archive != NULL;
}

void record_write(SearchRecord *base, bool all, Text *out)
{
    ModelRecord *record = model_record(base);
    uint64_t inputs = all ? record->inputs_cut : record->inputs_cut - record->inputs_sent;
    if (inputs)
        text_add(out, "inputs %llu\n", (unsigned long long)inputs);
    uint64_t limited = all ? record->inputs_limited : record->inputs_limited - record->limited_sent;
    if (limited)
        text_add(out, "limited %llu\n", (unsigned long long)limited);
    if (!all) {
        record->inputs_sent = record->inputs_cut;
        record->limited_sent = record->inputs_limited;
    }
    decision_coverage_export(record->decisions, all, out);
    marks_export(record->marks, all, out);
    SymStats stats;
    if (read_solving(record, &stats))
        solving_write(&stats, all ? NULL : &record->solving_sent, out);
    endings_write(record->endings, program_abs_program(record->program), all, out);
}

static bool read_line(ModelRecord *record, const char *line, const char **at, const char *end)
{
    unsigned long long count;
    SymStats stats;
    if (sscanf(line, "inputs %llu", &count) == 1)
        atomic_fetch_add(&record->inputs_cut, count);
    else if (sscanf(line, "limited %llu", &count) == 1)
        atomic_fetch_add(&record->inputs_limited, count);
    else if (strncmp(line, "decision ", 9) == 0)
        return decision_coverage_import(record->decisions, line);
    else if (strncmp(line, "executed ", 9) == 0)
        return marks_import(record->marks, line);
    else if (solving_read(&stats, line) && archive_of(record))
        archive_add_stats(archive_of(record), &stats);
    else
        return endings_read(record->endings, line, at, end);
    return true;
}

bool record_read(SearchRecord *base, const char *text, size_t size)
{
    ModelRecord *record = model_record(base);
    const char *at = text, *end = text + size, *stop;
    bool good = true;
    while (good && at < end) {
        const char *line = at;
        if (!(stop = memchr(at, '\n', (size_t)(end - at))))
            return false;
        at = stop + 1;
        good = read_line(record, line, &at, end);
    }
    return good;
}

uint32_t record_reached(SearchRecord *base, Text *words)
{
    ModelRecord *record = model_record(base);
    return ends_by_decisions(record) ? decision_coverage_reached(record->decisions, words) : 0;
}

bool record_coverage(SearchRecord *base, CodeCoverage *coverage)
{
    const ModelRecord *record = model_record(base);
    model_coverage_read(record->program, record->marks, record->decisions, coverage);
    return true;
}

void record_branches(SearchRecord *base, uint32_t *ways, uint32_t *taken)
{
    const DecisionCoverage *decisions = model_record(base)->decisions;
    *ways = *taken = 0;
    for (uint32_t i = 1; i < decisions->count; i++) {
        *ways += 2;
        *taken += !!(decisions->covered[i] & COVERED_TRUE) + !!(decisions->covered[i] & COVERED_FALSE);
    }
}

/* ---- For run.json ----------------------------------------------------------------------- */

static ExecutionView *paint(ModelRecord *record, const Schedule *schedule)
{
    execution_view_run(record->program, record->ex, schedule);
    return execution_view_take(record->program, record->ex, &record->arena);
}

static void add_state(ModelRecord *record, const EndState *state, Json *json)
{
    ExecutionView *view = paint(record, state->schedule);
    Text trace = {0};
    json_open_object(json, NULL);
    json_add_string(json, "id", view->id);
    json_add_count(json, "executions", state->executions);
    text_add(&trace, "states/%s.trace", view->id);
    json_add_string(json, "trace", trace.data);
    execution_view_write_json(view, record->program, json);
    json_close_object(json);
    text_release(&trace);
}

/* Executions of final states run up to three times: for run.json, the report and a file. When must the first time be
 * over, so that the run ends within a second after its limit or an interruption? 0: whenever. */
static double end_of_painting(const ModelRecord *record, const Summary *summary)
{
    static const double GRACE = 0.6, LEAST = 0.2;
    const Options *options = &record->info->options;
    double now = process_now(), left = record->begin + options->max_time + GRACE - now;
    if (summary->ending == ENDING_INTERRUPTED)
        left = GRACE;
    else if (options->max_time <= 0)
        return 0;
    return now + (left > LEAST ? left : LEAST) / 3;
}

static void write_states(ModelRecord *record, const Summary *summary)
{
    Json json = {.text = &record->states, .first = true};
    double end = end_of_painting(record, summary), now = process_now(), before;
    double longest = summary->cpu_seconds / (double)(summary->stats.executions + 1);
    json_open_list(&json, NULL);
    for (const EndState *state = record->endings->first; state && record->painted < STATES_SAVED; state = state->next) {
        if (!state->schedule)
            continue;
        if (end > 0 && now + longest > end)
            break;
        before = now;
        add_state(record, state, &json);
        record->painted++;
        now = process_now();
        longest = now - before > longest ? now - before : longest;
    }
    json_close_list(&json);
}

/* The next one that is not void. */
static const KeptExecution *good_kept(const KeptExecution *kept)
{
    while (kept && !kept->schedule)
        kept = kept->next;
    return kept;
}
static const KeptExecution *first_kept(const Endings *endings) { return good_kept(endings->first_kept); }
static const KeptExecution *next_kept(const KeptExecution *kept) { return good_kept(kept->next); }

static void write_list(ModelRecord *record)
{
    Json json = {.text = &record->list, .first = true};
    json_open_list(&json, NULL);
    for (const KeptExecution *kept = first_kept(record->endings); kept; kept = next_kept(kept)) {
        ExecutionView *view = paint(record, kept->schedule);
        json_open_object(&json, NULL);
        json_add_string(&json, "final_state", view->id);
        execution_view_write_json(view, record->program, &json);
        json_close_object(&json);
        arena_reset(&record->arena);
    }
    json_close_list(&json);
}

static void write_outcomes(const Endings *endings, Text *out)
{
    Json json = {.text = out, .first = true};
    json_open_object(&json, NULL);
    json_add_count(&json, "ok", endings->fine);
    if (endings->cut)
        json_add_count(&json, "cut", endings->cut);
    for (uint32_t kind = 0; kind < BUG_KIND_COUNT; kind++)
        if (endings->kinds[kind])
            json_add_count(&json, bug_kind_name((BugKind)kind), endings->kinds[kind]);
    json_close_object(&json);
}

/* ---- Bounds --------------------------------------------------------------------------------- */

/* What a policy excludes is not counted: every execution obeys it. */
static void add_policies(const ModelRecord *record, Summary *summary)
{
    static const char *const tasks[] = {"", "", "tasks of an object in order of arrival",
                                        "newest task of an object first"};
    const Options *options = &record->info->options;
    uint64_t executions = record->endings->executions;
    if (*tasks[options->tasks])
        summary_add_bound(summary, "tasks", options->tasks, executions, tasks[options->tasks]);
    if (options->resources)
        summary_add_bound(summary, "resources", options->resources, executions, "costs take no resources and no time");
    if (program_abs_machine(record->program)->image->model->has_schedulers && options->tasks == TASKS_NONDET)
        summary_add_bound(summary, "schedulers", 0, executions, "schedulers of the model are not applied");
    if (options->time)
        summary_add_bound(summary, "time", options->time, executions, "delays of whole units more than their least");
    if (options->objects.policy)
        summary_add_bound(summary, "objects", 0, executions, "objects in turn");
}

static void add_bounds(ModelRecord *record, Summary *summary)
{
    if (record->inputs_cut)
        summary_add_bound(summary, "inputs", 0, record->inputs_cut,
                          "a symbolic input was concretised where its value cannot be tracked");
    if (record->inputs_limited)
        summary_add_bound(summary, "values", 0, record->inputs_limited,
                          "inputs are not every text, fraction, or long list");
    add_policies(record, summary);
}

static void add_solving(const ModelRecord *record, Summary *summary)
{
    SymStats stats;
    if (read_solving(record, &stats))
        solving_summarise(&stats, summary);
}

/* Executions of final states that another process found. */
static void find_executions(ModelRecord *record)
{
    Program *program = program_abs_program(record->program);
    Execution *probe = execution_create(program);
    probe->max_agent_steps = record->ex->max_agent_steps;
    endings_resolve(record->endings, program, record->ex, probe);
    execution_destroy(probe);
}

void record_summarise(SearchRecord *base, Summary *summary)
{
    ModelRecord *record = model_record(base);
    Endings *endings = record->endings;
    Text number = {0}, outcomes = {0};
    add_bounds(record, summary);
    program_abs_keep_values(record->program, true);
    record->ex = execution_create(program_abs_program(record->program));
    record->ex->max_agent_steps = (uint32_t)record->info->options.max_steps;
    find_executions(record);
    write_outcomes(endings, &outcomes);
    write_states(record, summary);
    text_add(&number, "%u", endings->count);
    add_solving(record, summary);
    summary_add_part(summary, "outcomes", &outcomes);
    program_abs_cover(record->program, NULL);
    if (ends_by_decisions(record)) {
        Text decisions = {0};
        decision_coverage_report_json(record->decisions, record->program, summary->complete, &decisions);
        summary_add_part(summary, "decisions", &decisions);
        if (summary->ending == ENDING_ENOUGH)
            summary_add_bound(summary, "until", 0, 1, "every decision had both outcomes");
    }
    summary_add_part(summary, "final_state_count", &number);
    summary_add_part(summary, "final_states", &record->states);
    if (record->info->options.show == SHOW_ALL) {
        write_list(record);
        summary_add_part(summary, "execution_list", &record->list);
    }
    if (*record->refusal)
        summary->note = record->refusal;
}

/* ---- Reports ------------------------------------------------------------------------------ */

static Paint paint_of(const char *outcome)
{
    return strcmp(outcome, "ok") == 0 ? PAINT_GOOD : strcmp(outcome, "cut") == 0 ? PAINT_WARN : PAINT_BUG;
}

static void write_heading(const ModelRecord *record, uint32_t number, const ExecutionView *view, uint64_t executions,
                          Text *out)
{
    Text line = {0};
    bool all = record->info->options.show == SHOW_ALL;
    text_add(&line, "%s %u: %s", all ? "execution" : "final state", number, view->outcome);
    style_add(&record->style, out, paint_of(view->outcome), line.data, 0);
    if (all) {
        text_add(out, "  (final state %s)\n", view->id);
    } else {
        text_add_string(out, "  (");
        style_add_count(out, executions);
        text_add(out, " execution%s; states/%s.trace)\n", executions == 1 ? "" : "s", view->id);
    }
    text_release(&line);
}

static ExecutionDetail detail_of(const ModelRecord *record)
{
    const Options *options = &record->info->options;
    bool events = record->style.verbose || options->show == SHOW_ALL;
    return options->diagram ? DETAIL_DIAGRAM : events ? DETAIL_EVENTS : DETAIL_STATE;
}

static uint32_t count_lines(const Text *text)
{
    uint32_t count = 0;
    for (size_t i = 0; i < text->length; i++)
        count += text->data[i] == '\n';
    return count;
}

/* Does the state fit on the screen, below those that are shown already? The first one always does. */
static bool fits(const ModelRecord *record, uint32_t shown, uint32_t lines)
{
    if (record->style.verbose)
        return true;
    return shown == 0 || (shown < STATES_PRINTED && (record->info->options.diagram || lines <= STATE_LINES));
}

static void report_states(ModelRecord *record, Text *out)
{
    const Endings *endings = record->endings;
    uint32_t shown = 0, lines = 0;
    bool enough = false;
    for (const EndState *state = endings->first; state && !enough && shown < record->painted; state = state->next) {
        if (!state->schedule)
            continue;
        Text text = {0};
        ExecutionView *view = paint(record, state->schedule);
        write_heading(record, shown + 1, view, state->executions, &text);
        execution_view_write(view, &record->style, detail_of(record), &text);
        lines += count_lines(&text) + 1;
        enough = !fits(record, shown, lines);
        if (!enough) {
            text_add(out, "%s\n", text_borrow(&text));
            shown++;
        }
        text_release(&text);
        arena_reset(&record->arena);
    }
    bool all = record->style.verbose || shown == record->painted;
    if (shown < endings->count)
        text_add(out, "... and %u more final state%s%s\n\n", endings->count - shown,
                 endings->count - shown == 1 ? "" : "s", all ? "" : " (-v shows them)");
}

static void report_all(ModelRecord *record, Text *out)
{
    uint32_t number = 0;
    for (const KeptExecution *kept = first_kept(record->endings); kept; kept = next_kept(kept)) {
        ExecutionView *view = paint(record, kept->schedule);
        write_heading(record, ++number, view, 1, out);
        execution_view_write(view, &record->style, detail_of(record), out);
        text_add_string(out, "\n");
        arena_reset(&record->arena);
    }
    if (record->endings->not_kept)
        text_add(out, "... and %llu more executions, which were not kept\n\n",
                 (unsigned long long)record->endings->not_kept);
}

static void report_tree(ModelRecord *record, bool dot, Text *out)
{
    InterleavingTree *tree = interleaving_tree_create();
    for (const KeptExecution *kept = first_kept(record->endings); kept; kept = next_kept(kept)) {
        interleaving_tree_add(tree, record->ex, paint(record, kept->schedule));
        arena_reset(&record->arena);
    }
    interleaving_tree_write(tree, dot, out);
    interleaving_tree_destroy(tree);
}

static void report_counts(const Endings *endings, Text *out)
{
    text_add(out, "%u final state%s; executions: ", endings->count, endings->count == 1 ? "" : "s");
    style_add_count(out, endings->fine);
    text_add_string(out, " ok");
    if (endings->cut) {
        text_add_string(out, ", ");
        style_add_count(out, endings->cut);
        text_add_string(out, " cut");
    }
    for (uint32_t kind = 0; kind < BUG_KIND_COUNT; kind++) {
        if (endings->kinds[kind]) {
            text_add_string(out, ", ");
            style_add_count(out, endings->kinds[kind]);
            text_add(out, " %s", bug_kind_name((BugKind)kind));
        }
    }
    text_add_string(out, "\n");
}

/* ---- Tests ------------------------------------------------------------------------------- */

static void write_tests(ModelRecord *record, Text *out)
{
    const Options *options = &record->info->options;
    ExploredSuite suite = {.info = record->info, .program = record->program};
    Error error;
    for (const KeptExecution *kept = first_kept(record->endings); kept; kept = next_kept(kept)) {
        execution_view_run(record->program, record->ex, kept->schedule);
        explored_suite_add(&suite, record->ex);
    }
    suite.left += record->endings->not_kept;
    if (!explored_suite_write(&suite, &error)) {
        options_say(options, "tests could not be written: %s", error.text);
    } else {
        text_add(out, "%u test%s in %s (sennit test-suite %s)", suite.tests.count, suite.tests.count == 1 ? "" : "s",
                 options->tests, options->tests);
        if (suite.cut)
            text_add(out, "; %llu executions that a bound cut are no tests", (unsigned long long)suite.cut);
        text_add(out, "%s\n", suite.left ? "; others were left out (--max-tests)" : "");
    }
    explored_suite_release(&suite);
}

void record_report(SearchRecord *base, const Summary *summary, const Style *style, Text *out)
{
    ModelRecord *record = model_record(base);
    const Options *options = &record->info->options;
    const Endings *endings = record->endings;
    (void)style;
    if (summary->ending == ENDING_REFUSED)
        return;
    if (options->tree == TREE_TEXT) {
        report_tree(record, false, out);
        text_add_string(out, "\n");
    }
    if (options->show == SHOW_ALL)
        report_all(record, out);
    else if (options->show == SHOW_STATES && !options->quiet)
        report_states(record, out);
    if (ends_by_decisions(record))
        decision_coverage_report(record->decisions, record->program, summary->complete, out);
    if (*options->tests)
        write_tests(record, out);
    report_counts(endings, out);
}

/* ---- Files ------------------------------------------------------------------------------------- */

static void save_state(ModelRecord *record, const EndState *state, RunDir *directory)
{
    Style plain = {.width = record->style.width};
    ExecutionView *view = paint(record, state->schedule);
    Text name = {0}, content = {0};
    text_add(&name, "states/%s.trace", view->id);
    execution_view_write_trace(view, record->program, record->ex, record->info, &content);
    rundir_write(directory, name.data, &content);
    text_reset(&name);
    text_reset(&content);
    text_add(&name, "states/%s.txt", view->id);
    text_add(&content, "%s, %llu executions\n", view->outcome, (unsigned long long)state->executions);
    execution_view_write(view, &plain, DETAIL_DIAGRAM, &content);
    rundir_write(directory, name.data, &content);
    text_release(&name);
    text_release(&content);
    arena_reset(&record->arena);
}

void record_save(SearchRecord *base, RunDir *directory)
{
    ModelRecord *record = model_record(base);
    const Options *options = &record->info->options;
    uint32_t left = record->painted;
    for (const EndState *state = record->endings->first; state && left > 0; state = state->next)
        if (state->schedule && left--)
            save_state(record, state, directory);
    if (options->tree == TREE_NONE)
        return;
    for (unsigned dot = 0; dot < 2; dot++) {
        Text content = {0};
        report_tree(record, dot, &content);
        rundir_write(directory, dot ? "tree.dot" : "tree.txt", &content);
        text_release(&content);
    }
}
