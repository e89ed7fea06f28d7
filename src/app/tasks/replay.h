/* replay.h - repeating the execution of a trace, step by step, and comparing
 *
 * The schedule comes from a picker that reads the trace; before each step it checks that
 * the step before was the one the trace tells of. What it learns is in a region, since
 * the replayed program may kill its process.
 */
#ifndef APP_TASKS_REPLAY_H
#define APP_TASKS_REPLAY_H

#include "base/region.h"
#include "report/trace.h"

enum { REPLAY_LINE = 400 };

/* How a replay went; in the region. */
typedef struct ReplayState {
    bool differs;
    uint32_t position;             /* of the first step that differs   */
    char expected[REPLAY_LINE];
    char actual[REPLAY_LINE];
} ReplayState;

typedef struct Replay {
    Picker picker;                 /* first: the picker is the replay  */
    Program *program;
    const Trace *trace;
    ReplayState *state;
} Replay;

void replay_init(Replay *replay, Region *region, Program *program, const Trace *trace);

/* Runs the program along the trace, in this process. */
void replay_run(Replay *replay, Execution *ex);

/* After the run, perhaps in another process than the one that ran: checks the steps that
 * the picker could not, then looks for the bug. NULL if it did not show; state->differs
 * tells whether the steps were others than those of the trace. */
const Finding *replay_conclude(Replay *replay, const Execution *ex);

#endif
