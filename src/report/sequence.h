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
    const char *task;      /* "register#2"                              */
    const char *path;      /* "0.1": for --instead; NULL: none          */
    const char *file;      /* where the step begins                     */
    uint32_t line;
    uint32_t end_line;     /* where it waits; 0: nowhere                */
    Fate fate;
    const char *awaits;    /* "Worker_1.ping"; NULL: no task            */
    const char *changes;   /* "x = 3, y = True"; "" if nothing is known */
    const char *clock;     /* no step of a task: time passes until this time; NULL: it is one */
    bool responsible;      /* the task takes part in the deadlock shown */
    bool loops;            /* this step and the following ones can be repeated for ever */
    bool starts;           /* the first step of a call                  */
    bool aside;            /* what is shown does not depend on it       */
    uint32_t first_call, call_count;       /* into Sequence.calls       */
    uint32_t first_receipt, receipt_count; /* into Sequence.receipts    */
} SequenceStep;

/* A task or an object that a step created, or a task whose result it read. */
typedef struct SequenceCall {
    uint32_t lifeline;     /* of the object                             */
    const char *task;      /* NULL: the object itself                   */
    const char *path;
    bool responsible;
} SequenceCall;

typedef struct Sequence {
    const char **lifelines;
    uint32_t lifeline_count;
    SequenceStep *steps;
    uint32_t step_count;
    SequenceCall *calls;
    uint32_t call_count;
    SequenceCall *receipts;
    uint32_t receipt_count;
} Sequence;

/* What of a table is written. */
typedef struct SequenceView {
    bool whole;     /* steps that are aside, too; and of each step what it starts, calls and receives */
    uint32_t most;  /* rows; the first ones are left out; 0: no limit                                 */
} SequenceView;

/* The interleavings table: a line per step, indented. Responsible tasks have a '*'. */
void sequence_write_table(const Sequence *sequence, const SequenceView *view, const Style *style, Text *out);
/* The sequence diagram: a column per object, arrows for calls. */
void sequence_write_diagram(const Sequence *sequence, const Style *style, Text *out);
/* A list of steps, as the member `key`. */
void sequence_write_json(const Sequence *sequence, const char *key, Json *json);

/* "blocked at line 12, waiting for Worker_1.ping" */
void sequence_write_fate(const SequenceStep *step, Text *out);
/* Explains '*', if it occurs. */
void sequence_write_legend(const Sequence *sequence, Text *out);

#endif
