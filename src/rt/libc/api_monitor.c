/* api_monitor.c - the functions of include/sennit/monitor.h */
#include "rt/detect/bug.h"
#include "rt/kernel/frame.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api.h"
#include "rt/sync/observe.h"
#include "rt/detect/property.h"

void sennit_rt_sennit_observe_begin(void)
{
    FRAME_ENTER(FRAME_OBSERVE, 0);
    observe_begin();
}

void sennit_rt_sennit_observe_end(void) { observe_end(); }

void sennit_rt_sennit_oblige(sennit_obligation *obligation) { observe_add(obligation); }

void sennit_rt_sennit_hot(sennit_obligation *obligation)
{
    FRAME_ENTER(FRAME_HOT, address_of(obligation));
    if (!thread_inside())
        report_not_modelled("sennit_hot before main");
    observe_hot(obligation);
}

void sennit_rt_sennit_cold(sennit_obligation *obligation)
{
    FRAME_ENTER(FRAME_COLD, address_of(obligation));
    if (!thread_inside())
        report_not_modelled("sennit_cold before main");
    observe_cold(obligation);
}

/* ---- Properties ----------------------------------------------------------------------- */

void sennit_rt_sennit_declare(sennit_property *property) { property_add(property); }

static void require_looking(const char *what)
{
    if (!rt.self || !rt.self->looks)
        report_not_modelled(what);
}

void sennit_rt_sennit_property_fails(sennit_property *property)
{
    require_looking("sennit_property_fails outside a property");
    property_fails(property);
}

void sennit_rt_sennit_property_owes(sennit_property *property, int owes)
{
    require_looking("sennit_property_owes outside a property");
    property_owes(property, owes);
}

void sennit_rt_sennit_refused(const sennit_monitor *monitor, const char *event)
{
    report_bug(BUG_ASSERTION, "%s: %s must not happen now", monitor->obligation.name, event);
}
