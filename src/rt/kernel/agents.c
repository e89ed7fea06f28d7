/* agents.c - see agents.h
 *
 * An agent's number must not depend on the schedule, so it is looked up by (creator, nth
 * child). Numbers without an agent (agents_number) have nth 0.
 */
#include "rt/kernel/agents.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
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

/* The next number of a path (".2"); 0 if there is none. */
static uint32_t take_nth(const char **path)
{
    char *end;
    unsigned long nth = **path == '.' ? strtoul(*path + 1, &end, 10) : 0;
    if (nth == 0 || nth > UINT32_MAX)
        return 0;
    *path = end;
    return (uint32_t)nth;
}

AgentId agents_find(const char *path)
{
    AgentId agent = 0;
    uint32_t nth;
    if (*path++ != '0')
        return AGENT_NONE;
    while (agent != AGENT_NONE && (nth = take_nth(&path)))
        agent = agents_intern(agent, nth);
    return *path ? AGENT_NONE : agent;
}

/* ---- Numbers of another process ---------------------------------------------------- */

static bool is_free(const RtShared *shared, AgentId number)
{
    return number >= shared->agent_count || (number && !shared->agents[number].nth);
}

static void add_with_number(RtShared *shared, AgentId creator, uint32_t nth, AgentId number)
{
    for (; shared->agent_count <= number; shared->agent_count++)
        shared->agents[shared->agent_count] = (AgentName){.nth = 0};
    shared->agents[number] = (AgentName){
        .creator = creator, .nth = nth, .first_child = AGENT_NONE, .next_sibling = AGENT_NONE};
    *find_child(shared, creator, nth) = number;
}

/* Before there are other workers. */
bool agents_number(const char *path, AgentId number)
{
    RtShared *shared = rt.shared;
    AgentId agent = 0, creator = 0;
    uint32_t nth, last = 0;
    if (number >= RT_MAX_AGENTS || *path++ != '0')
        return false;
    while (agent != AGENT_NONE && (nth = take_nth(&path))) {
        creator = agent;
        agent = *find_child(shared, creator, last = nth);
    }
    if (*path || agent != AGENT_NONE || !is_free(shared, number))
        return !*path && agent == number;
    add_with_number(shared, creator, last, number);
    return true;
}

uint64_t agents_hash(AgentId agent)
{
    const AgentName *name = &rt.shared->agents[agent];
    return !agent ? 0 : !name->creator ? name->nth : map_mix(agents_hash(name->creator), name->nth);
}
