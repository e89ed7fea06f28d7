/* task_minimise.c - a trace in, a trace with fewer preemptions out */
#include <stdio.h>
#include <string.h>

#include "app/run/process.h"
#include "app/tasks/repetition.h"
#include "app/tasks/task.h"
#include "core/graph/minimise_weak.h"

enum { MOST_EXECUTIONS = 5000 };
static const double MOST_SECONDS = 5; /* CPU time: independent of the load of the machine */

static bool is_time_left(void) { return process_cpu_seconds() < MOST_SECONDS; }

static const Finding *run_schedule(Execution *ex, const Schedule *schedule, const Finding *wanted)
{
    ex->picker = NULL;
    ex->stop_at_bug = ex->stop_after_plan = false;
    schedule_plan(schedule, ex);
    ex->program->ops->run(ex->program, ex);
    return execution_find_bug(ex, wanted);
}

/* What is known of the schedules that show the bug. */
typedef struct Known {
    bool fewest;            /* none has fewer preemptions */
    Sequential sequential;
} Known;

static Schedule *minimise(Program *program, const Schedule *failing, const Finding *finding, Known *known)
{
    MinimiseBudget budget = {.executions = MOST_EXECUTIONS, .may_continue = is_time_left};
    if (program->memory == MEMORY_SC)
        return minimise_preemptions(program, failing, finding, &budget, &known->fewest);
    return minimise_weak(program, failing, finding, &budget, &known->sequential);
}

static bool write_trace(const RunInfo *info, const Execution *ex, const Finding *finding, const char *id,
                        const Known *known)
{
    Trace *trace = trace_create();
    Text text = {0};
    runinfo_describe(info, trace);
    trace_add_steps(trace, ex->program, ex, finding->position);
    trace_set_bug(trace, ex->program, finding, id);
    trace->preemptions = execution_preemptions(ex, finding->position);
    trace->unminimised = !known->fewest && (trace->preemptions > 0 || ex->memory == MEMORY_SC);
    trace->sequential = known->sequential;
    trace_write(trace, &text);
    bool good = text_write_all((int)info->options.result_fd, text.data, text.length);
    text_release(&text);
    trace_destroy(trace);
    return good;
}

ExitCode task_minimise(RunInfo *info)
{
    Error error;
    Repetition given;
    Known known = {0};
    if (!repetition_open(&given, info, false, &error))
        return task_fail(info, &error);
    if (!given.finding)
        return EXIT_DIVERGED;
    Finding finding = *given.finding;
    const Finding *seen = given.finding;
    if (is_time_left()) {
        Schedule *failing = schedule_take(NULL, given.ex, finding.position);
        Schedule *small = minimise(given.stage.program, failing, &finding, &known);
        seen = run_schedule(given.ex, small, &finding);
        if (!seen)
            return EXIT_DIVERGED;
    }
    if (given.trace->input_count && known.sequential == SEQUENTIAL_NO) /* with these inputs: others were not tried */
        known.sequential = SEQUENTIAL_UNKNOWN;
    return write_trace(info, given.ex, seen, given.trace->id, &known) ? EXIT_BUG : EXIT_INTERNAL;
}
