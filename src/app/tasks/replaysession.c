/* replaysession.c - see replaysession.h */
#include "app/tasks/replaysession.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/run/process.h"
#include "app/search/crash.h"
#include "base/mem.h"

/* ---- Opening --------------------------------------------------------------------- */

static bool is_same_binary(const ReplaySession *session, Error *error)
{
    if (strcmp(session->trace->hash, session->info->hash) == 0)
        return true;
    return error_set(error, EXIT_USAGE, "%s: recorded with another %s of %s (hash %s, now %s): run the search again",
                     session->info->options.trace, session->info->subject->version, session->trace->program,
                     session->trace->hash, session->info->hash);
}

bool replaysession_open(ReplaySession *session, RunInfo *info, StagePurpose purpose, Error *error)
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
    session->picker = &session->replay.picker;
    return true;
}

/* ---- Running ------------------------------------------------------------------------ */

static void run_in_child(ReplaySession *session, pid_t parent, int output)
{
    process_die_with(parent);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    replay_run(&session->replay, session->picker, session->ex);
    fflush(NULL);
    _exit(0);
}

/* Runs the program in a process of its own. */
static bool run_apart(ReplaySession *session, Error *error)
{
    int output = process_open_memory("output");
    fflush(NULL);
    pid_t parent = getpid(), child = output < 0 ? -1 : fork();
    if (child < 0)
        return error_set(error, EXIT_INTERNAL, "cannot start a process: %s", strerror(errno));
    if (child == 0)
        run_in_child(session, parent, output);
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

bool replaysession_run(ReplaySession *session, Error *error)
{
    if (session->info->subject->may_crash)
        return run_apart(session, error);
    replay_run(&session->replay, session->picker, session->ex);
    return true;
}

ExitCode replaysession_differ(const ReplaySession *session)
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
