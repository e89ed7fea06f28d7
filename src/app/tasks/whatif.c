/* whatif.c - see whatif.h */
#include "app/tasks/whatif.h"

#include <stdlib.h>
#include <string.h>

/* ---- Enabled agents --------------------------------------------------------------- */

/* An array in the region with room for one more. */
static void *with_room(Region *region, void *array, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return array;
    uint32_t more = *room ? 2 * *room : 64;
    void *larger = region_alloc(region, more * size);
    if (array) {
        memcpy(larger, array, count * size);
        region_free(region, array, *room * size);
    }
    *room = more;
    return larger;
}

static void note_enabled(WhatIf *whatif, const Execution *ex)
{
    Program *program = whatif->replay->program;
    EnabledAgents *enabled = &whatif->notes->enabled;
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        if (!program->ops->enabled(program, agent))
            continue;
        enabled->agents = with_room(whatif->region, enabled->agents, enabled->agent_count, &enabled->agent_room,
                                    sizeof *enabled->agents);
        enabled->agents[enabled->agent_count++] = agent;
    }
    enabled->ends =
        with_room(whatif->region, enabled->ends, enabled->step_count, &enabled->step_room, sizeof *enabled->ends);
    enabled->ends[enabled->step_count++] = enabled->agent_count;
}

/* ---- Writes that could have been read ------------------------------------------------ */

static void note_writes(WhatIf *whatif, const Execution *ex, uint32_t options)
{
    PossibleWrites *writes = &whatif->notes->writes;
    for (uint32_t option = 0; option < options; option++) {
        if (!weakchoices_allow(&whatif->weak, ex, option))
            continue;
        PossibleWrite write = {.step = ex->event_count - 1, .option = option};
        write.value = weakchoices_write(&whatif->weak, ex, option, &write.source);
        writes->items = with_room(whatif->region, writes->items, writes->count, &writes->room, sizeof *writes->items);
        writes->items[writes->count++] = write;
    }
}

/* ---- The picker --------------------------------------------------------------------- */

static AgentId default_agent(const WhatIf *whatif, const Execution *ex, AgentId current)
{
    Program *program = whatif->replay->program;
    if (current != AGENT_NONE && program->ops->enabled(program, current))
        return current;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (program->ops->enabled(program, agent))
            return agent;
    return AGENT_NONE;
}

static AgentId agent_at(WhatIf *whatif, const Execution *ex, const char *path)
{
    Program *program = whatif->replay->program;
    AgentId agent = program->ops->agent_find(program, path);
    if (agent != AGENT_NONE && agent < ex->agent_count && program->ops->enabled(program, agent))
        return agent;
    replay_note_disabled(whatif->replay, ex->event_count);
    return AGENT_NONE;
}

/* With other inputs values differ: steps are not compared. */
static AgentId agent_of_trace(WhatIf *whatif, Execution *ex, AgentId current)
{
    if (whatif->other_inputs)
        return agent_at(whatif, ex, whatif->replay->trace->steps[ex->event_count].agent);
    return whatif->replay->picker.pick(&whatif->replay->picker, ex, current);
}

static AgentId pick(Picker *self, Execution *ex, AgentId current)
{
    WhatIf *whatif = (WhatIf *)self;
    note_enabled(whatif, ex);
    if (whatif->notes->impossible)
        return AGENT_NONE;
    if (!whatif->leaves || ex->event_count < whatif->leaves_at)
        return agent_of_trace(whatif, ex, current);
    if (whatif->replay->state->differs)
        return AGENT_NONE;
    return ex->event_count == whatif->leaves_at ? agent_at(whatif, ex, whatif->agent)
                                                : default_agent(whatif, ex, current);
}

/* The option asked for, if the step has it and, under weak memory, the model allows it. */
static uint32_t other_option(WhatIf *whatif, Execution *ex, uint32_t options)
{
    bool possible = whatif->choice < options &&
                    (!weakchoices_apply(ex) || weakchoices_allow(&whatif->weak, ex, (uint32_t)whatif->choice));
    whatif->notes->impossible |= !possible;
    return possible ? (uint32_t)whatif->choice : 0;
}

/* Does the step that leaves the trace begin like that of the trace? */
static bool is_step_of_trace(const WhatIf *whatif)
{
    const Trace *trace = whatif->replay->trace;
    return whatif->leaves_at < trace->step_count && strcmp(trace->steps[whatif->leaves_at].agent, whatif->agent) == 0;
}

static uint32_t choose(Picker *self, Execution *ex, uint32_t options)
{
    WhatIf *whatif = (WhatIf *)self;
    Picker *replay = &whatif->replay->picker;
    uint32_t position = ex->event_count - 1, nth = ex->events[position].choice_count;
    if (nth == 0 && weakchoices_apply(ex))
        note_writes(whatif, ex, options);
    if (!whatif->leaves || position < whatif->leaves_at)
        return replay->choose(replay, ex, options);
    if (position > whatif->leaves_at || whatif->choice < 0 || nth > whatif->nth)
        return 0;
    if (nth == whatif->nth)
        return other_option(whatif, ex, options);
    return is_step_of_trace(whatif) ? replay->choose(replay, ex, options) : 0;
}

/* ---- Where it leaves the trace -------------------------------------------------------- */

/* "OPTION" or "N=OPTION". */
static bool parse_choice(WhatIf *whatif, const char *text)
{
    char *end;
    unsigned long number = strtoul(text, &end, 10);
    bool good = end != text;
    whatif->nth = 0;
    if (good && *end == '=') {
        const char *option = end + 1;
        good = number >= 1 && number <= EXECUTION_MAX_STEP_CHOICES;
        whatif->nth = (uint32_t)number - 1;
        number = strtoul(option, &end, 10);
        good = good && end != option;
    }
    whatif->choice = (int64_t)number;
    return good && !*end;
}

static bool parse(WhatIf *whatif, const char *instead, Error *error)
{
    char *rest;
    unsigned long step = strtoul(instead, &rest, 10);
    const char *agent = rest + 1, *slash = strchr(instead, '/');
    size_t length = *rest != ':' ? 0 : slash ? (size_t)(slash - agent) : strlen(agent);
    whatif->choice = -1;
    if (step < 1 || length == 0 || length >= sizeof whatif->agent || (slash && !parse_choice(whatif, slash + 1)))
        return error_set(error, EXIT_USAGE,
                         "--instead=%s: expected STEP:AGENT, STEP:AGENT/OPTION or STEP:AGENT/N=OPTION, as in 2:0.1",
                         instead);
    if (step > whatif->replay->trace->step_count + 1ul)
        return error_set(error, EXIT_USAGE, "--instead=%s: the trace has %u steps", instead,
                         whatif->replay->trace->step_count);
    memcpy(whatif->agent, agent, length);
    whatif->leaves_at = (uint32_t)step - 1;
    whatif->leaves = true;
    return true;
}

void whatif_reset(WhatIf *whatif)
{
    whatif->notes = region_alloc(whatif->region, sizeof *whatif->notes);
    memset(whatif->notes, 0, sizeof *whatif->notes);
    weakchoices_begin(&whatif->weak);
}

bool whatif_init(WhatIf *whatif, Region *region, Replay *replay, const char *instead, Error *error)
{
    *whatif = (WhatIf){.picker = {.pick = pick, .choose = choose}, .replay = replay, .region = region};
    weakchoices_init(&whatif->weak, replay->program->memory);
    whatif_reset(whatif);
    return !*instead || parse(whatif, instead, error);
}
