/* observe.c - see observe.h */
#include "rt/sync/observe.h"

#include "rt/abi/hooks.h"
#include "rt/abi/ops.h"
#include "rt/detect/bug.h"
#include "rt/detect/property.h"
#include "rt/kernel/thread.h"
#include "rt/memory/globals.h"
#include "rt/sync/plain.h"
#include "rt/sync/section.h"

static sennit_obligation *obligations; /* all of the program */
static bool checked;                   /* in this execution */

void observe_reset(void) { checked = false; }

/* ---- Observers ---------------------------------------------------------------- */

void observe_begin(void)
{
    if (!rt.self)
        return;
    bool outermost = rt.self->section_depth == 0;
    section_begin(OP_OBSERVE);
    rt.self->observes |= outermost;
}

void observe_end(void)
{
    sennit_rt_atomic_section_end(sennit_rt_site);
}

/* ---- Obligations ---------------------------------------------------------------- */

void observe_add(sennit_obligation *obligation)
{
    obligation->next = obligations;
    obligations = obligation;
}

static void change(sennit_obligation *obligation, int hot)
{
    observe_begin();
    plain_write(address_of(&obligation->hot), sizeof obligation->hot);
    globals_note_write(address_of(obligation), sizeof *obligation);
    obligation->hot = hot;
    obligation->agent = thread_strand(); /* not the message, which is none of the state */
    obligation->site = site_name(sennit_rt_site);
    observe_end();
}

void observe_hot(sennit_obligation *obligation) { change(obligation, 1); }

void observe_cold(sennit_obligation *obligation) { change(obligation, 0); }

/* Was a bug found behind which the program is not what it was meant to be? */
static bool has_gone_wrong(void) { return rt.ex->finding_count > property_failures(); }

/* ---- The end ------------------------------------------------------------------------ */

static Finding *add_finding(const sennit_obligation *obligation)
{
    Finding *finding = execution_add_finding(rt.ex, BUG_LIVENESS);
    bug_add_agent(finding, obligation->agent);
    if (obligation->site)
        bug_add_site(finding, obligation->site);
    return finding;
}

static void report(const sennit_obligation *obligation)
{
    Finding *finding = add_finding(obligation);
    snprintf(finding->text, sizeof finding->text, "\"%s\" is still to happen when the program ends or waits forever",
             obligation->name);
}

static void report_hot(void)
{
    checked = true;
    for (const sennit_obligation *o = obligations; o; o = o->next)
        if (o->hot)
            report(o);
}

void observe_check_exit(void)
{
    if (!obligations || rt.self->section_depth)
        return;
    observe_begin();
    for (const sennit_obligation *o = obligations; o; o = o->next)
        plain_read(address_of(&o->hot), sizeof o->hot);
    observe_end();
    report_hot();
}

void observe_check_end(void)
{
    if (!checked && !has_gone_wrong() && !rt.stopped_agents && !thread_end_unknown())
        report_hot();
}

/* ---- Executions without end ------------------------------------------------------------- */

enum { MOST_TOLD = 64 };

uint64_t observe_open(void)
{
    uint64_t open = 0;
    unsigned number = 0;
    if (has_gone_wrong() || thread_end_unknown())
        return 0;
    for (const sennit_obligation *o = obligations; o; o = o->next, number++) {
        if (number == MOST_TOLD)
            report_refused("--reduction=states: more than 64 obligations");
        open |= (uint64_t)(o->hot != 0) << number;
    }
    return open;
}

void observe_report_endless(uint64_t unmet, uint32_t from, const char *others)
{
    unsigned number = 0;
    for (const sennit_obligation *o = obligations; o; o = o->next, number++) {
        if (!(unmet >> number & 1))
            continue;
        Finding *finding = add_finding(o);
        snprintf(finding->text, sizeof finding->text,
                 "\"%s\" never happens: the last %u steps can be repeated for ever%s", o->name,
                 rt.ex->event_count - from, others);
        finding->repeated = rt.ex->event_count - from;
    }
}
