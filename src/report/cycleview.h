/* cycleview.h - the deadlock cycles of an analysis and their results, as reports show them */
#ifndef REPORT_CYCLEVIEW_H
#define REPORT_CYCLEVIEW_H

#include "base/text.h"
#include "report/style.h"
#include "report/trace.h"

typedef enum CycleResult {
    CYCLE_UNCHECKED, /* no search looked for a deadlock along it             */
    CYCLE_CONFIRMED, /* there is a trace                                     */
    CYCLE_DISCARDED, /* no schedule leads to it (within the bounds, if bounded) */
    CYCLE_TIMEOUT
} CycleResult;

enum { CYCLE_PLACES = 16 };

typedef struct CycleView {
    char id[8];               /* of its places: the same in every run         */
    const char *title;        /* what it is if it is no cycle, or NULL        */
    const char *line;         /* the cycle on one line                        */
    const char *details;      /* what each part does, indented lines          */
    const char *constraints;  /* what holds in every deadlock along it, indented lines, or NULL */
    TracePlace places[CYCLE_PLACES]; /* where its parts wait                  */
    uint32_t place_count;
    CycleResult result;
    bool bounded;             /* a bound was hit while searching for it       */
    const char *source;       /* where it was found ("code", "runs"), or NULL */
    const char *note;         /* why it was discarded, or NULL                */
    const char *trace;        /* in the run directory, or NULL                */
    const char *report;       /* of the deadlock, as text, or NULL            */
    uint64_t states, executions, pruned, deadlocks;
    double seconds;
    bool compared;            /* --compare: states visited by a search without reduction, */
    uint64_t states_guided, states_unguided; /* along this cycle and everywhere           */
} CycleView;

/* Fills in the id. */
void cycleview_name(CycleView *cycle);
/* Gives cycles with the id of an earlier one another id: their places differ in columns or objects only. */
void cycleview_tell_apart(CycleView *cycles, uint32_t count);
/* The list for run.json. */
void cycleview_write_json(const CycleView *cycles, uint32_t count, Text *out);
/* One cycle with its result, for readers. */
void cycleview_write_text(const CycleView *cycle, uint32_t number, uint32_t count, const Style *style, Text *out);

/* "2 confirmed, 1 discarded": the results that occur, with their numbers. */
void cycleview_write_counts(const CycleView *cycles, uint32_t count, Text *out);
/* How many there are without those that are no cycles. */
uint32_t cycleview_cycles(const CycleView *cycles, uint32_t count);
uint32_t cycleview_count(const CycleView *cycles, uint32_t count, CycleResult result);

#endif
