/* bug.h - findings of the running program, and calls that cannot be explored
 *
 * A finding is a bug that one execution showed; it is confirmed by a replay later.
 */
#ifndef RT_DETECT_BUG_H
#define RT_DETECT_BUG_H

#include "core/execution.h"

/* Records a finding at the current place and stops the current thread, or ends the
 * execution if it has to stop at bugs. */
_Noreturn void report_bug(BugKind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same without stopping the thread. */
void report_note(BugKind kind, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A call that is not modelled (fork, sigaction, ...): ends the exploration with a message and
 * exit code 2. */
_Noreturn void report_not_modelled(const char *what);
/* The same with a sentence of its own. */
_Noreturn void report_refused(const char *why);

/* ---- Findings with more than a text --------------------------------------------- */

/* A finding of the running thread at the current place; the caller may add to it. */
Finding *bug_add(BugKind kind);
/* Is there an earlier finding of this execution with the same kind and places? */
bool bug_repeats(const Finding *finding);
/* After the finding is complete: ends the execution if it has to stop at bugs. */
void bug_noted(void);

/* Places and agents beyond the capacity of a finding are left out. */
static inline void bug_add_site(Finding *finding, uint64_t site)
{
    if (finding->site_count < FINDING_SITES)
        finding->sites[finding->site_count++] = site;
}
static inline void bug_add_agent(Finding *finding, AgentId agent)
{
    if (finding->agent_count < FINDING_AGENTS)
        finding->agents[finding->agent_count++] = agent;
}

#endif
