/* whatif.h - an execution that follows a trace, and perhaps leaves it
 *
 * At one step another agent goes first, or the step makes another choice; from there on the execution continues by
 * the default policy. Before each step it is noted which agents were enabled and, under weak memory, which writes it
 * could have read: what else could have happened. The notes are in a region, since the program may kill its process.
 */
#ifndef APP_TASKS_WHATIF_H
#define APP_TASKS_WHATIF_H

#include "app/tasks/replay.h"
#include "core/graph/choices.h"
#include "report/execution_json.h"

/* In the region. */
typedef struct WhatIfNotes {
    EnabledAgents enabled;
    PossibleWrites writes;
    bool impossible;        /* the step cannot make the choice that was asked for */
} WhatIfNotes;

typedef struct WhatIf {
    Picker picker;          /* first: the picker is the what-if */
    Replay *replay;
    Region *region;
    WhatIfNotes *notes;
    WeakChoices weak;
    uint32_t leaves_at;     /* the step that differs from the trace; its length: none does */
    bool leaves;
    bool other_inputs;      /* than the trace has: a branch goes the other way (otherbranch.h) */
    char agent[128];        /* that takes it                    */
    uint32_t nth;           /* of its choices, from 0, differs  */
    int64_t choice;         /* which option it is, or -1: none  */
} WhatIf;

/* `instead` is "STEP:AGENT", "STEP:AGENT/OPTION" (the first choice of the step) or "STEP:AGENT/N=OPTION" (the Nth),
 * with steps and choices counted from 1 and options from 0, or "" to follow the trace to its end. */
bool whatif_init(WhatIf *whatif, Region *region, Replay *replay, const char *instead, Error *error);

/* Forgets what was noted: the next execution is to be shown. */
void whatif_reset(WhatIf *whatif);

#endif
