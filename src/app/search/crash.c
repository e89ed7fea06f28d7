/* crash.c - see crash.h */
#include "app/search/crash.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

static void describe(int status, char *text, size_t size)
{
    if (WIFSIGNALED(status))
        snprintf(text, size, "the program was killed by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(text, size, "the program terminated its process with status %d", WEXITSTATUS(status));
}

bool crash_note(Execution *ex, int status)
{
    if (ex->end != END_RUNNING && ex->end != END_CRASHED)
        return false;
    if (ex->finding_count == 0 && !ex->cuts[CUT_STEP_TIME]) {
        Finding *finding = execution_add_finding(ex, BUG_CRASH);
        describe(status, finding->text, sizeof finding->text);
        if (ex->event_count > 0) {
            const Event *last = &ex->events[ex->event_count - 1];
            finding->agents[finding->agent_count++] = last->agent;
            finding->sites[finding->site_count++] = last->site;
        }
    }
    ex->end = END_CRASHED;
    return true;
}
