/* task_show.c - shows a whole execution: that of a trace, or one that leaves it at some step */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/run/wholetrace.h"
#include "app/tasks/otherbranch.h"
#include "app/tasks/replaysession.h"
#include "app/tasks/task.h"
#include "app/tasks/whatif.h"
#include "report/columns.h"

/* A loop that the default policy never leaves ends here. */
enum { MOST_AGENT_STEPS = 20000 };

/* ---- As JSON ------------------------------------------------------------------------ */

static void write_document(const ReplaySession *session, const WhatIf *whatif, const Trace *trace, Text *out)
{
    const Subject *subject = session->info->subject;
    Arena arena = {0};
    Text text = {0};
    trace_write(trace, &text);
    ExecutionDocument document = {
        .program = session->stage.program,
        .ex = session->ex,
        .enabled = &whatif->notes->enabled,
        .writes = &whatif->notes->writes,
        .sequence = subject->sequence ? subject->sequence(session->stage.program, session->ex, &arena) : NULL,
        .mail = subject->mail,
        .trace = text.data,
        .output = session->output.data,
        .output_size = session->output.length,
    };
    execution_json_write(&document, out);
    text_release(&text);
    arena_release(&arena);
}

/* ---- For readers ---------------------------------------------------------------------- */

static void write_table(const ReplaySession *session, Trace *trace, Text *out)
{
    const Options *options = &session->info->options;
    Style style = style_detect(STDOUT_FILENO, options->color, options->verbose);
    BugView view = {.trace = trace};
    bugview_add_agents(&view, session->stage.program, session->ex);
    text_add(out, "%s: %u steps\n\n", trace->summary, trace->step_count);
    columns_write(&view, &style, out);
    for (uint32_t i = 0; i < session->ex->blocked_count; i++) {
        const Blocked *blocked = &session->ex->blocked[i];
        char name[128];
        session->stage.program->ops->agent_name(session->stage.program, blocked->agent, name, sizeof name);
        text_add(out, "  %s still waits\n", name);
    }
    free(view.threads);
}

/* ---- The task ---------------------------------------------------------------------------- */

static bool print(const ReplaySession *session, const Text *text)
{
    if (text_write_all(STDOUT_FILENO, text_borrow(text), text->length))
        return true;
    options_say(&session->info->options, "standard output: %s", strerror(errno));
    return false;
}

static ExitCode refuse_agent(const ReplaySession *session, const WhatIf *whatif)
{
    Error error;
    error_set(&error, EXIT_USAGE, "--instead=%s: %s %s is not enabled before step %u", session->info->options.instead,
              session->info->subject->agent, whatif->agent, whatif->leaves_at + 1);
    return task_fail(session->info, &error);
}

static ExitCode refuse_choice(const ReplaySession *session, const WhatIf *whatif)
{
    Error error;
    error_set(&error, EXIT_USAGE, "--instead=%s: step %u has no choice %u that could be %lld",
              session->info->options.instead, whatif->leaves_at + 1, whatif->nth + 1, (long long)whatif->choice);
    return task_fail(session->info, &error);
}

/* Whether the inputs decide the choice that is asked for is known when the trace has been followed. */
static bool run_session(ReplaySession *session, WhatIf *whatif, Error *error)
{
    bool leaves = whatif->leaves;
    if (leaves && whatif->choice >= 0) {
        whatif->leaves = false;
        if (!replaysession_run(session, error))
            return false;
        whatif->leaves = leaves;
        if (session->replay.state->differs)
            return true;
        if (otherbranch_applies(session, whatif))
            return otherbranch_prepare(session, whatif, error) && replaysession_run(session, error);
        execution_reset(session->ex);
        text_reset(&session->output);
        whatif_reset(whatif);
    }
    return replaysession_run(session, error);
}

/* Did the step make the choice that was asked for, and could it? */
static bool is_possible(const ReplaySession *session, const WhatIf *whatif)
{
    const Execution *ex = session->ex;
    if (whatif->notes->impossible)
        return false;
    return !whatif->leaves || whatif->choice < 0 || whatif->leaves_at >= ex->event_count ||
           whatif->nth < ex->events[whatif->leaves_at].choice_count;
}

ExitCode task_show(RunInfo *info)
{
    ReplaySession session;
    WhatIf whatif;
    Error error;
    if (!replaysession_open(&session, info, STAGE_REPLAY, &error) ||
        !whatif_init(&whatif, session.stage.region, &session.replay, info->options.instead, &error))
        return task_fail(info, &error);
    session.picker = &whatif.picker;
    if (whatif.leaves && (!session.ex->max_agent_steps || session.ex->max_agent_steps > MOST_AGENT_STEPS))
        session.ex->max_agent_steps = MOST_AGENT_STEPS;
    if (!run_session(&session, &whatif, &error))
        return task_fail(info, &error);
    bool differs = session.replay.state->differs;
    if (differs && whatif.leaves && session.replay.state->position == whatif.leaves_at)
        return refuse_agent(&session, &whatif);
    if (differs)
        return replaysession_differ(&session);
    if (!is_possible(&session, &whatif))
        return refuse_choice(&session, &whatif);
    Text text = {0};
    Trace *trace = wholetrace_create(info, session.stage.program, session.ex);
    if (info->options.execution)
        write_document(&session, &whatif, trace, &text);
    else
        write_table(&session, trace, &text);
    bool printed = print(&session, &text);
    text_release(&text);
    trace_destroy(trace);
    return !printed ? EXIT_INTERNAL : session.ex->finding_count ? EXIT_BUG : EXIT_CLEAN;
}
