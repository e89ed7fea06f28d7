/* repetition.c - see repetition.h */
#include "app/tasks/repetition.h"

#include <string.h>

/* Do executions with the bug of the trace kill the process they run in? */
static bool is_fragile(const Trace *trace)
{
    static const BugKind deadly[] = {BUG_CRASH, BUG_LIVELOCK, BUG_DIVISION, BUG_OVERFLOW};
    for (unsigned i = 0; i < sizeof deadly / sizeof deadly[0]; i++)
        if (strcmp(bug_kind_name(deadly[i]), trace->kind) == 0)
            return true;
    return false;
}

bool repetition_open(Repetition *repetition, RunInfo *info, bool fragile, Error *error)
{
    Trace *trace = repetition->trace = trace_read(info->options.trace, error);
    if (!trace || !options_parse_text(&info->options, USE_RUN, trace->options, error) ||
        !stage_open(&repetition->stage, info, STAGE_MINIMISE, fragile || is_fragile(trace), error))
        return false;
    repetition->ex = execution_create(repetition->stage.program);
    repetition->ex->max_agent_steps = (uint32_t)info->options.max_steps;
    replay_init(&repetition->replay, repetition->stage.region, repetition->stage.program, trace);
    replay_run(&repetition->replay, &repetition->replay.picker, repetition->ex);
    repetition->finding = replay_conclude(&repetition->replay, repetition->ex);
    return true;
}
