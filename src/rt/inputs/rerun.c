/* rerun.c - see rerun.h */
#include "rt/inputs/rerun.h"

#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/step.h"
#include "rt/memory/word.h"

typedef struct RerunMark {
    uint32_t event;
    uint16_t flags; /* to be removed if its words were not touched by inputs */
} RerunMark;

static VEC(RerunMark) marks;

void rerun_reset(void) { marks.count = 0; }

static bool is_marked(uint32_t event) { return marks.count && marks.items[marks.count - 1].event == event; }

void rerun_mark(bool opaque)
{
    uint32_t event = rt.ex->event_count - 1;
    uint16_t needless = opaque ? EVENT_RERUN : EVENT_RERUN | EVENT_OPAQUE;
    if (!is_marked(event) && !(step_event()->flags & EVENT_RERUN))
        VEC_PUSH(&marks, ((RerunMark){event, needless}));
    step_event()->flags |= EVENT_OPAQUE | EVENT_RERUN;
}

void rerun_always(void)
{
    step_event()->flags |= EVENT_OPAQUE | EVENT_RERUN;
    if (is_marked(rt.ex->event_count - 1))
        marks.count--;
}

static bool touches_inputs(const Event *event)
{
    for (unsigned i = 0; i < event->access_count; i++) {
        uint64_t resource = rt.ex->accesses[event->first_access + i].resource;
        if (resource >> 56 == RES_MEMORY && shadow_memory_touched(word_address(resource)))
            return true;
    }
    return false;
}

void rerun_settle(void)
{
    for (uint32_t i = 0; i < marks.count; i++) {
        Event *event = &rt.ex->events[marks.items[i].event];
        if (!touches_inputs(event))
            event->flags &= (uint16_t)~marks.items[i].flags;
    }
}
