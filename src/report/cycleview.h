/* cycleview.h - the cycles of a deadlock analysis and what a search made of them, ready to be shown */
#ifndef REPORT_CYCLEVIEW_H
#define REPORT_CYCLEVIEW_H

#include "base/text.h"
#include "report/style.h"
#include "report/trace.h"

typedef enum CycleResult {
    CYCLE_UNCHECKED, /* nobody looked for a deadlock along it                */
    CYCLE_CONFIRMED, /* there is a trace                                     */
    CYCLE_DISCARDED, /* no schedule leads to it (within bounds, if bounded)  */
    CYCLE_TIMEOUT
} CycleResult;

enum { CYCLE_PLACES = 16 };

typedef struct CycleView {
    char id[8];               /* of its places: the same in every run         */
    const char *line;         /* the cycle on one line                        */
    const char *details;      /* what each part does, indented lines          */
    TracePlace places[CYCLE_PLACES]; /* where its parts wait                  */
    uint32_t place_count;
    CycleResult result;
    bool bounded;             /* a bound was hit while looking for it         */
    const char *source;       /* who knows it ("code", "runs"), or NULL       */
    const char *note;         /* why it was given up or dropped, or NULL      */
    const char *trace;        /* in the run directory, or NULL                */
    const char *report;       /* the deadlock itself, for people, or NULL     */
    uint64_t states, executions, pruned, deadlocks;
    double seconds;
    bool compared;            /* --compare: states that a search without reduction visits, */
    uint64_t states_guided, states_unguided; /* along this cycle and everywhere            */
} CycleView;

/* Fills in the id. */
void cycleview_name(CycleView *cycle);
/* The list for run.json. */
void cycleview_write_json(const CycleView *cycles, uint32_t count, Text *out);
/* One cycle, with what became of it. */
void cycleview_write_text(const CycleView *cycle, uint32_t number, uint32_t count, const Style *style, Text *out);

/* "2 confirmed, 1 discarded": counts per result that occur. */
void cycleview_write_counts(const CycleView *cycles, uint32_t count, Text *out);
uint32_t cycleview_count(const CycleView *cycles, uint32_t count, CycleResult result);

#endif
