/* results.c - see results.h */
#include "app/tasks/results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/run/outfile.h"
#include "base/mem.h"
#include "report/ci/github.h"
#include "report/ci/junit.h"
#include "report/ci/sarif.h"
#include "report/report_json.h"
#include "sennit_version.h"

static double wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void results_init(Results *results, const RunInfo *info)
{
    *results = (Results){.info = info, .begin = wall_clock()};
    sourceroot_init(&results->root, info->directory);
}

void results_release(Results *results)
{
    for (uint32_t i = 0; i < results->items.count; i++) {
        ResultItem *item = &results->items.items[i];
        free(item->name);
        free(item->summary);
        free(item->file);
        text_release(&item->report);
        text_release(&results->sarif.items[i]);
    }
    VEC_FREE(&results->items);
    VEC_FREE(&results->sarif);
    sourceroot_release(&results->root);
}

/* ---- Collecting ------------------------------------------------------------------------- */

static void name_item(ResultItem *item, const char *id)
{
    Text name = {0};
    text_add(&name, "%s-%s", item->kind, id);
    item->name = name.data;
}

static void place_item(const Results *results, ResultItem *item, const TracePlace *place)
{
    Text path = {0};
    if (!place->file)
        return;
    sourceroot_add_path(&results->root, place->file, &path);
    item->file = path.data;
    item->line = place->line;
    item->column = place->column;
}

static void push(Results *results, ResultItem item, Text sarif)
{
    VEC_PUSH(&results->items, item);
    VEC_PUSH(&results->sarif, sarif);
}

static bool is_wanted(const Options *options)
{
    return *options->junit || *options->sarif || options->github;
}

void results_add_bug(Results *results, const Bug *bug, const Confirmation *confirmation)
{
    Error ignored;
    if (!is_wanted(&results->info->options))
        return;
    const Text *text = &confirmation->trace;
    ResultItem item = {.kind = bug->kind, .confirmed = confirmation->confirmed};
    Trace *trace = trace_parse(text_borrow(text), text->length, "trace", &ignored);
    name_item(&item, bug->id);
    item.summary = mem_copy_string(trace ? trace->summary : item.name);
    if (trace && trace->place_count)
        place_item(results, &item, &trace->places[0]);
    style_add_unpainted(&item.report, text_borrow(&confirmation->report));
    push(results, item, text_copy(&confirmation->sarif));
    trace_destroy(trace);
}

void results_add_cycle(Results *results, const CycleView *cycle)
{
    Text sarif = {0}, summary = {0};
    ResultItem item = {.kind = bug_kind_name(BUG_DEADLOCK), .possible = true};
    if (cycle->result != CYCLE_UNCHECKED && cycle->result != CYCLE_TIMEOUT)
        return;
    name_item(&item, cycle->id);
    text_add(&summary, "possible deadlock: %s", cycle->line);
    item.summary = summary.data;
    if (cycle->place_count)
        place_item(results, &item, &cycle->places[0]);
    text_add(&item.report, "%s\n%s", cycle->line, cycle->details ? cycle->details : "");
    sarif_write_cycle(cycle, results->info->directory, &sarif);
    push(results, item, sarif);
}

/* ---- JUnit ---------------------------------------------------------------------------------- */

static uint32_t count_bugs(const Results *results)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < results->items.count; i++)
        count += !results->items.items[i].possible;
    return count;
}

static JunitCase case_of_bug(const ResultItem *item, const Summary *summary, double seconds)
{
    return (JunitCase){.group = summary->name, .name = item->name, .file = item->file, .line = item->line,
                       .seconds = seconds, .result = item->confirmed ? JUNIT_FAILED : JUNIT_ERROR, .type = item->kind,
                       .message = item->summary, .reason = text_borrow(&item->report)};
}

/* A run without a bug has passed only if it explored what it was asked to explore. */
static JunitCase case_of_run(const Summary *summary, const char *output)
{
    JunitCase result = {.group = summary->name, .name = summary->name, .seconds = summary->seconds,
                        .result = JUNIT_PASSED, .reason = output};
    if (summary->exit_code == EXIT_BUDGET || summary->exit_code == EXIT_INTERRUPTED) {
        result.result = JUNIT_SKIPPED;
        result.type = "incomplete";
    } else if (summary->exit_code != EXIT_CLEAN) {
        result.result = JUNIT_ERROR;
        result.type = summary_ending_name(summary->ending);
    }
    return result;
}

/* The verdict, then the cycles that are left open. */
static void write_output(const Results *results, const Summary *summary, Text *out)
{
    text_add_string(out, summary->complete ? "" : "incomplete: ");
    summary_write_verdict(summary, out);
    text_add_string(out, "\n");
    if (summary->note)
        text_add(out, "%s\n", summary->note);
    for (uint32_t i = 0; i < results->items.count; i++)
        if (results->items.items[i].possible)
            text_add(out, "%s  %s", results->items.items[i].name, text_borrow(&results->items.items[i].report));
}

static void write_junit(const Results *results, const Summary *summary, Text *out)
{
    char executions[24], seed[24], code[16], date[32];
    time_t begin = (time_t)results->begin;
    struct tm parts;
    Text output = {0};
    VEC(JunitCase) cases = {0};
    uint32_t bugs = count_bugs(results);
    snprintf(executions, sizeof executions, "%llu", (unsigned long long)summary->stats.executions);
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)summary->seed);
    snprintf(code, sizeof code, "%d", (int)summary->exit_code);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", gmtime_r(&begin, &parts));
    write_output(results, summary, &output);
    const JunitProperty properties[] = {
        {"verdict", verdict_name(summary_verdict(summary))}, {"complete", summary->complete ? "true" : "false"},
        {"ending", summary_ending_name(summary->ending)}, {"executions", executions}, {"strategy", summary->strategies},
        {"seed", seed}, {"exit_code", code}, {"version", SENNIT_VERSION}};
    for (uint32_t i = 0; i < results->items.count; i++)
        if (!results->items.items[i].possible) /* readers add the times up */
            VEC_PUSH(&cases, case_of_bug(&results->items.items[i], summary, summary->seconds / bugs));
    if (bugs == 0)
        VEC_PUSH(&cases, case_of_run(summary, text_borrow(&output)));
    junit_write(&(JunitSuite){.name = summary->name, .timestamp = date, .properties = properties,
                              .property_count = sizeof properties / sizeof *properties, .cases = cases.items,
                              .case_count = cases.count, .output = text_borrow(&output)},
                out);
    VEC_FREE(&cases);
    text_release(&output);
}

/* ---- Annotations -------------------------------------------------------------------------------- */

static void annotate_item(const ResultItem *item, Text *out)
{
    Text message = {0};
    text_add_string(&message, item->summary);
    if (!item->confirmed && !item->possible)
        text_add_string(&message, " (not confirmed)");
    github_write(&(GithubAnnotation){.level = item->confirmed ? "error" : "warning", .file = item->file,
                                     .line = item->line, .column = item->column, .title = item->name,
                                     .message = message.data},
                 out);
    text_release(&message);
}

static void annotate(const Results *results, const Summary *summary, Text *out)
{
    Text title = {0}, message = {0};
    for (uint32_t i = 0; i < results->items.count; i++)
        annotate_item(&results->items.items[i], out);
    text_add(&title, "Sennit: %s", summary->name);
    summary_write_verdict(summary, &message);
    if (summary->note)
        text_add(&message, "\n%s", summary->note);
    github_write(&(GithubAnnotation){.level = summary->complete ? "notice" : "warning", .title = title.data,
                                     .message = message.data},
                 out);
    text_release(&title);
    text_release(&message);
}

/* ---- The report -------------------------------------------------------------------------------------- */

static void rewrite(RunDir *dir, const Text *bugs, const Summary *summary)
{
    Text json = {0};
    report_json_run(summary, bugs, summary->bugs, &json);
    rundir_write(dir, "run.json", &json);
    text_release(&json);
}

void results_print(const Options *options, const Text *report, RunDir *dir, const Text *bugs, Summary *summary)
{
    ExitCode code = summary->exit_code;
    bool printed = text_write_all(STDOUT_FILENO, text_borrow(report), report->length);
    if (!printed)
        options_say(options, "standard output: %s", strerror(errno));
    if (dir->failed)
        options_say(options, "results could not be saved: %s", dir->problem);
    if (dir->failed || !printed)
        summary_note_loss(summary);
    if (summary->exit_code != code)
        rewrite(dir, bugs, summary);
}

/* ---- After the run --------------------------------------------------------------------------------- */

static void write_sarif(const Results *results, const Summary *summary, Text *out)
{
    sarif_write(&(SarifRun){.summary = summary, .root = &results->root, .begin = results->begin, .end = wall_clock(),
                            .results = results->sarif.items, .result_count = results->sarif.count},
                out);
}

typedef void ResultWriter(const Results *results, const Summary *summary, Text *out);

static bool write_file(const Results *results, const Summary *summary, const char *path, ResultWriter *writer)
{
    Text text = {0};
    Error error;
    if (!*path)
        return true;
    writer(results, summary, &text);
    bool good = outfile_write(path, &text, &error);
    if (!good)
        options_say(&results->info->options, "%s", error.text);
    text_release(&text);
    return good;
}

ExitCode results_publish(const Results *results, const Summary *summary)
{
    const Options *options = &results->info->options;
    bool good = write_file(results, summary, options->junit, write_junit);
    good &= write_file(results, summary, options->sarif, write_sarif);
    if (options->github) {
        Text text = {0};
        annotate(results, summary, &text);
        good &= text_write_all(STDOUT_FILENO, text_borrow(&text), text.length);
        text_release(&text);
    }
    Summary told = *summary;
    if (!good)
        summary_note_loss(&told);
    return told.exit_code;
}

/* ---- Runs without results ---------------------------------------------------------------------------- */

/* What stands in for the results of a run that has none. */
typedef struct Absence {
    RunInfo info;
    Results results;
    Summary summary;
} Absence;

static void absence_init(Absence *absence, const Options *options, const char *name, const Error *error)
{
    char *directory = getcwd(NULL, 0);
    *absence = (Absence){.info = {.options = *options, .directory = directory ? directory : mem_copy_string("")},
                         .summary = {.name = name ? name : "sennit", .command = options->command,
                                     .strategies = "none", .ending = ENDING_FAILED, .sentence = error->text,
                                     .exit_code = error->code}};
    results_init(&absence->results, &absence->info);
}

static void absence_release(Absence *absence)
{
    results_release(&absence->results);
    free(absence->info.directory);
}

void results_begin(const Options *options, const char *name)
{
    Absence absence;
    Error error;
    if (!*options->junit && !*options->sarif)
        return;
    error_set(&error, EXIT_INTERNAL, "the run has not ended");
    absence_init(&absence, options, name, &error);
    if (!outfile_is_special(options->junit))
        write_file(&absence.results, &absence.summary, options->junit, write_junit);
    if (!outfile_is_special(options->sarif))
        write_file(&absence.results, &absence.summary, options->sarif, write_sarif);
    absence_release(&absence);
}

static void remove_old_run(const Options *options)
{
    Text path = {0};
    if (!*options->directory || *options->resume)
        return;
    text_add(&path, "%s/run.json", options->directory);
    unlink(path.data);
    text_release(&path);
}

void results_fail(const Options *options, const char *name, const Error *error)
{
    Absence absence;
    Error ignored;
    if (!is_wanted(options) || !outfile_check(options, &ignored)) {
        remove_old_run(options);
        return;
    }
    absence_init(&absence, options, name, error);
    write_file(&absence.results, &absence.summary, options->junit, write_junit);
    write_file(&absence.results, &absence.summary, options->sarif, write_sarif);
    if (options->github) {
        Text title = {0}, text = {0};
        text_add(&title, "Sennit: %s", absence.summary.name);
        github_write(&(GithubAnnotation){.level = "error", .title = title.data, .message = error->text}, &text);
        text_write_all(STDOUT_FILENO, text.data, text.length);
        text_release(&title);
        text_release(&text);
    }
    remove_old_run(options);
    absence_release(&absence);
}
