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
    EnabledAgents *enabled = whatif->enabled;
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

static AgentId other_agent(WhatIf *whatif, const Execution *ex)
{
    Program *program = whatif->replay->program;
    AgentId agent = program->ops->agent_find(program, whatif->agent);
    if (agent != AGENT_NONE && agent < ex->agent_count && program->ops->enabled(program, agent))
        return agent;
    replay_note_disabled(whatif->replay, whatif->leaves_at);
    return AGENT_NONE;
}

static AgentId pick(Picker *self, Execution *ex, AgentId current)
{
    WhatIf *whatif = (WhatIf *)self;
    note_enabled(whatif, ex);
    if (!whatif->leaves || ex->event_count < whatif->leaves_at)
        return whatif->replay->picker.pick(&whatif->replay->picker, ex, current);
    if (whatif->replay->state->differs)
        return AGENT_NONE;
    return ex->event_count == whatif->leaves_at ? other_agent(whatif, ex) : default_agent(whatif, ex, current);
}

static uint32_t choose(Picker *self, Execution *ex, uint32_t options)
{
    WhatIf *whatif = (WhatIf *)self;
    uint32_t position = ex->event_count - 1;
    if (!whatif->leaves || position < whatif->leaves_at)
        return whatif->replay->picker.choose(&whatif->replay->picker, ex, options);
    bool first = position == whatif->leaves_at && ex->events[position].choice_count == 0;
    return first && whatif->choice >= 0 && whatif->choice < options ? (uint32_t)whatif->choice : 0;
}

/* ---- Where it leaves the trace -------------------------------------------------------- */

static bool parse(WhatIf *whatif, const char *instead, Error *error)
{
    char *rest;
    unsigned long step = strtoul(instead, &rest, 10);
    const char *agent = rest + 1, *slash = strchr(instead, '/');
    size_t length = *rest != ':' ? 0 : slash ? (size_t)(slash - agent) : strlen(agent);
    char *end = NULL;
    whatif->choice = slash ? (int64_t)strtoul(slash + 1, &end, 10) : -1;
    if (step < 1 || length == 0 || length >= sizeof whatif->agent || (slash && (*end || !slash[1])))
        return error_set(error, EXIT_USAGE, "--instead=%s: expected STEP:AGENT or STEP:AGENT/CHOICE, as in 2:0.1",
                         instead);
    if (step > whatif->replay->trace->step_count + 1ul)
        return error_set(error, EXIT_USAGE, "--instead=%s: the trace has %u steps", instead,
                         whatif->replay->trace->step_count);
    memcpy(whatif->agent, agent, length);
    whatif->leaves_at = (uint32_t)step - 1;
    whatif->leaves = true;
    return true;
}

bool whatif_init(WhatIf *whatif, Region *region, Replay *replay, const char *instead, Error *error)
{
    *whatif = (WhatIf){.picker = {.pick = pick, .choose = choose}, .replay = replay, .region = region};
    whatif->enabled = region_alloc(region, sizeof *whatif->enabled);
    memset(whatif->enabled, 0, sizeof *whatif->enabled);
    return !*instead || parse(whatif, instead, error);
}
