/* confirm.c - see confirm.h */
#include "app/tasks/confirm.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/run/rundir.h"
#include "app/run/subject.h"
#include "base/mem.h"
#include "report/ci/sarif.h"
#include "report/report_json.h"
#include "report/report_text.h"

static const double MINIMISE_LIMIT = 30, SUGGEST_LIMIT = 300, REPLAY_LIMIT = 120; /* seconds */
static const double MINIMISE_PART = 0.4; /* of the time that is left, if it is limited */

/* What the fresh processes that work on one bug are given. */
typedef struct FreshRun {
    const RunInfo *info;
    const char *shown;
    Text suggestion;  /* for the report */
    const Style *style;
    Signals *signals;
    double deadline;  /* of process_now */
} FreshRun;

static double time_left(const FreshRun *fresh, double most)
{
    double left = fresh->deadline - process_now();
    return left < 0 ? 0 : left < most ? left : most;
}

/* ---- Fresh processes ------------------------------------------------------------ */

static void write_text_option(const char *name, const char *value, Text *out)
{
    Text word = {0};
    text_add(&word, "%s%s", name, value);
    options_quote(out, word.data);
    text_add_string(out, " ");
    text_release(&word);
}

static void write_options(const FreshRun *fresh, const char *task, int trace, Text *out)
{
    options_write(&fresh->info->options, USE_RUN | USE_OWN, out);
    text_add(out, " --task=%s --trace=/proc/self/fd/%d --width=%u --color=%s%s ", task, trace, fresh->style->width,
             fresh->style->color ? "always" : "never", fresh->style->verbose ? " --verbose" : "");
    if (fresh->info->options.diagram)
        text_add_string(out, " --diagram ");
    if (fresh->shown)
        write_text_option("--shown=", fresh->shown, out);
    if (fresh->suggestion.length)
        write_text_option("--suggestion=", fresh->suggestion.data, out);
}

/* Runs a task on a trace. False if no process could be started. */
static bool run_task(const FreshRun *fresh, const char *task, const Text *trace, double limit, ChildResult *result,
                     Error *error)
{
    Text options = {0};
    int file = process_open_memory("trace");
    bool good = (file >= 0 && text_write_all(file, text_borrow(trace), trace->length)) ||
                error_set(error, EXIT_INTERNAL, "cannot write the trace: %s", strerror(errno));
    if (good) {
        write_options(fresh, task, file, &options);
        good = process_run_self(fresh->info, options.data, limit, fresh->signals, result, error);
    }
    if (file >= 0)
        close(file);
    text_release(&options);
    return good;
}

static bool exited_with(const ChildResult *result, int code)
{
    return WIFEXITED(result->status) && WEXITSTATUS(result->status) == code && !result->timed_out;
}

/* ---- Minimising -------------------------------------------------------------------- */

/* May another schedule have fewer preemptions? */
static bool can_minimise(const Text *text)
{
    Error error;
    Trace *trace = trace_parse(text->data, text->length, "trace", &error);
    bool answer = trace && trace->unminimised;
    trace_destroy(trace);
    return answer;
}

/* Replaces `trace` by a smaller one if one is found. */
static bool minimise(const FreshRun *fresh, Text *trace)
{
    ChildResult child;
    double limit = time_left(fresh, MINIMISE_LIMIT / MINIMISE_PART) * MINIMISE_PART;
    if (!can_minimise(trace) || !run_task(fresh, "minimise", trace, limit, &child, NULL))
        return false;
    bool smaller = exited_with(&child, EXIT_BUG) && child.result.length > 0;
    if (smaller) {
        text_reset(trace);
        text_add_bytes(trace, child.result.data, child.result.length);
    }
    childresult_release(&child);
    return smaller;
}

/* ---- Suggesting ---------------------------------------------------------------------- */

/* Looks for a change of the program that removes the bug. */
static void suggest(FreshRun *fresh, const Text *trace)
{
    ChildResult child;
    double limit = time_left(fresh, SUGGEST_LIMIT / MINIMISE_PART) * MINIMISE_PART;
    if (!fresh->info->options.suggest || !run_task(fresh, "suggest", trace, limit, &child, NULL))
        return;
    if (exited_with(&child, EXIT_BUG))
        text_add_bytes(&fresh->suggestion, text_borrow(&child.result), child.result.length);
    else
        text_add_string(&fresh->suggestion, "Suggestion: none; the time was used up.");
    childresult_release(&child);
}

/* ---- FreshRun ----------------------------------------------------------------------- */

/* Did the replay end for a reason that is not the program's: the system killed it, or it lacked memory? */
static bool was_hindered(const ChildResult *child)
{
    if (WIFSIGNALED(child->status))
        return WTERMSIG(child->status) == SIGKILL;
    return WEXITSTATUS(child->status) == EXIT_INTERNAL || WEXITSTATUS(child->status) == MEM_EXIT_EXHAUSTED;
}

static void explain_doubt(const ChildResult *child, char *doubt, size_t size)
{
    const char *text = text_borrow(&child->errors);
    const char *tag = strncmp(text, "sennit: ", 8) == 0 ? text + 8 : text;
    if (child->timed_out)
        snprintf(doubt, size, "its replay had not terminated after %.0f s", REPLAY_LIMIT);
    else if (WIFSIGNALED(child->status))
        snprintf(doubt, size, "its replay was killed by signal %d (%s)", WTERMSIG(child->status),
                 strsignal(WTERMSIG(child->status)));
    else if (*tag)
        snprintf(doubt, size, "%.*s", (int)strcspn(tag, "\n"), tag);
    else
        snprintf(doubt, size, "its replay ended with status %d", WEXITSTATUS(child->status));
}

/* The JSON object of the bug, and on a line of its own the result for SARIF. */
static void take_result(const Text *lines, Confirmation *result)
{
    const char *text = text_borrow(lines);
    size_t first = strcspn(text, "\n");
    text_add_bytes(&result->json, text, first);
    if (text[first])
        text_add_string(&result->sarif, text + first + 1);
}

static void give_up(Confirmation *result)
{
    result->unreplayed = true;
    snprintf(result->doubt, sizeof result->doubt, "the time (--max-time) was used up before it was replayed");
}

static bool replay(const FreshRun *fresh, const Text *trace, Confirmation *result)
{
    ChildResult child;
    Error error;
    if (!run_task(fresh, "replay", trace, time_left(fresh, REPLAY_LIMIT), &child, &error)) {
        result->failed = true;
        snprintf(result->doubt, sizeof result->doubt, "it could not be replayed: %.300s", error.text);
        return false;
    }
    bool shown = exited_with(&child, EXIT_BUG);
    result->unreplayed = child.timed_out || exited_with(&child, EXIT_BUDGET);
    result->failed = !child.timed_out && was_hindered(&child);
    if (child.timed_out && process_now() >= fresh->deadline) {
        give_up(result);
    } else if (shown) {
        text_add_bytes(&result->report, text_borrow(&child.output), child.output.length);
        take_result(&child.result, result);
    } else {
        explain_doubt(&child, result->doubt, sizeof result->doubt);
    }
    childresult_release(&child);
    return shown;
}

/* Describes a bug whose replay failed, as far as its trace allows. */
static void describe_unconfirmed(const FreshRun *fresh, Confirmation *result)
{
    Error error;
    Trace *trace = trace_parse(result->trace.data, result->trace.length, "trace", &error);
    if (!trace)
        return;
    BugView *view = bugview_of_trace(trace, fresh->info->subject->agent);
    view->trace_path = fresh->shown;
    view->doubt = result->doubt;
    report_text_bug(view, fresh->style, &result->report);
    Text path = {0};
    rundir_name_bug(trace->kind, trace->id, "trace", &path);
    report_json_bug(view, fresh->shown ? path.data : NULL, &result->json);
    if (*fresh->info->options.sarif)
        sarif_write_bug(view, fresh->info->directory, &result->sarif);
    text_release(&path);
    bugview_destroy(view);
}

void confirm_bug(const RunInfo *info, const Bug *bug, const char *shown, const Style *style, Signals *signals,
                 double seconds, Confirmation *result)
{
    FreshRun fresh = {
        .info = info, .shown = shown, .style = style, .signals = signals, .deadline = process_now() + seconds};
    *result = (Confirmation){0};
    text_add_bytes(&result->trace, bug->trace, bug->trace_size);
    if (seconds <= 0) {
        if (signals->interrupts > 0)
            snprintf(result->doubt, sizeof result->doubt, "interrupted before it could be replayed");
        else
            give_up(result);
        describe_unconfirmed(&fresh, result);
        return;
    }
    bool smaller = minimise(&fresh, &result->trace);
    suggest(&fresh, &result->trace);
    result->confirmed = replay(&fresh, &result->trace, result);
    if (!result->confirmed && smaller) {
        text_reset(&result->trace);
        text_add_bytes(&result->trace, bug->trace, bug->trace_size);
        result->confirmed = replay(&fresh, &result->trace, result);
    }
    if (!result->confirmed)
        describe_unconfirmed(&fresh, result);
    text_release(&fresh.suggestion);
}

void confirmation_release(Confirmation *result)
{
    text_release(&result->trace);
    text_release(&result->report);
    text_release(&result->json);
    text_release(&result->sarif);
}
