/* label.h - a step in the exploration tree: its agent, its choices, the resources it accesses and their modes
 *
 * A step that is replayed after another, but equivalent, prefix has the same label. Values are not part of it.
 */
#ifndef CORE_LABEL_H
#define CORE_LABEL_H

#include "base/region.h"
#include "core/event.h"

/* An access without its values. */
typedef struct Touch {
    uint64_t resource;
    uint8_t lanes;
    uint8_t mode;
    bool companion;          /* see Access: ignored when labels are compared */
} Touch;

typedef struct Label {
    AgentId agent;
    uint32_t index;          /* which step of the agent              */
    uint64_t filter;         /* one bit per resource, by hash        */
    const Touch *touches;    /* borrowed, or in the same block       */
    const Literal *choices;  /* condition 0: without a condition     */
    uint16_t touch_count;
    uint16_t choice_count;
    bool conditional;        /* some choice has a condition          */
    bool fixed;              /* EVENT_FIXED: one choice, on which the touches do not depend */
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

static inline bool touch_conflicts(const Touch *s, const Touch *t)
{
    return s->resource == t->resource && (s->lanes & t->lanes) != 0 && modes_conflict((Mode)s->mode, (Mode)t->mode);
}

/* Does any touch of one conflict with any of the other? */
bool label_touches_conflict(const Label *a, const Label *b);

/* Whether two steps of different agents are dependent. */
static inline bool label_conflict(const Label *a, const Label *b)
{
    if (!(a->filter & b->filter))
        return false;
    return a->touch_count == 1 && b->touch_count == 1 ? touch_conflicts(a->touches, b->touches)
                                                      : label_touches_conflict(a, b);
}

/* Whether some choice has no condition. */
static inline bool label_has_choices(const Label *label)
{
    for (unsigned c = 0; c < label->choice_count; c++)
        if (!label->choices[c].condition)
            return true;
    return false;
}

/* Whether two labels of the same step of an agent have the same choices; false if the agents differ. */
bool label_same_outcome(const Label *a, const Label *b);
/* Whether two labels are equal, except for companions. */
bool label_equal(const Label *a, const Label *b);

/* The bytes that a copy of the label needs for its touches and choices, and the copy, which points into `tail`. */
size_t label_tail_size(const Label *label);
void label_copy(Label *to, const Label *from, void *tail);

#endif
