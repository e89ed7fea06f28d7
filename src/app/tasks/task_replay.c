/* task_replay.c - replays a trace and describes the bug */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/tasks/replaysession.h"
#include "app/tasks/task.h"
#include "report/ci/sarif.h"
#include "report/report_json.h"
#include "report/report_text.h"

/* ---- Reporting ------------------------------------------------------------------------- */

static void write_json(const BugView *view, const char *path, int fd)
{
    Text json = {0};
    report_json_bug(view, path, &json);
    text_write_all(fd, json.data, json.length);
    text_release(&json);
}

/* For the run that confirms the bug: what it does not have to describe itself, a line each. */
static void hand_over(const ReplaySession *session, const BugView *view)
{
    const Options *options = &session->info->options;
    Text path = {0}, sarif = {0}; /* the path in the run directory: stays true when that is moved */
    rundir_name_bug(session->trace->kind, session->trace->id, "trace", &path);
    write_json(view, path.data, (int)options->result_fd);
    if (*options->sarif) {
        text_add_string(&sarif, "\n");
        sarif_write_bug(view, session->info->directory, &sarif);
        text_write_all((int)options->result_fd, sarif.data, sarif.length);
    }
    text_release(&path);
    text_release(&sarif);
}

static void report_bug(const ReplaySession *session, const Finding *finding)
{
    const Options *options = &session->info->options;
    BugView *view = session->info->subject->inspect(session->stage.program, session->ex, finding, session->info);
    Style style = style_detect(STDOUT_FILENO, options->color, options->verbose);
    Text report = {0};
    bugview_add_earlier(view, session->stage.program, session->ex, finding);
    if (options->width)
        style.width = (uint32_t)options->width;
    trace_set_bug(view->trace, session->stage.program, finding, session->trace->id);
    view->trace->unminimised = session->trace->unminimised;
    view->trace->sequential = session->trace->sequential;
    if (*options->suggestion && view->explanation_count < VIEW_PARAGRAPHS)
        view->explanation[view->explanation_count++] = options->suggestion;
    if (!view->output) {
        view->output = session->output.data;
        view->output_size = session->output.length;
    }
    view->trace_path = *options->shown ? options->shown : NULL;
    report_text_bug(view, &style, &report);
    if (options->json)
        write_json(view, options->shown, STDOUT_FILENO);
    else
        text_write_all(STDOUT_FILENO, text_borrow(&report), report.length);
    if (options->result_fd)
        hand_over(session, view);
    text_release(&report);
    bugview_destroy(view);
}

static bool is_of_bug(const Trace *trace)
{
    for (uint32_t kind = 0; kind < BUG_KIND_COUNT; kind++)
        if (strcmp(trace->kind, bug_kind_name((BugKind)kind)) == 0)
            return true;
    return false;
}

/* A trace without a bug says how the execution ends. */
static ExitCode report_end(ReplaySession *session)
{
    const Options *options = &session->info->options;
    const Subject *subject = session->info->subject;
    Style style = style_detect(STDOUT_FILENO, options->color, options->verbose);
    Text report = {0};
    replay_conclude(&session->replay, session->ex);
    if (session->replay.state->differs || !subject->show_end ||
        !subject->show_end(session->stage.program, session->ex, session->trace, session->info, &style, &report))
        return replaysession_differ(session);
    if (!options->quiet && !options->json)
        printf("Replayed %u steps, each as recorded.\n\n", session->trace->step_count);
    fflush(stdout);
    bool printed = text_write_all(STDOUT_FILENO, text_borrow(&report), report.length);
    if (!printed)
        options_say(options, "standard output: %s", strerror(errno));
    text_release(&report);
    return printed ? EXIT_CLEAN : EXIT_INTERNAL;
}

/* ---- Tasks -------------------------------------------------------------------------------- */

ExitCode task_replay(RunInfo *info)
{
    ReplaySession session;
    Error error;
    if (!replaysession_open(&session, info, STAGE_REPLAY, &error) || !replaysession_run(&session, &error))
        return task_fail(info, &error);
    if (!is_of_bug(session.trace))
        return report_end(&session);
    const Finding *finding = replay_conclude(&session.replay, session.ex);
    if (!finding)
        return replaysession_differ(&session);
    if (!info->options.result_fd && !info->options.quiet && !info->options.json)
        printf("Replayed %u steps, each as recorded; the bug was reproduced.\n\n", session.trace->step_count);
    fflush(stdout);
    report_bug(&session, finding);
    return EXIT_BUG;
}

ExitCode task_debug(RunInfo *info)
{
    ReplaySession session;
    Error error;
    if (!replaysession_open(&session, info, STAGE_DEBUG, &error))
        return task_fail(info, &error);
    replay_run(&session.replay, session.picker, session.ex);
    const Finding *finding = replay_conclude(&session.replay, session.ex);
    if (!finding)
        return replaysession_differ(&session);
    printf("%s: %s\n", bug_kind_sentence(finding->kind), finding->text);
    return EXIT_BUG;
}
