/* whatif.h - an execution that follows a trace, and perhaps leaves it
 *
 * At one step another agent goes first, or the step makes another choice; from there on the execution continues by
 * the default policy. Before each step it is noted which agents were enabled: what else could have happened. The notes
 * are in a region, since the program may kill its process.
 */
#ifndef APP_TASKS_WHATIF_H
#define APP_TASKS_WHATIF_H

#include "app/tasks/replay.h"
#include "report/execution_json.h"

typedef struct WhatIf {
    Picker picker;          /* first: the picker is the what-if */
    Replay *replay;
    Region *region;
    EnabledAgents *enabled; /* in the region                    */
    uint32_t leaves_at;     /* the step that differs from the trace; its length: none does */
    bool leaves;
    char agent[128];        /* that takes it                    */
    int64_t choice;         /* that it makes first, or -1       */
} WhatIf;

/* `instead` is "STEP:AGENT" or "STEP:AGENT/CHOICE", with steps counted from 1, or "" to follow the trace to its end. */
bool whatif_init(WhatIf *whatif, Region *region, Replay *replay, const char *instead, Error *error);

#endif
