/* task_replay.c - replays a trace and describes the bug */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/run/process.h"
#include "app/search/crash.h"
#include "app/search/stage.h"
#include "app/tasks/replay.h"
#include "app/tasks/task.h"
#include "base/mem.h"
#include "report/ci/sarif.h"
#include "report/report_json.h"
#include "report/report_text.h"

typedef struct ReplaySession {
    RunInfo *info;
    Trace *trace;
    Stage stage;
    Execution *ex;
    Replay replay;
    Text output;       /* what the program printed      */
    int status;        /* of the process that ran it    */
} ReplaySession;

/* ---- Opening --------------------------------------------------------------------- */

static bool is_same_binary(const ReplaySession *session, Error *error)
{
    if (strcmp(session->trace->hash, session->info->hash) == 0)
        return true;
    return error_set(error, EXIT_USAGE, "%s: recorded with another %s of %s (hash %s, now %s): run the search again",
                     session->info->options.trace, session->info->subject->version, session->trace->program,
                     session->trace->hash, session->info->hash);
}

static bool open_session(ReplaySession *session, RunInfo *info, StagePurpose purpose, Error *error)
{
    *session = (ReplaySession){.info = info};
    session->trace = trace_read(info->options.trace, error);
    if (!session->trace || !is_same_binary(session, error) ||
        !options_parse_text(&info->options, USE_RUN, session->trace->options, error) ||
        !stage_open(&session->stage, info, purpose, false, error))
        return false;
    session->ex = execution_create(session->stage.program);
    session->ex->max_agent_steps = (uint32_t)info->options.max_steps;
    replay_init(&session->replay, session->stage.region, session->stage.program, session->trace);
    return true;
}

/* ---- Running ------------------------------------------------------------------------ */

static void run_in_child(ReplaySession *session, int output)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    replay_run(&session->replay, session->ex);
    fflush(NULL);
    _exit(0);
}

/* Runs the program in a process of its own. */
static bool run_apart(ReplaySession *session, Error *error)
{
    int output = process_open_memory("output");
    fflush(NULL);
    pid_t child = output < 0 ? -1 : fork();
    if (child < 0)
        return error_set(error, EXIT_INTERNAL, "cannot start a process: %s", strerror(errno));
    if (child == 0)
        run_in_child(session, output);
    while (waitpid(child, &session->status, 0) < 0)
        continue;
    lseek(output, 0, SEEK_SET);
    text_add_file(&session->output, output);
    close(output);
    const Subject *subject = session->info->subject;
    if (WIFSIGNALED(session->status) && WTERMSIG(session->status) == SIGKILL)
        return error_set(error, EXIT_INTERNAL, "the replay was killed (signal %d): has the memory run out?", SIGKILL);
    if (WIFEXITED(session->status) && WEXITSTATUS(session->status) == MEM_EXIT_EXHAUSTED)
        return error_set(error, EXIT_INTERNAL, "the replay is out of memory (ulimit -v)");
    if (subject->refuses && subject->refuses(session->status))
        return error_set(error, EXIT_USAGE, "%s", subject->refusal(session->stage.program));
    if (!WIFEXITED(session->status) || WEXITSTATUS(session->status) != 0)
        crash_note(session->ex, session->status);
    return true;
}

static bool run(ReplaySession *session, Error *error)
{
    if (session->info->subject->may_crash)
        return run_apart(session, error);
    replay_run(&session->replay, session->ex);
    return true;
}

/* ---- Reporting ------------------------------------------------------------------------- */

static ExitCode report_difference(const ReplaySession *session)
{
    const ReplayState *state = session->replay.state;
    if (session->ex->cuts[CUT_STEP_TIME]) {
        options_say(&session->info->options, "the replay was stopped in a step longer than --max-step-time");
        return EXIT_BUDGET;
    }
    if (state->differs)
        options_say(&session->info->options, "the replay differs at step %u\n  expected: %s\n  actual:   %s",
                    state->position + 1, state->expected, state->actual);
    else
        options_say(&session->info->options, "the replay took the same %u steps but did not end as recorded",
                    session->trace->step_count);
    return EXIT_DIVERGED;
}

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
    if (options->width)
        style.width = (uint32_t)options->width;
    trace_set_bug(view->trace, session->stage.program, finding, session->trace->id);
    view->trace->unminimised = session->trace->unminimised;
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
        return report_difference(session);
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
    if (!open_session(&session, info, STAGE_REPLAY, &error) || !run(&session, &error))
        return task_fail(info, &error);
    if (!is_of_bug(session.trace))
        return report_end(&session);
    const Finding *finding = replay_conclude(&session.replay, session.ex);
    if (!finding)
        return report_difference(&session);
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
    if (!open_session(&session, info, STAGE_DEBUG, &error))
        return task_fail(info, &error);
    replay_run(&session.replay, session.ex);
    const Finding *finding = replay_conclude(&session.replay, session.ex);
    if (!finding)
        return report_difference(&session);
    printf("%s: %s\n", bug_kind_sentence(finding->kind), finding->text);
    return EXIT_BUG;
}
