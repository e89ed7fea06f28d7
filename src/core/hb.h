/* hb.h - the happens-before order of an execution
 *
 * A vector clock per event (HB-1: clock(e)[a] is the number of steps of agent a that happen before e or are e),
 * and for each resource the chain of its accesses, newest first. Consecutive executions of a search share a prefix,
 * so the order is rewound and extended instead of recomputed.
 */
#ifndef CORE_HB_H
#define CORE_HB_H

#include "base/vec.h"
#include "core/execution.h"
#include "core/label.h"

#define HB_NONE UINT32_MAX

/* One access in the chain of its resource. */
typedef struct HbAccess {
    uint32_t previous; /* the previous access to this resource, or HB_NONE  */
    uint32_t slot;     /* of the resource                                   */
    uint32_t position; /* of its event                                      */
} HbAccess;

/* An ordered event. */
typedef struct HbEvent {
    Label label;
    uint32_t previous;     /* the agent's previous step, or the step that created the agent */
    uint32_t first_access;
    uint32_t first_race;   /* into Hb.races */
    uint32_t race_count;
} HbEvent;

/* A resource. */
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

/* Removes the events from `position` on. */
void hb_rewind(Hb *hb, uint32_t position);
/* Whether the accesses of the events ordered so far are still at the same places of the execution. Companions may
 * appear and disappear if the program is slightly nondeterministic. */
bool hb_fits(const Hb *hb);
/* Whether the event at `position` is the step of the label, as far as it was taken. */
bool hb_repeats(const Hb *hb, uint32_t position, const Label *label);
/* Orders the new events of the execution. */
void hb_extend(Hb *hb);

static inline const uint32_t *hb_clock(const Hb *hb, uint32_t position)
{
    return &hb->clocks.items[(size_t)position * hb->stride];
}

/* The position of the event with this label; HB_NONE if it is the label of no event. */
static inline uint32_t hb_position(const Hb *hb, const Label *label)
{
    uintptr_t offset = (uintptr_t)label - (uintptr_t)hb->events.items, number = offset / sizeof *hb->events.items;
    return number < hb->count ? (uint32_t)number : HB_NONE;
}

/* Whether event i happens before event k or is event k. */
static inline bool hb_reaches(const Hb *hb, uint32_t i, uint32_t k)
{
    const Label *label = &hb->events.items[i].label;
    return hb_clock(hb, k)[label->agent] > label->index;
}

/* The predecessor of the next step of an agent that has taken `index` steps: its last step, or the one that created
 * the agent, or HB_NONE. */
uint32_t hb_previous_of(const Hb *hb, AgentId agent, uint32_t index);

/* The positions of the events that the event at `position` races with: earlier events that conflict with it, do not
 * happen before its agent's previous step, and with no event between them in the happens-before order. */
static inline const uint32_t *hb_races(const Hb *hb, uint32_t position, uint32_t *count)
{
    *count = hb->events.items[position].race_count;
    return &hb->races.items[hb->events.items[position].first_race];
}

/* The newest access to a resource, or HB_NONE. */
uint32_t hb_newest(const Hb *hb, uint64_t resource);

#endif
