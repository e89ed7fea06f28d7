/* hb.h - the happens-before order of an execution
 *
 * A vector clock per event (HB-1: clock(e)[a] is the number of steps of agent a
 * that happen before or are e), and for each resource the chain of its accesses,
 * newest first. Consecutive executions of a search share a prefix, so the order
 * is rewound and extended instead of computed anew.
 */
#ifndef CORE_HB_H
#define CORE_HB_H

#include "base/vec.h"
#include "core/execution.h"
#include "core/label.h"

#define HB_NONE UINT32_MAX

/* One access in the chain of its resource. */
typedef struct HbAccess {
    uint32_t previous; /* the access before it on this resource, or HB_NONE */
    uint32_t slot;     /* of the resource                                   */
    uint32_t position; /* of its event                                      */
} HbAccess;

typedef struct HbEvent {
    Label label;
    uint32_t previous;     /* the agent's step before it, or the step that created the agent */
    uint32_t first_access;
    uint32_t first_race;   /* into Hb.races */
    uint32_t race_count;
} HbEvent;

typedef struct HbSlot {
    uint64_t resource;
    uint32_t newest; /* access, or HB_NONE */
} HbSlot;

typedef struct Hb {
    const Execution *ex;
    uint32_t count;                   /* events ordered so far                */
    uint32_t stride;                  /* clock entries per event              */
    VEC(HbEvent) events;
    VEC(uint32_t) clocks;             /* count * stride                       */
    HbAccess *accesses;               /* parallel to ex->accesses             */
    Touch *touches;                   /* likewise: labels point into it       */
    Literal *choices;                 /* parallel to ex->choices              */
    VEC(uint32_t) races;              /* positions, see hb_races              */
    VEC(uint32_t) conditional;        /* positions of events with conditions on the inputs */
    VEC(HbSlot) slots;
    VEC(uint32_t) table;              /* hash table of slots, slot + 1 or 0   */
    VEC(uint32_t) last;               /* per agent: position of its last step */
} Hb;

void hb_init(Hb *hb, const Execution *ex);
void hb_release(Hb *hb);

/* Forgets the events from `position` on. */
void hb_rewind(Hb *hb, uint32_t position);
/* Are the accesses of the events that are ordered where they were then? Companions may come and go if the
 * program is not quite deterministic. */
bool hb_fits(const Hb *hb);
/* Orders the events that the execution has and the order does not. */
void hb_extend(Hb *hb);

static inline const uint32_t *hb_clock(const Hb *hb, uint32_t position)
{
    return &hb->clocks.items[(size_t)position * hb->stride];
}

/* Does event i happen before, or is it, event k? */
static inline bool hb_reaches(const Hb *hb, uint32_t i, uint32_t k)
{
    const Label *label = &hb->events.items[i].label;
    return hb_clock(hb, k)[label->agent] > label->index;
}

/* The step before the next one of an agent that took `index` steps: its last, or the one
 * that created it, or HB_NONE. */
uint32_t hb_previous_of(const Hb *hb, AgentId agent, uint32_t index);

/* The steps that the event at `position` races with: earlier events that conflict with it,
 * that its agent did not depend on before, and with nothing in between. */
static inline const uint32_t *hb_races(const Hb *hb, uint32_t position, uint32_t *count)
{
    *count = hb->events.items[position].race_count;
    return &hb->races.items[hb->events.items[position].first_race];
}

/* The newest access to a resource, or HB_NONE. */
uint32_t hb_newest(const Hb *hb, uint64_t resource);

#endif
