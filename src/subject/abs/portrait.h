/* portrait.h - everything that is shown of one execution of a model
 *
 * Made by running its decisions again. Texts are in the arena given.
 */
#ifndef SUBJECT_ABS_PORTRAIT_H
#define SUBJECT_ABS_PORTRAIT_H

#include "abs/program/program_abs.h"
#include "app/run/runinfo.h"
#include "core/schedule.h"
#include "report/sequence.h"

enum { PORTRAIT_ID = 8 }; /* digits of a final state's name */

typedef struct Portrait {
    char id[17];             /* of the final state                                */
    const char *outcome;     /* "ok", "deadlock", "deadlock+exception"            */
    const char *objects;     /* a line for each, with its fields                  */
    const char *inputs;      /* "n = 3, x = -1", "" if there are none             */
    const char *inputs_json; /* an object                                         */
    const char *printed;     /* what the model printed                            */
    const Sequence *sequence;
} Portrait;

/* Runs the decisions in `ex` (an execution of the program). */
void portrait_run(AbsProgram *program, Execution *ex, const Schedule *schedule);

/* Of the execution that was run last, which must be `ex`. */
Portrait *portrait_take(AbsProgram *program, const Execution *ex, Arena *arena);

/* Objects, table, perhaps the diagram; indented by two. */
void portrait_write(const Portrait *portrait, const Style *style, bool diagram, Text *out);
/* Its members: outcome, objects (from the program's current state), steps. */
void portrait_write_json(const Portrait *portrait, AbsProgram *program, Json *json);
/* The trace that `sennit replay` takes. */
void portrait_write_trace(const Portrait *portrait, AbsProgram *program, const Execution *ex, const RunInfo *info,
                          Text *out);

/* "ok", "deadlock", "deadlock+exception": bit per BugKind. */
void portrait_write_outcome(uint32_t kinds, Text *out);

#define PORTRAIT_KIND "state" /* of traces that are not of a bug */

#endif
