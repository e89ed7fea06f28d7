/* task_critical.c - a failing trace in; the step after which no continuation passes, and the nearest execution that
 * passes, out
 *
 * If a prefix of the execution can still end well, so can every shorter one: the step is found by halving. An execution
 * that passes and leaves the failing one as late as possible comes with it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "app/run/process.h"
#include "app/run/wholetrace.h"
#include "app/tasks/repetition.h"
#include "app/tasks/task.h"
#include "core/dpor/continuation.h"
#include "report/columns.h"
#include "report/json.h"

enum { MOST_EXECUTIONS = 20000 }; /* behind one prefix */
static const double MOST_SECONDS = 10; /* CPU time, for all of them */

static bool is_time_left(void) { return process_cpu_seconds() < MOST_SECONDS; }

/* What is known: prefixes of up to `passes` steps can end well, those of `fails` steps and more cannot. */
typedef struct Critical {
    uint32_t steps;
    int64_t passes;    /* -1: not even the shortest one is known to */
    int64_t fails;     /* steps + 1: not even the longest one is known not to */
    Schedule *passing; /* that leaves the execution after `passes` steps */
    ContinuationBudget budget;
} Critical;

/* ---- Finding it ---------------------------------------------------------------------- */

static Continuation try_prefix(Critical *critical, const Execution *ex, uint32_t length)
{
    Schedule *passing = NULL;
    Continuation found = continuation_search(ex, length, &critical->budget, &passing);
    if (found == CONTINUATION_PASSES) {
        schedule_destroy(NULL, critical->passing);
        critical->passing = passing;
        critical->passes = length;
    } else if (found == CONTINUATION_FAILS) {
        critical->fails = length;
    }
    return found;
}

/* Between what passes and what fails. A prefix of which nothing is known counts as one that fails for a while: shorter
 * ones may still be known to pass, and then longer ones to fail. */
static void halve(Critical *critical, const Execution *ex)
{
    int64_t low = -1, high = critical->steps + 1, unknown = -1;
    while (high - low > 1) {
        int64_t middle = (low + high) / 2;
        Continuation found = try_prefix(critical, ex, (uint32_t)middle);
        *(found == CONTINUATION_PASSES ? &low : &high) = middle;
        if (found == CONTINUATION_UNKNOWN)
            unknown = middle > unknown ? middle : unknown;
    }
    for (low = unknown, high = critical->fails; unknown >= 0 && high - low > 1;) {
        int64_t middle = (low + high) / 2;
        Continuation found = middle > critical->steps ? CONTINUATION_UNKNOWN
                                                      : try_prefix(critical, ex, (uint32_t)middle);
        *(found == CONTINUATION_FAILS ? &high : &low) = middle;
    }
}

static bool is_found(const Critical *critical) { return critical->fails == critical->passes + 1; }

/* ---- Saying it ------------------------------------------------------------------------- */

static void write_sentence(const Critical *critical, const Trace *trace, Text *out)
{
    const TraceStep *step =
        is_found(critical) && critical->fails > 0 ? &trace->steps[critical->fails - 1] : NULL;
    if (critical->fails == 0)
        text_add_string(out, "every execution fails");
    else if (step && step->place.file)
        text_add(out, "step %lld, %s: %s at %s:%u: before it some continuation passes, after it every one fails",
                 (long long)critical->fails, step->agent, step->text, step->place.file, step->place.line);
    else if (step)
        text_add(out, "step %lld, %s: %s: before it some continuation passes, after it every one fails",
                 (long long)critical->fails, step->agent, step->text);
    else if (critical->passes >= critical->steps)
        text_add_string(out, "none: after all steps of the trace some continuation passes");
    else if (critical->fails <= critical->steps)
        text_add(out, "not found, the search gave up: a step from %lld to %lld", (long long)critical->passes + 1,
                 (long long)critical->fails);
    else
        text_add(out, "not found, the search gave up: step %lld or a later one", (long long)critical->passes + 1);
}

/* The execution that passes, as a trace; NULL if none is known. */
static Trace *make_passing(const Critical *critical, const RunInfo *info, Execution *ex)
{
    if (!critical->passing)
        return NULL;
    ex->picker = NULL;
    ex->stop_at_bug = ex->stop_after_plan = false;
    schedule_plan(critical->passing, ex);
    ex->program->ops->run(ex->program, ex);
    return wholetrace_create(info, ex->program, ex);
}

static void write_json(const Critical *critical, const Text *sentence, const Trace *passing, Text *out)
{
    Json json = {.text = out, .first = true};
    Text trace = {0};
    if (passing)
        trace_write(passing, &trace);
    json_open_object(&json, NULL);
    json_add_count(&json, "steps", critical->steps);
    json_add_integer(&json, "passes", critical->passes);
    json_add_integer(&json, "fails", critical->fails);
    json_add_bool(&json, "found", is_found(critical));
    json_add_string(&json, "sentence", sentence->data);
    json_add_count(&json, "executions", critical->budget.used);
    json_add_string(&json, "passing", trace.data);
    json_close_object(&json);
    text_add_string(out, "\n");
    text_release(&trace);
}

static void write_text(const Critical *critical, const Text *sentence, Trace *passing, const Execution *ex,
                       const RunInfo *info, Text *out)
{
    Style style = style_detect(STDOUT_FILENO, info->options.color, info->options.verbose);
    BugView view = {.trace = passing};
    text_add(out, "Critical step: %s (%llu executions).\n", sentence->data, (unsigned long long)critical->budget.used);
    if (!passing)
        return;
    text_add(out, "\nThe nearest execution that passes leaves it at step %lld:\n\n", (long long)critical->passes + 1);
    bugview_add_agents(&view, ex->program, ex);
    columns_write(&view, &style, out);
    free(view.threads);
}

/* ---- The task ------------------------------------------------------------------------------ */

static ExitCode report(const Critical *critical, const RunInfo *info, const Repetition *given)
{
    Text sentence = {0}, out = {0};
    Execution *ex = execution_create(given->stage.program);
    Trace *passing = make_passing(critical, info, ex);
    write_sentence(critical, given->trace, &sentence);
    if (info->options.json)
        write_json(critical, &sentence, passing, &out);
    else
        write_text(critical, &sentence, passing, ex, info, &out);
    bool good = text_write_all(STDOUT_FILENO, text_borrow(&out), out.length);
    if (passing)
        trace_destroy(passing);
    execution_destroy(ex);
    text_release(&sentence);
    text_release(&out);
    return good ? EXIT_CLEAN : EXIT_INTERNAL;
}

ExitCode task_critical(RunInfo *info)
{
    Error error;
    Repetition given;
    if (!repetition_open(&given, info, true, &error))
        return task_fail(info, &error);
    if (!given.finding) {
        error_set(&error, EXIT_DIVERGED, "%s: it has no bug, or the bug does not occur again", info->options.trace);
        return task_fail(info, &error);
    }
    Critical critical = {.steps = given.trace->step_count, .passes = -1, .fails = given.trace->step_count + 1ll};
    critical.budget = (ContinuationBudget){.executions = MOST_EXECUTIONS, .may_continue = is_time_left};
    halve(&critical, given.ex);
    return report(&critical, info, &given);
}
