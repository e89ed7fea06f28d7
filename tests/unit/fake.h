/* fake.h - a small program under test for unit tests of reports and composition
 *
 * Each agent reads x, then writes x + 1: two steps. When the last one has written and an
 * update was lost, that is a failed assertion at fake.c:30; the reads and writes stand in
 * lines 10 and 20.
 */
#ifndef TESTS_UNIT_FAKE_H
#define TESTS_UNIT_FAKE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/program.h"

typedef struct Fake {
    Program program; /* first */
    uint32_t agents;
    int64_t offset;  /* added to every value written: another value, another digest */
    bool crashes;    /* a lost update kills the process instead */
    /* state of an execution */
    int64_t x;
    int64_t seen[8];
    uint32_t done[8];
} Fake;

static inline void fake_step(Fake *fake, Execution *ex, AgentId agent)
{
    bool writes = fake->done[agent]++ == 1;
    Event *event = execution_add_event(ex, agent, writes, writes ? 20 : 10);
    Access *access = execution_add_access(ex);
    *access = (Access){.resource = 1, .lanes = LANES_ALL, .mode = writes ? MODE_WRITE : MODE_READ, .before = fake->x};
    if (writes)
        fake->x = fake->seen[agent] + 1 + fake->offset;
    else
        fake->seen[agent] = fake->x;
    access->after = fake->x;
    (void)event;
}

static inline void fake_check(Fake *fake, Execution *ex, AgentId agent)
{
    for (uint32_t i = 0; i < fake->agents; i++)
        if (fake->done[i] < 2)
            return;
    if (fake->x == fake->agents * (1 + fake->offset))
        return;
    if (fake->crashes)
        abort();
    Finding *finding = execution_add_finding(ex, BUG_ASSERTION);
    finding->agents[finding->agent_count++] = agent;
    finding->sites[finding->site_count++] = 30;
    snprintf(finding->text, sizeof finding->text, "assertion failed: x == %u", fake->agents);
}

static inline bool fake_enabled(Program *self, AgentId agent)
{
    return agent < ((Fake *)self)->agents && ((Fake *)self)->done[agent] < 2;
}

static inline AgentId fake_next(Fake *fake, Execution *ex, AgentId current)
{
    AgentId first = AGENT_NONE;
    for (AgentId i = fake->agents; i-- > 0;)
        if (fake_enabled(&fake->program, i))
            first = i;
    if (first == AGENT_NONE)
        return ex->end = END_COMPLETE, AGENT_NONE;
    if (ex->event_count < ex->plan_length)
        return ex->plan[ex->event_count].agent;
    if (ex->picker) {
        AgentId picked = ex->picker->pick(ex->picker, ex, current);
        if (picked == AGENT_NONE)
            ex->end = END_ABANDONED;
        return picked;
    }
    return current != AGENT_NONE && fake_enabled(&fake->program, current) ? current : first;
}

static inline void fake_run(Program *self, Execution *ex)
{
    Fake *fake = (Fake *)self;
    AgentId current = AGENT_NONE, next;
    execution_reset(ex);
    fake->x = 0;
    memset(fake->done, 0, sizeof fake->done);
    ex->agent_count = fake->agents;
    for (AgentId i = 0; i < fake->agents; i++)
        ex->agents[i] = (Agent){.creator = AGENT_NONE};
    while ((next = fake_next(fake, ex, current)) != AGENT_NONE) {
        bool preempts = current != AGENT_NONE && next != current && fake_enabled(self, current);
        fake_step(fake, ex, next);
        ex->events[ex->event_count - 1].flags |= preempts ? EVENT_PREEMPTS : 0;
        fake_check(fake, ex, next);
        current = next;
    }
}

static inline void fake_agent_name(Program *self, AgentId agent, char *text, size_t size)
{
    (void)self;
    snprintf(text, size, "agent %u", agent);
}

static inline void fake_agent_path(Program *self, AgentId agent, char *text, size_t size)
{
    (void)self;
    snprintf(text, size, "%u", agent);
}

static inline AgentId fake_agent_find(Program *self, const char *path)
{
    (void)self;
    return (AgentId)strtoul(path, NULL, 10);
}

static inline void fake_resource_name(Program *self, uint64_t resource, uint8_t lanes, char *text, size_t size)
{
    (void)self, (void)resource, (void)lanes;
    snprintf(text, size, "x");
}

static inline void fake_step_text(Program *self, uint16_t op, const Access *accesses, uint32_t count, char *text,
                                  size_t size)
{
    (void)self, (void)count;
    snprintf(text, size, op ? "x = %lld" : "read x: %lld", (long long)accesses->after);
}

static inline bool fake_place(Program *self, uint64_t site, Place *place)
{
    (void)self;
    *place = (Place){.file = "src/fake.c", .function = site == 30 ? "check" : "work", .line = (uint32_t)site, .column = 1};
    return site != 0;
}

static inline Fake fake_make(uint32_t agents)
{
    static const ProgramOps ops = {
        .run = fake_run, .enabled = fake_enabled, .agent_name = fake_agent_name, .resource_name = fake_resource_name,
        .step_text = fake_step_text, .place = fake_place, .agent_path = fake_agent_path, .agent_find = fake_agent_find,
    };
    return (Fake){.program = {.ops = &ops}, .agents = agents};
}

/* Runs the agents in the given order, e.g. "0110". */
static inline void fake_run_order(Fake *fake, Execution *ex, const char *order)
{
    ex->picker = NULL;
    ex->plan_length = (uint32_t)strlen(order);
    for (uint32_t i = 0; i < ex->plan_length; i++)
        ex->plan[i] = (PlanStep){.agent = (AgentId)(order[i] - '0')};
    fake_run(&fake->program, ex);
}

#endif
