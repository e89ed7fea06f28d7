/* bug.c - see bug.h */
#include "rt/detect/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "base/error.h"
#include "rt/detect/stack.h"
#include "rt/kernel/runtime.h"
#include "rt/kernel/scheduler.h"
#include "rt/kernel/thread.h"

Finding *bug_add(BugKind kind)
{
    Finding *finding = execution_add_finding(rt.ex, kind);
    if (rt.self)
        bug_add_agent(finding, rt.self->id);
    if (sennit_rt_site)
        bug_add_site(finding, site_name(sennit_rt_site));
    stack_record_finding(finding, 0);
    return finding;
}

static bool has_site(const Finding *finding, uint64_t site)
{
    for (uint32_t i = 0; i < finding->site_count; i++)
        if (finding->sites[i] == site)
            return true;
    return false;
}

static bool same_places(const Finding *a, const Finding *b)
{
    for (uint32_t i = 0; i < a->site_count; i++)
        if (!has_site(b, a->sites[i]))
            return false;
    return a->site_count == b->site_count;
}

bool bug_repeats(const Finding *finding)
{
    for (uint32_t i = 0; i < rt.ex->finding_count; i++) {
        const Finding *other = &rt.ex->findings[i];
        if (other != finding && other->kind == finding->kind && same_places(other, finding))
            return true;
    }
    return false;
}

void bug_noted(void)
{
    if (UNLIKELY(rt.options.on_bug != NULL) && rt.ex->finding_count)
        rt.options.on_bug(rt.ex->findings[rt.ex->finding_count - 1].text);
    if (rt.ex->stop_at_bug)
        scheduler_finish(END_ABANDONED);
}

static void note(BugKind kind, const char *format, va_list args)
{
    Finding *finding = bug_add(kind);
    vsnprintf(finding->text, sizeof finding->text, format, args);
    bug_noted();
}

void report_note(BugKind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(kind, format, args);
    va_end(args);
}

void report_bug(BugKind kind, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    note(kind, format, args);
    va_end(args);
    thread_halt();
}

/* The supervisor prints the message, since this process may be one of several; before main (in
 * a constructor) there is no supervisor yet. */
void report_refused(const char *why)
{
    const SennitSite *site = sennit_rt_site;
    char place[128] = "";
    if (site && site->file)
        snprintf(place, sizeof place, " (%.80s:%u)", site->file, site->line);
    if (!rt.shared) {
        fprintf(stderr, "sennit: %s%s\n", why, place);
        _exit(EXIT_USAGE);
    }
    snprintf(rt.shared->message, sizeof rt.shared->message, "%s%s", why, place);
    if (rt.ex)
        rt.ex->end = END_CRASHED;
    _exit(RT_EXIT_NOT_MODELLED);
}

void report_not_modelled(const char *what)
{
    char why[192];
    snprintf(why, sizeof why, "%s is not modelled", what);
    report_refused(why);
}
