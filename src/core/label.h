/* label.h - a step as the exploration tree knows it: who, which choices, what it touches
 *
 * Labels are what executions have in common: a step replayed after another, but
 * equivalent, past has the same label. Values are not part of it.
 */
#ifndef CORE_LABEL_H
#define CORE_LABEL_H

#include "base/region.h"
#include "core/event.h"

typedef struct Touch {
    uint64_t resource;
    uint8_t lanes;
    uint8_t mode;
    bool companion;          /* see Access: two labels may be equal with and without it */
} Touch;

typedef struct Label {
    AgentId agent;
    uint32_t index;          /* which step of the agent              */
    uint64_t filter;         /* one bit per resource, by hash        */
    const Touch *touches;    /* borrowed, or in the same block       */
    const Literal *choices;  /* condition 0: a choice without a condition */
    uint16_t touch_count;
    uint16_t choice_count;
    bool conditional;        /* some choice has a condition               */
    bool fixed;              /* EVENT_FIXED: one choice, and the touches do not depend on it */
} Label;

static inline uint64_t label_filter_bit(uint64_t resource)
{
    return 1ull << (resource * 0x9e3779b97f4a7c15ull >> 58);
}

static inline Touch touch_of(const Access *access)
{
    return (Touch){
        .resource = access->resource, .lanes = access->lanes, .mode = access->mode, .companion = access->companion};
}

bool label_touches_conflict(const Label *a, const Label *b);

/* Do two steps of different agents depend on each other? */
static inline bool label_conflict(const Label *a, const Label *b)
{
    return (a->filter & b->filter) != 0 && label_touches_conflict(a, b);
}

/* Some choice has no condition. */
static inline bool label_has_choices(const Label *label)
{
    for (unsigned c = 0; c < label->choice_count; c++)
        if (!label->choices[c].condition)
            return true;
    return false;
}

/* Same agent, same choices. (The same step of the same agent is meant.) */
bool label_same_outcome(const Label *a, const Label *b);
/* The same in every respect, but for companions. */
bool label_equal(const Label *a, const Label *b);

/* Bytes that a copy of the label needs behind itself, and the copy into them. */
size_t label_tail_size(const Label *label);
void label_copy(Label *to, const Label *from, void *tail);

#endif
