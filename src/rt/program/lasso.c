/* lasso.c - see lasso.h */
#include "rt/program/lasso.h"

#include <errno.h>

#include "base/vec.h"
#include "rt/actors/actor.h"
#include "rt/kernel/scheduler.h"
#include "rt/program/state_c.h"
#include "rt/sync/observe.h"

typedef struct Possible {
    AgentId agent;
    uint64_t alias;
} Possible;

/* A state on the way. */
typedef struct WayVisit {
    Fingerprint print;
    uint64_t open;              /* obligations                           */
    uint32_t event;             /* the step that was taken there         */
    uint32_t first, count;      /* those that were possible              */
} WayVisit;

static struct {
    VEC(WayVisit) visits;
    VEC(Possible) possible;
} way;

void lasso_reset(void) { way.visits.count = way.possible.count = 0; }

static bool can_take(const WayVisit *visit, uint64_t alias)
{
    for (uint32_t i = 0; i < visit->count; i++)
        if (way.possible.items[visit->first + i].alias == alias)
            return true;
    return false;
}

static bool takes(const WayVisit *visit, uint64_t alias)
{
    AgentId agent = rt.ex->events[visit->event].agent;
    for (uint32_t i = 0; i < visit->count; i++)
        if (way.possible.items[visit->first + i].agent == agent)
            return way.possible.items[visit->first + i].alias == alias;
    return false;
}

/* Is each step that is possible all the way round taken? */
static bool is_fair(uint32_t from, uint32_t to)
{
    const WayVisit *first = &way.visits.items[from];
    for (uint32_t i = 0; i < first->count; i++) {
        uint64_t alias = way.possible.items[first->first + i].alias;
        bool owed = true;
        for (uint32_t k = from; k < to && owed; k++)
            owed = can_take(&way.visits.items[k], alias) && !takes(&way.visits.items[k], alias);
        if (owed)
            return false;
    }
    return true;
}

/* Obligations that were open since an earlier visit of the state of the newest one, on a fair way. */
static uint64_t find_unmet(uint32_t *from)
{
    uint32_t last = way.visits.count - 1;
    const WayVisit *now = &way.visits.items[last];
    uint64_t open = now->open;
    for (uint32_t i = last; i-- > 0 && open;) {
        open &= way.visits.items[i].open;
        *from = way.visits.items[i].event;
        if (open && fingerprint_equal(way.visits.items[i].print, now->print) && is_fair(i, last))
            return open;
    }
    return 0;
}

static void visit(uint64_t open)
{
    WayVisit now = {.open = open, .event = rt.ex->event_count, .first = way.possible.count};
    state_c_fingerprint(rt.ex->program, &now.print);
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++)
        if (scheduler_is_enabled(thread_get(agent)))
            VEC_PUSH(&way.possible, ((Possible){agent, state_c_alias(rt.ex->program, agent)}));
    now.count = way.possible.count - now.first;
    VEC_PUSH(&way.visits, now);
}

void lasso_look(void)
{
    int error = errno; /* of the program */
    uint64_t open = observe_open();
    if (!open) {
        lasso_reset(); /* nothing was open all the time */
    } else if (actor_local_step() == AGENT_NONE) {
        visit(open);
        uint32_t from;
        uint64_t unmet = find_unmet(&from);
        if (unmet) {
            observe_report_endless(unmet, from);
            scheduler_finish(END_ABANDONED);
        }
    }
    errno = error;
}
