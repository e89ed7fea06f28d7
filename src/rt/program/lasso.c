/* lasso.c - see lasso.h */
#include "rt/program/lasso.h"

#include <errno.h>

#include "base/vec.h"
#include "core/program.h"
#include "rt/actors/actor.h"
#include "rt/detect/bug.h"
#include "rt/detect/names.h"
#include "rt/detect/shared.h"
#include "rt/kernel/scheduler.h"
#include "rt/program/state_c.h"
#include "rt/sync/observe.h"

enum {
    MOST_SPINNING = 64, /* agents in a livelock that is noticed                  */
    MOST_TRIES = 64,    /* visits of one state that are looked at                */
    MOST_IDLE = 1024    /* visits after which nothing more is expected to happen */
};

typedef struct Possible {
    AgentId agent;
    uint64_t alias;
} Possible;

/* A state on the way. */
typedef struct WayVisit {
    Fingerprint print;
    uint64_t open;              /* obligations                           */
    bool idle;                  /* nothing has changed since the visit before */
    uint32_t event;             /* the step that was taken there         */
    uint32_t first, count;      /* those that were possible              */
} WayVisit;

static struct {
    VEC(WayVisit) visits;
    VEC(Possible) possible;
} way;

void lasso_reset(void) { way.visits.count = way.possible.count = 0; }

static uint64_t agent_of(uint64_t alias) { return alias & ~ALIAS_STRONG; }

/* Can the agent take a step there? */
static bool is_enabled(const WayVisit *visit, uint64_t agent)
{
    for (uint32_t i = 0; i < visit->count; i++)
        if (agent_of(way.possible.items[visit->first + i].alias) == agent)
            return true;
    return false;
}

static uint64_t alias_taken(const WayVisit *visit)
{
    AgentId agent = rt.ex->events[visit->event].agent;
    for (uint32_t i = 0; i < visit->count; i++)
        if (way.possible.items[visit->first + i].agent == agent)
            return way.possible.items[visit->first + i].alias;
    return 0;
}

/* Does each agent that is enabled all the way round take a step? */
static bool is_weakly_fair(uint32_t from, uint32_t to)
{
    const WayVisit *first = &way.visits.items[from];
    for (uint32_t i = 0; i < first->count; i++) {
        uint64_t agent = agent_of(way.possible.items[first->first + i].alias);
        bool owed = true;
        for (uint32_t k = from; k < to && owed; k++)
            owed = is_enabled(&way.visits.items[k], agent) && agent_of(alias_taken(&way.visits.items[k])) != agent;
        if (owed)
            return false;
    }
    return true;
}

static bool is_taken(uint32_t from, uint32_t to, uint64_t alias)
{
    for (uint32_t k = from; k < to; k++)
        if (alias_taken(&way.visits.items[k]) == alias)
            return true;
    return false;
}

/* Is each strongly fair step that is possible somewhere taken? */
static bool is_strongly_fair(uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++)
        for (uint32_t i = 0; i < way.visits.items[k].count; i++) {
            uint64_t alias = way.possible.items[way.visits.items[k].first + i].alias;
            if (alias & ALIAS_STRONG && !is_taken(from, to, alias))
                return false;
        }
    return true;
}

static bool is_fair(uint32_t from, uint32_t to) { return is_weakly_fair(from, to) && is_strongly_fair(from, to); }

/* Obligations that were open since an earlier visit, this one, of the state of the newest one, on a fair way. */
static uint64_t find_unmet(uint32_t *from)
{
    uint32_t last = way.visits.count - 1;
    const WayVisit *now = &way.visits.items[last];
    uint64_t open = now->open;
    for (uint32_t i = last; i-- > 0 && open;) {
        open &= way.visits.items[i].open;
        *from = i;
        if (open && fingerprint_equal(way.visits.items[i].print, now->print) && is_fair(i, last))
            return open;
    }
    return 0;
}

static bool contains(const uint64_t *aliases, uint32_t count, uint64_t alias)
{
    for (uint32_t i = 0; i < count; i++)
        if (aliases[i] == alias)
            return true;
    return false;
}

/* Does each agent that is enabled somewhere take a step? */
static bool takes_all(uint32_t from, uint32_t to)
{
    uint64_t taken[MOST_SPINNING];
    uint32_t count = 0;
    for (uint32_t k = from; k < to; k++) {
        uint64_t alias = agent_of(alias_taken(&way.visits.items[k]));
        if (count < MOST_SPINNING && !contains(taken, count, alias))
            taken[count++] = alias;
    }
    for (uint32_t k = from; k < to; k++)
        for (uint32_t i = 0; i < way.visits.items[k].count; i++)
            if (!contains(taken, count, agent_of(way.possible.items[way.visits.items[k].first + i].alias)))
                return false;
    return true;
}

/* Steps since an earlier visit of the state of the newest one have changed nothing, and every agent that could take one
 * has taken one. */
static bool find_livelock(uint32_t *from)
{
    uint32_t last = way.visits.count - 1, tries = MOST_TRIES;
    const WayVisit *now = &way.visits.items[last];
    for (uint32_t i = last; i > 0 && way.visits.items[i].idle && tries; i--) {
        if (!fingerprint_equal(way.visits.items[i - 1].print, now->print))
            continue;
        tries--;
        *from = way.visits.items[i - 1].event;
        if (takes_all(i - 1, last))
            return true;
    }
    return false;
}

static void report_livelock(uint32_t from)
{
    const Event *first = &rt.ex->events[from];
    Finding *finding = execution_add_finding(rt.ex, BUG_LIVELOCK);
    char who[48], what[96];
    for (uint32_t i = from; i < rt.ex->event_count; i++) {
        const Event *event = &rt.ex->events[i];
        bool known = false;
        for (unsigned k = 0; k < finding->agent_count; k++)
            known |= finding->agents[k] == event->agent;
        if (known)
            continue;
        bug_add_agent(finding, event->agent);
        bug_add_site(finding, event->site);
    }
    name_agent(first->agent, who, sizeof who);
    uint64_t resource = first->access_count ? rt.ex->accesses[first->first_access].resource : 0;
    name_resource(resource, LANES_ALL, what, sizeof what);
    finding->repeated = rt.ex->event_count - from;
    snprintf(finding->text, sizeof finding->text, "%s spins forever on %s%s: the last %u steps change nothing", who,
             what, finding->agent_count > 1 ? ", and others too" : "", finding->repeated);
}

/* ---- Who never moves --------------------------------------------------------------------------- */

/* Has it something left to do? */
static bool lives(const Thread *thread)
{
    if (thread->actor && thread->actor->is_actor)
        return thread->actor->stand != STAND_ENDED;
    return thread->state != THREAD_OVER && thread->state != THREAD_ABSENT;
}

static bool moves(uint32_t from, AgentId strand)
{
    for (uint32_t i = way.visits.items[from].event; i < rt.ex->event_count; i++)
        if (thread_get(rt.ex->events[i].agent)->strand == strand)
            return true;
    return false;
}

/* Could it take a step, somewhere on the way round? An actor: receive a message. */
static bool could_move(uint32_t from, AgentId strand)
{
    for (uint32_t k = from; k + 1 < way.visits.count; k++)
        for (uint32_t i = 0; i < way.visits.items[k].count; i++)
            if (thread_get(way.possible.items[way.visits.items[k].first + i].agent)->strand == strand)
                return true;
    return false;
}

/* Names those who take no step, the ones who could first. */
static void name_others(uint32_t from, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int could = 1; could >= 0; could--) {
        unsigned count = 0;
        for (AgentId agent = 1; agent < rt.ex->agent_count && used < size; agent++) {
            char name[48];
            const Thread *thread = thread_get(agent);
            if (thread->strand != agent || !lives(thread) || moves(from, agent) || could_move(from, agent) != could)
                continue;
            name_agent(agent, name, sizeof name);
            used += (size_t)snprintf(text + used, size - used, "%s%s", count++ ? ", " : "; ", name);
        }
        if (count && used < size)
            used += (size_t)snprintf(text + used, size - used,
                                     could    ? " could move, but never does"
                                     : count > 1 ? " wait all the time"
                                                 : " waits all the time");
    }
}

static void visit(uint64_t open, bool idle)
{
    WayVisit now = {.open = open, .idle = idle, .event = rt.ex->event_count, .first = way.possible.count};
    state_c_fingerprint(rt.ex->program, &now.print);
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++)
        if (scheduler_is_enabled(thread_get(agent)))
            VEC_PUSH(&way.possible, ((Possible){agent, state_c_alias(rt.ex->program, agent)}));
    now.count = way.possible.count - now.first;
    VEC_PUSH(&way.visits, now);
}

/* Is the program to notice that nothing changes any more? A search looks for it when it knows all states. */
static bool watches(void) { return !rt.ex->picker || !rt.ex->picker->passes; }

static bool is_idle(void)
{
    return way.visits.count && state_c_idle(rt.ex->program, way.visits.items[way.visits.count - 1].event);
}

static void look(uint64_t open)
{
    uint32_t from;
    bool idle = is_idle();
    if (!open && !idle)
        lasso_reset(); /* nothing was open all the time, or left as it was */
    visit(open, idle);
    uint64_t unmet = find_unmet(&from);
    if (unmet) {
        char others[120];
        name_others(from, others, sizeof others);
        observe_report_endless(unmet, way.visits.items[from].event, others);
    } else if (watches() && find_livelock(&from))
        report_livelock(from);
    else if (open || way.visits.count < MOST_IDLE)
        return; /* else some agents only spin while others are left out */
    scheduler_finish(END_ABANDONED);
}

void lasso_look(void)
{
    int error = errno; /* of the program */
    uint64_t open = observe_open();
    shared_look();
    if (!open && !watches())
        lasso_reset();
    else if (actor_local_step() == AGENT_NONE)
        look(open);
    errno = error;
}
