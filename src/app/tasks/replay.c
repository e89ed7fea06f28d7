/* replay.c - see replay.h */
#include "app/tasks/replay.h"

#include <stdio.h>
#include <string.h>

#include "report/identity.h"

/* ---- Differences ------------------------------------------------------------ */

/* "thread 0.2: lock m at bank.c:23" */
static void describe_step(const TraceStep *step, char *text, size_t size)
{
    if (step->place.file)
        snprintf(text, size, "thread %s: %s at %s:%u", step->agent, step->text, step->place.file, step->place.line);
    else
        snprintf(text, size, "thread %s: %s", step->agent, step->text);
}

static void note_difference(Replay *replay, uint32_t position, const char *actual)
{
    ReplayState *state = replay->state;
    if (state->differs)
        return;
    state->differs = true;
    state->position = position;
    if (position < replay->trace->step_count)
        describe_step(&replay->trace->steps[position], state->expected, sizeof state->expected);
    else
        snprintf(state->expected, sizeof state->expected, "the end of the execution");
    snprintf(state->actual, sizeof state->actual, "%s", actual);
}

/* The bug occurs in the last step, which may therefore be incomplete: values, and choices that it did not come to, are
 * not compared. */
static bool same_last(const Trace *trace, const TraceStep *expected, const Trace *actual, TraceStep step)
{
    if (step.choice_count > expected->choice_count)
        step.choice_count = expected->choice_count;
    return trace_same_decision(trace, expected, actual, &step);
}

/* Compares a step with the trace. */
static bool check_step(Replay *replay, const Execution *ex, uint32_t position)
{
    const Trace *trace = replay->trace;
    char text[REPLAY_LINE];
    if (position >= trace->step_count)
        return true;
    Trace *actual = trace_create();
    trace_add_step(actual, replay->program, ex, position);
    const TraceStep *expected = &trace->steps[position], *step = &actual->steps[0];
    bool same = position + 1 == trace->step_count ? same_last(trace, expected, actual, *step)
                                                  : trace_same_step(trace, expected, actual, step);
    if (!same) {
        describe_step(step, text, sizeof text);
        note_difference(replay, position, text);
    }
    trace_destroy(actual);
    return same;
}

void replay_note_disabled(Replay *replay, uint32_t position)
{
    note_difference(replay, position, "that thread cannot take a step here");
}

/* ---- The picker ---------------------------------------------------------------- */

static AgentId pick(Picker *self, Execution *ex, AgentId current)
{
    Replay *replay = (Replay *)self;
    uint32_t position = ex->event_count;
    (void)current;
    if (replay->state->differs || (position > 0 && !check_step(replay, ex, position - 1)) ||
        position >= replay->trace->step_count)
        return AGENT_NONE;
    const ProgramOps *ops = replay->program->ops;
    AgentId agent = ops->agent_find(replay->program, replay->trace->steps[position].agent);
    if (agent == AGENT_NONE || agent >= ex->agent_count || !ops->enabled(replay->program, agent)) {
        replay_note_disabled(replay, position);
        return AGENT_NONE;
    }
    return agent;
}

static uint32_t choose(Picker *self, Execution *ex, uint32_t options)
{
    Replay *replay = (Replay *)self;
    const Event *event = &ex->events[ex->event_count - 1];
    uint32_t position = ex->event_count - 1, nth = event->choice_count;
    if (position >= replay->trace->step_count || nth >= replay->trace->steps[position].choice_count)
        return 0;
    Choice choice = replay->trace->choices[replay->trace->steps[position].first_choice + nth];
    if (choice.options == options)
        return choice.taken;
    note_difference(replay, position, "the step chooses among a different number of options");
    return 0;
}

/* ---- Replay ------------------------------------------------------------------------ */

void replay_init(Replay *replay, Region *region, Program *program, const Trace *trace)
{
    *replay = (Replay){.picker = {.pick = pick, .choose = choose}, .program = program, .trace = trace};
    replay->state = region_alloc(region, sizeof *replay->state);
    memset(replay->state, 0, sizeof *replay->state);
    for (uint32_t i = 0; i < trace->agent_count && program->ops->agent_number; i++)
        if (!program->ops->agent_number(program, trace->agents[i].path, trace->agents[i].number))
            note_difference(replay, 0, "an agent cannot have this number");
    for (uint32_t i = 0; i < trace->input_count && program->ops->set_input; i++)
        if (!program->ops->set_input(program, trace->inputs[i].name, trace->inputs[i].value))
            note_difference(replay, 0, "an input cannot have this value");
}

void replay_run(Replay *replay, Picker *picker, Execution *ex)
{
    ex->picker = picker;
    ex->plan_length = 0;
    ex->stop_after_plan = false;
    ex->stop_at_bug = false;
    replay->program->ops->run(replay->program, ex);
}

static bool is_the_bug(const Replay *replay, const Finding *finding)
{
    char id[IDENTITY_TEXT];
    identity_write(identity_of(replay->program, finding), 16, id);
    return strcmp(bug_kind_name(finding->kind), replay->trace->kind) == 0 &&
           strncmp(id, replay->trace->id, strlen(replay->trace->id)) == 0;
}

static const Finding *find_bug(const Replay *replay, const Execution *ex)
{
    for (uint32_t i = 0; i < ex->finding_count; i++)
        if (is_the_bug(replay, &ex->findings[i]))
            return &ex->findings[i];
    return NULL;
}

const Finding *replay_conclude(Replay *replay, const Execution *ex)
{
    uint32_t last = ex->event_count < replay->trace->step_count ? ex->event_count : replay->trace->step_count;
    if (!replay->state->differs && last > 0)
        check_step(replay, ex, last - 1);
    if (replay->state->differs)
        return NULL;
    const Finding *bug = find_bug(replay, ex);
    if (!bug && ex->event_count < replay->trace->step_count)
        note_difference(replay, ex->event_count, "the execution ended");
    return bug;
}
