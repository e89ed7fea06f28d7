/* busiest.c - see busiest.h */
#include "rt/detect/busiest.h"

#include "base/map.h"
#include "rt/kernel/runtime.h"

enum { MIN_STEPS = 100 }; /* at one place, to be mentioned */

/* An execution that is only a little longer than the longest one says nothing new. */
static bool is_longer(const Execution *ex)
{
    uint64_t longest = rt.shared->longest;
    return ex->event_count >= MIN_STEPS && ex->event_count > longest + longest / 4;
}

void busiest_note(const Execution *ex)
{
    static Map counts;
    if (LIKELY(!is_longer(ex)))
        return;
    rt.shared->longest = ex->event_count;
    rt.shared->busiest = 0;
    map_reset(&counts);
    for (uint32_t i = 0; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        uint64_t *count = event->site ? map_insert(&counts, map_mix(event->site, event->agent), NULL) : NULL;
        if (count && ++*count > rt.shared->busiest) {
            rt.shared->busiest = *count;
            rt.shared->busiest_site = event->site;
        }
    }
}

uint64_t busiest_steps(uint64_t *site, uint64_t *length)
{
    *site = rt.shared->busiest_site;
    *length = rt.shared->longest;
    return rt.shared->busiest >= MIN_STEPS ? rt.shared->busiest : 0;
}
