/* agents.c - see agents.h
 *
 * An agent's number must not depend on the schedule, so it is looked up by (creator, nth
 * child).
 */
#include "rt/kernel/agents.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "rt/kernel/runtime.h"

void agents_init(RtShared *shared)
{
    shared->agent_count = 1;
    shared->agents[0] = (AgentName){.creator = AGENT_NONE, .first_child = AGENT_NONE, .next_sibling = AGENT_NONE};
}

/* Children are searched from the oldest on: a loop that creates n threads costs n * n / 2
 * short steps in all, which is negligible. Returns the link to the child, or the empty one at
 * the end of the list. */
static AgentId *find_child(RtShared *shared, AgentId creator, uint32_t nth)
{
    AgentId *link = &shared->agents[creator].first_child, child;
    while ((child = __atomic_load_n(link, __ATOMIC_ACQUIRE)) != AGENT_NONE && shared->agents[child].nth != nth)
        link = &shared->agents[child].next_sibling;
    return link;
}

static AgentId add_child(RtShared *shared, AgentId creator, uint32_t nth)
{
    AgentId *link = find_child(shared, creator, nth);
    if (*link != AGENT_NONE || shared->agent_count == RT_MAX_AGENTS)
        return *link;
    AgentId agent = shared->agent_count++;
    shared->agents[agent] = (AgentName){
        .creator = creator, .nth = nth, .first_child = AGENT_NONE, .next_sibling = AGENT_NONE};
    __atomic_store_n(link, agent, __ATOMIC_RELEASE);
    return agent;
}

/* Other workers search and add concurrently; lists only grow, so searching needs no lock. */
AgentId agents_intern(AgentId creator, uint32_t nth)
{
    RtShared *shared = rt.shared;
    AgentId agent = *find_child(shared, creator, nth);
    if (agent != AGENT_NONE)
        return agent;
    while (__atomic_exchange_n(&shared->adding, true, __ATOMIC_ACQUIRE))
        sched_yield();
    agent = add_child(shared, creator, nth);
    __atomic_store_n(&shared->adding, false, __ATOMIC_RELEASE);
    return agent;
}

void agents_path(AgentId agent, char *text, size_t size)
{
    char part[16];
    char built[512] = "";
    for (; agent != 0; agent = rt.shared->agents[agent].creator) {
        char rest[512];
        snprintf(part, sizeof part, ".%u", rt.shared->agents[agent].nth);
        memcpy(rest, built, sizeof rest);
        snprintf(built, sizeof built, "%s%.480s", part, rest);
    }
    snprintf(text, size, "0%s", built);
}

AgentId agents_find(const char *path)
{
    AgentId agent = 0;
    if (*path++ != '0')
        return AGENT_NONE;
    while (*path == '.') {
        char *end;
        unsigned long nth = strtoul(path + 1, &end, 10);
        if (end == path + 1 || nth == 0 || nth > UINT32_MAX)
            return AGENT_NONE;
        agent = agents_intern(agent, (uint32_t)nth);
        if (agent == AGENT_NONE)
            return AGENT_NONE;
        path = end;
    }
    return *path ? AGENT_NONE : agent;
}
