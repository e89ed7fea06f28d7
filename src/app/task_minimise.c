/* task_minimise.c - a trace in, a trace with fewer preemptions out */
#include <stdio.h>
#include <string.h>

#include "app/process.h"
#include "app/replay.h"
#include "app/stage.h"
#include "app/task.h"
#include "core/shrink.h"

enum { BUDGET = 5000 };              /* executions         */
static const double TIME_BUDGET = 15; /* seconds, about     */

/* Executions with such a bug end the process they run in. */
static bool is_fragile(const char *kind)
{
    static const BugKind deadly[] = {BUG_CRASH, BUG_LIVELOCK, BUG_DIVISION, BUG_OVERFLOW};
    for (unsigned i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        if (strcmp(bug_kind_name(deadly[i]), kind) == 0)
            return true;
    return false;
}

/* As many executions as there is time for. */
static uint64_t budget_for(double seconds)
{
    double executions = TIME_BUDGET / (seconds > 1e-6 ? seconds : 1e-6);
    return executions > (double)BUDGET ? BUDGET : (uint64_t)executions + 1;
}

static const Finding *run_schedule(Execution *ex, const Schedule *schedule, const Finding *wanted)
{
    ex->picker = NULL;
    ex->stop_at_bug = ex->stop_after_plan = false;
    schedule_plan(schedule, ex);
    ex->program->ops->run(ex->program, ex);
    for (uint32_t i = 0; i < ex->finding_count; i++)
        if (finding_same_bug(&ex->findings[i], wanted))
            return &ex->findings[i];
    return NULL;
}

static bool write_trace(const RunInfo *info, const Execution *ex, const Finding *finding, const char *id)
{
    Trace *trace = trace_create();
    Text text = {0};
    runinfo_describe(info, trace);
    trace_add_steps(trace, ex->program, ex, finding->position);
    trace_set_bug(trace, ex->program, finding, id);
    for (uint32_t i = 0; i < finding->position; i++)
        trace->preemptions += (ex->events[i].flags & EVENT_PREEMPTS) != 0;
    trace_write(trace, &text);
    bool good = text_write_all((int)info->options.result_fd, text.data, text.length);
    text_release(&text);
    trace_destroy(trace);
    return good;
}

ExitCode task_minimise(RunInfo *info)
{
    Error error;
    Stage stage;
    Replay replay;
    Trace *trace = trace_read(info->options.trace, &error);
    if (!trace || !options_parse_text(&info->options, USE_RUN, trace->options, &error) ||
        !stage_open(&stage, info, STAGE_MINIMISE, is_fragile(trace->kind), &error))
        return task_fail(&error);
    Execution *ex = execution_create(stage.program);
    ex->max_agent_steps = (uint32_t)info->options.max_steps;
    replay_init(&replay, stage.region, stage.program, trace);
    double start = process_now();
    replay_run(&replay, ex);
    double seconds = process_now() - start;
    const Finding *seen = replay_conclude(&replay, ex);
    if (!seen)
        return EXIT_DIVERGED;
    Finding finding = *seen;
    Schedule *failing = schedule_take(NULL, ex, finding.position);
    Schedule *small = shrink_preemptions(stage.program, failing, &finding, budget_for(seconds), NULL);
    seen = run_schedule(ex, small, &finding);
    if (!seen)
        return EXIT_DIVERGED;
    return write_trace(info, ex, seen, trace->id) ? EXIT_BUG : EXIT_INTERNAL;
}
