/* replay.h - repeats the execution of a trace and compares every step
 *
 * The schedule comes from a picker that reads the trace; before each step it checks that the previous
 * step was that of the trace. The result is in a region, since the replayed program may kill its
 * process.
 */
#ifndef APP_TASKS_REPLAY_H
#define APP_TASKS_REPLAY_H

#include "base/region.h"
#include "report/trace.h"

enum { REPLAY_LINE = 400 };

/* The result of a replay, in the region. */
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

/* Prepares a replay and sets the inputs of the trace. */
void replay_init(Replay *replay, Region *region, Program *program, const Trace *trace);

/* Runs the program along the trace, in this process. The picker is that of the replay, or one that asks it. */
void replay_run(Replay *replay, Picker *picker, Execution *ex);
/* The agent wanted next cannot take a step. */
void replay_note_disabled(Replay *replay, uint32_t position);

/* After the run, perhaps in another process than the one that ran: checks the steps that the picker could
 * not, then looks for the bug. NULL if it did not occur; state->differs says whether a step differed from
 * the trace. */
const Finding *replay_conclude(Replay *replay, const Execution *ex);

#endif
