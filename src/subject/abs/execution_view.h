/* execution_view.h - everything that is shown of one execution of a model
 *
 * Obtained by repeating the execution. Texts are in the given arena.
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
    const char *outcome;     /* "ok", "cut", "deadlock", "deadlock+exception"     */
    const char *objects;     /* a line for each, with its fields                  */
    const char *inputs;      /* "n = 3, x = -1", "" if there are none             */
    const char *inputs_json; /* an object                                         */
    const char *path;        /* conditions on them, a line for each                */
    const char *printed;     /* what the model printed                            */
    const Sequence *sequence;
} ExecutionView;

/* Executes the schedule in `ex` (an execution of the program). */
void execution_view_run(AbsProgram *program, Execution *ex, const Schedule *schedule);

/* The view of the last execution, which must be `ex`; in the arena. */
ExecutionView *execution_view_take(AbsProgram *program, const Execution *ex, Arena *arena);

/* How much of it: inputs, objects and what was printed; the steps too; what each step starts, calls and receives; a
 * sequence diagram. */
typedef enum ExecutionDetail { DETAIL_STATE, DETAIL_STEPS, DETAIL_EVENTS, DETAIL_DIAGRAM } ExecutionDetail;

/* Adds these, indented by two. */
void execution_view_write(const ExecutionView *view, const Style *style, ExecutionDetail detail, Text *out);
/* What the inputs satisfy along the first `length` steps: a line for each, "n < 3"; in the arena. */
const char *execution_path(Program *program, const Execution *ex, uint32_t length, Arena *arena);

/* Adds the members outcome, objects (from the program's current state) and steps. */
void execution_view_write_json(const ExecutionView *view, AbsProgram *program, Json *json);
/* Sets kind, id and summary of its trace. */
void execution_view_describe(const ExecutionView *view, Trace *trace);
/* Adds the trace for `sennit replay`. */
void execution_view_write_trace(const ExecutionView *view, AbsProgram *program, const Execution *ex,
                                const RunInfo *info, Text *out);

#define EXECUTION_VIEW_KIND "state" /* of traces that are not of a bug */

#endif
