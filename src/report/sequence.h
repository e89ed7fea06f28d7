/* sequence.h - an execution of communicating objects, as a table and as a sequence diagram
 *
 * One row per step: its number, the object, the task, its first and last line, and what became of the
 * task. The sequence does not own its strings.
 */
#ifndef REPORT_SEQUENCE_H
#define REPORT_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "report/json.h"
#include "report/style.h"

/* What became of the task at the end of a step. */
typedef enum Fate {
    FATE_RETURNED,
    FATE_WAITING,   /* lets its object run other tasks meanwhile  */
    FATE_BLOCKED,   /* its object runs nothing meanwhile          */
    FATE_FAILED,    /* by an exception                            */
    FATE_STOPPED,   /* by a bound, or because its object died     */
    FATE_OMITTED    /* not mentioned                              */
} Fate;

typedef struct SequenceStep {
    uint32_t lifeline;
    const char *task;      /* "0.1:register"                            */
    const char *file;      /* where the step begins                     */
    uint32_t line;
    uint32_t end_line;     /* where it waits; 0: nowhere                */
    Fate fate;
    const char *awaits;    /* "0.1.1:ping of Worker_1"; NULL: no task   */
    const char *changes;   /* "x = 3, y = True"; "" if nothing is known */
    const char *clock;     /* no step of a task: time passes until this time; NULL: it is one */
    bool responsible;      /* the task takes part in the deadlock shown */
    uint32_t first_call, call_count; /* into Sequence.calls             */
} SequenceStep;

/* A task or an object that a step created. */
typedef struct SequenceCall {
    uint32_t lifeline;     /* of the object                             */
    const char *task;      /* NULL: the object itself                   */
    bool responsible;
} SequenceCall;

typedef struct Sequence {
    const char **lifelines;
    uint32_t lifeline_count;
    SequenceStep *steps;
    uint32_t step_count;
    SequenceCall *calls;
    uint32_t call_count;
} Sequence;

/* The interleavings table: a line per step, indented. Responsible tasks have a '*'. */
void sequence_write_table(const Sequence *sequence, const Style *style, Text *out);
/* The sequence diagram: a column per object, arrows for calls. */
void sequence_write_diagram(const Sequence *sequence, const Style *style, Text *out);
/* A list of steps, as the member `key`. */
void sequence_write_json(const Sequence *sequence, const char *key, Json *json);

/* "blocked at line 12, waiting for 0.1.1:ping of Worker_1" */
void sequence_write_fate(const SequenceStep *step, Text *out);
/* Explains '*', if it occurs. */
void sequence_write_legend(const Sequence *sequence, Text *out);

#endif
