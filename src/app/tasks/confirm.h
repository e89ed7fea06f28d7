/* confirm.h - minimises and confirms a bug before it is reported
 *
 * Two fresh processes of the test binary do the work: one looks for a schedule with fewer
 * preemptions, one replays the result and describes it. What they return is text: a trace,
 * a report, a JSON object.
 */
#ifndef APP_TASKS_CONFIRM_H
#define APP_TASKS_CONFIRM_H

#include "app/run/buglist.h"
#include "app/run/process.h"
#include "report/style.h"

typedef struct Confirmation {
    bool confirmed;
    bool unreplayed;   /* it is not because there was no time for a replay: nothing speaks against it; */
    bool failed;       /* or because the replay failed for reasons outside the program: no process, no memory */
    char doubt[400];   /* why it is not          */
    Text trace;
    Text report;       /* for readers            */
    Text json;         /* for run.json           */
    Text sarif;        /* for --sarif, if asked for */
} Confirmation;

/* `shown` is the name of the trace in the report, or NULL if the trace will not be written. The bug is minimised and
 * replayed in at most `seconds` (CONFIRM_ANY_TIME: a limit of each process); without any it is only described, not
 * confirmed. The caller releases the result. */
#define CONFIRM_ANY_TIME 1e9
void confirm_bug(const RunInfo *info, const Bug *bug, const char *shown, const Style *style, Signals *signals,
                 double seconds, Confirmation *result);
void confirmation_release(Confirmation *result);

#endif
