/* revisit.c - see revisit.h */
#include "rt/spin/revisit.h"

#include <string.h>

#include "core/hb.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/spin/changes.h"
#include "rt/spin/park.h"

enum {
    FIRST_VISITS = 8,  /* room for so many back edges at first,                 */
    MAX_VISITS = 256,  /* and for so many that are remembered                   */
    MAX_COMPARED = 16, /* of those in the same state of the thread, the newest  */
    PATIENCE = 512,    /* iterations; then of each PERIOD only the first WINDOW */
    WINDOW = 8,
    PERIOD = 64
};

/* A back edge. */
typedef struct Arrival {
    uint64_t begin;    /* of the frame                                      */
    uint32_t event;    /* the thread's newest one                           */
    uint32_t rank;     /* how many earlier visits were in the same state    */
    ChangeState state; /* of the thread                                     */
} Arrival;

struct Revisit {
    uint32_t iterations;
    uint32_t visits, first_visit; /* earlier ones are not compared any more */
    uint32_t room;
    Arrival *visit;
};

/* What happened between two visits. */
typedef struct Between {
    ChangeSum sum;
    uint32_t accesses; /* to plain memory */
} Between;

/* ---- The past of a thread ----------------------------------------------------------- */

static Hb order;
static bool is_ready;

void revisit_reset(void)
{
    if (is_ready)
        hb_rewind(&order, 0);
}

static void order_events(void)
{
    if (!is_ready)
        hb_init(&order, rt.ex);
    is_ready = true;
    order.ex = rt.ex;
    hb_extend(&order);
}

/* The position of the nth step of an agent, which is ordered. */
static uint32_t position_of(AgentId agent, uint32_t index)
{
    uint32_t position = order.last.items[agent];
    while (order.events.items[position].label.index != index)
        position = order.events.items[position].previous;
    return position;
}

static void add_difference(Between *between, const ChangeState *from, const ChangeState *to)
{
    between->sum += to->sum - from->sum;
    between->accesses += to->accesses - from->accesses;
}

/* Was the agent, with so many steps, in the same state as with so many more? Adds what it did in between. */
static bool agent_is_back(AgentId agent, uint32_t steps, uint32_t more, Between *between)
{
    if (steps == more)
        return true;
    if (!steps)
        return false;
    const ChangeState *from = changes_after(position_of(agent, steps - 1));
    const ChangeState *to = changes_after(position_of(agent, more - 1));
    if (!from || !to || from->local != to->local)
        return false;
    add_difference(between, from, to);
    return true;
}

/* Do the pasts of the two visits lead to the same state? */
static bool is_same_state(const Thread *self, const Arrival *a, const Arrival *b, Between *between)
{
    *between = (Between){0};
    if (a->state.local != b->state.local)
        return false;
    add_difference(between, &a->state, &b->state);
    order_events();
    for (AgentId agent = 0; agent < rt.ex->agent_count; agent++)
        if (agent != self->id &&
            !agent_is_back(agent, hb_clock(&order, a->event)[agent], hb_clock(&order, b->event)[agent], between))
            return false;
    return between->sum == 0;
}

/* ---- Visits --------------------------------------------------------------------------- */

/* The newest earlier visit in the same state, or NULL. */
static const Arrival *find_visit(const Thread *self, const Arrival *now, Between *between)
{
    const Revisit *revisit = self->revisit;
    uint32_t compared = 0;
    for (uint32_t i = revisit->visits; i-- > revisit->first_visit && compared < MAX_COMPARED;) {
        compared += revisit->visit[i].state.local == now->state.local;
        if (is_same_state(self, &revisit->visit[i], now, between))
            return &revisit->visit[i];
    }
    return NULL;
}

/* Functions of deeper frames have returned: their frames will be others, with other remains of earlier calls. */
static void leave_frames(Revisit *revisit, uint64_t begin)
{
    while (revisit->visits > revisit->first_visit && revisit->visit[revisit->visits - 1].begin < begin)
        revisit->visits--;
}

/* Most loops need little. */
static void make_room(Revisit *revisit)
{
    uint32_t room = revisit->room ? 2 * revisit->room : FIRST_VISITS;
    Arrival *bigger = transient_alloc(room * sizeof *bigger);
    if (revisit->visits)
        memcpy(bigger, revisit->visit, revisit->visits * sizeof *bigger);
    revisit->visit = bigger;
    revisit->room = room;
}

static void add_visit(Revisit *revisit, Arrival visit)
{
    if (revisit->visits == revisit->room && revisit->room < MAX_VISITS)
        make_room(revisit);
    if (revisit->visits == MAX_VISITS) {
        revisit->visits /= 2;
        revisit->first_visit = 0;
        memmove(revisit->visit, revisit->visit + MAX_VISITS - revisit->visits,
                revisit->visits * sizeof *revisit->visit);
    }
    revisit->visit[revisit->visits++] = visit;
}

/* In four lanes, which the processor mixes at the same time. */
static uint64_t mix_words(const uint64_t *words, uint64_t count)
{
    uint64_t lane[4] = {1, 2, 3, 4}, i = 0;
    for (; i + 4 <= count; i += 4)
        for (unsigned l = 0; l < 4; l++) {
            lane[l] = (lane[l] ^ words[i + l]) * 0x9e3779b97f4a7c15ull;
            lane[l] ^= lane[l] >> 32;
        }
    for (; i < count; i++)
        lane[0] = changes_mix(lane[0], words[i]);
    return changes_mix(changes_mix(lane[0], lane[1]), changes_mix(lane[2], lane[3]));
}

/* The whole stack: the state of the thread, but for memory that its hooks show. 0 if it is too large. */
static uint64_t local_state(const Thread *self, const SennitSite *site, const uint64_t *registers)
{
    uint64_t size = thread_stack_depth(self, registers);
    uint64_t state = changes_mix(site_name(site), changes_mix((uint64_t)*rt.errno_location, address_of(registers)));
    return size > REVISIT_MAX_STACK ? 0 : changes_mix(state, mix_words(registers, size / 8)) | 1;
}

/* ---- Iterations ------------------------------------------------------------------------- */

static bool is_possible(const Thread *self)
{
    return !tracking.on && !self->section_depth && !self->actor && self->strand == self->id && self->has_event;
}

/* Long loops are observed now and then. */
static bool pauses(const Revisit *revisit)
{
    return revisit->iterations > PATIENCE && revisit->iterations % PERIOD >= WINDOW;
}

static Arrival arrive(Thread *self, uint64_t local, const uint64_t *registers)
{
    if (!(self->special & SPECIAL_CHANGES))
        changes_begin(self);
    ChangeState state = changes_arrive(self, local);
    leave_frames(self->revisit, address_of(registers));
    return (Arrival){.begin = address_of(registers), .event = self->last_event, .state = state};
}

/* How often a state must be met again: SPIN-16. */
static uint32_t enough(const Thread *self, const SennitSite *site, const Between *between)
{
    return park_count_in(self, site_name(site)) || !between->accesses ? 1 : 2;
}

void revisit_iteration(const SennitSite *site, const uint64_t *registers)
{
    Thread *self = rt.self;
    if (!is_possible(self))
        return;
    if (!self->revisit)
        self->revisit = transient_alloc(sizeof *self->revisit);
    Revisit *revisit = self->revisit;
    revisit->iterations++;
    uint64_t local = pauses(revisit) ? 0 : local_state(self, site, registers);
    if (!local) {
        changes_stop(self);
        return;
    }
    Between between;
    Arrival now = arrive(self, local, registers);
    const Arrival *same = find_visit(self, &now, &between);
    uint32_t cycle = same ? same->event + 1 : 0;
    now.rank = same ? same->rank + 1 : 0;
    add_visit(revisit, now);
    if (!same || now.rank < enough(self, site, &between))
        return;
    revisit->first_visit = revisit->visits;
    park_thread(site_name(site), cycle);
    add_visit(revisit, arrive(self, local, registers));
}
