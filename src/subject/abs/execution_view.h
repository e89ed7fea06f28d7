/* execution_view.h - everything that is shown of one execution of a model
 *
 * Made by running its decisions again. Texts are in the arena given.
 */
#ifndef SUBJECT_ABS_EXECUTION_VIEW_H
#define SUBJECT_ABS_EXECUTION_VIEW_H

#include "abs/program/program_abs.h"
#include "app/run/runinfo.h"
#include "core/schedule.h"
#include "report/sequence.h"

enum { EXECUTION_VIEW_ID = 8 }; /* digits of a final state's name */

typedef struct ExecutionView {
    char id[17];             /* of the final state                                */
    const char *outcome;     /* "ok", "deadlock", "deadlock+exception"            */
    const char *objects;     /* a line for each, with its fields                  */
    const char *inputs;      /* "n = 3, x = -1", "" if there are none             */
    const char *inputs_json; /* an object                                         */
    const char *printed;     /* what the model printed                            */
    const Sequence *sequence;
} ExecutionView;

/* Runs the decisions in `ex` (an execution of the program). */
void execution_view_run(AbsProgram *program, Execution *ex, const Schedule *schedule);

/* Of the execution that was run last, which must be `ex`. */
ExecutionView *execution_view_take(AbsProgram *program, const Execution *ex, Arena *arena);

/* Objects, table, perhaps the diagram; indented by two. */
void execution_view_write(const ExecutionView *view, const Style *style, bool diagram, Text *out);
/* Its members: outcome, objects (from the program's current state), steps. */
void execution_view_write_json(const ExecutionView *view, AbsProgram *program, Json *json);
/* The trace that `sennit replay` takes. */
void execution_view_write_trace(const ExecutionView *view, AbsProgram *program, const Execution *ex,
                                const RunInfo *info, Text *out);

#define EXECUTION_VIEW_KIND "state" /* of traces that are not of a bug */

#endif
