/* director.c - see director.h */
#include "subject/c/director.h"

#include "rt/detect/held.h"
#include "rt/kernel/resource.h"

/* From time to time a thread that has arrived continues: the deadlock may need a later iteration. */
enum { PATIENCE = 12, CALM = 4 };

/* Is the next step of the agent a wait of the candidate, and does it hold a lock? */
static bool has_arrived(const Director *d, const Execution *ex, AgentId agent)
{
    HeldLock held;
    uint64_t resource, site;
    uint16_t op;
    return d->cycle && held_pending(agent, &op, &resource, &site) &&
           candidate_has(d->cycles, d->cycle, site, resource) &&
           held_locks(ex, ex->event_count, agent, &held, 1) > 0;
}

/* An enabled agent that has, or has not, arrived; AGENT_NONE if there is none. */
static AgentId choose(Director *d, const Execution *ex, AgentId current, bool arrived)
{
    AgentId found = AGENT_NONE;
    uint32_t count = 0;
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        if (!d->program->ops->enabled(d->program, agent) || has_arrived(d, ex, agent) != arrived)
            continue;
        if (agent == current && (!d->random || rng_below(&d->rng, CALM)))
            return agent;
        if (d->random ? rng_below(&d->rng, ++count) == 0 : found == AGENT_NONE)
            found = agent;
    }
    return found;
}

static AgentId pick(Picker *picker, Execution *ex, AgentId current)
{
    Director *d = (Director *)picker;
    bool impatient = d->random && rng_below(&d->rng, PATIENCE) == 0;
    AgentId agent = choose(d, ex, current, impatient);
    return agent != AGENT_NONE ? agent : choose(d, ex, current, !impatient);
}

static uint32_t decide(Picker *picker, Execution *ex, uint32_t options)
{
    Director *d = (Director *)picker;
    (void)ex;
    return d->random ? rng_below(&d->rng, options) : 0;
}

void director_init(Director *director, Program *program, CycleCandidates *cycles, CycleCandidate *cycle, uint64_t seed)
{
    *director = (Director){.picker = {.pick = pick, .choose = decide},
                           .program = program,
                           .cycles = cycles,
                           .cycle = cycle,
                           .rng = {seed}};
}
