/* analysis.h - the static deadlock analysis of an ABS model, and texts about its results */
#ifndef DEADLOCK_ANALYSIS_H
#define DEADLOCK_ANALYSIS_H

#include "base/text.h"
#include "deadlock/cycles.h"

typedef struct Analysis {
    const Image *image;
    ModelPointsTo *points;
    DepGraph *graph;
    Cycles *cycles;
} Analysis;

/* Analyses the image (borrowed); objects are distinguished by their last `depth` creation sites. The caller owns the
 * result. */
Analysis *analysis_create(const Image *image, uint32_t depth);
void analysis_destroy(Analysis *analysis);

/* Where a wait is in the source. */
SourcePlace analysis_wait_place(const Analysis *analysis, const WaitEdge *wait);
/* The cycle on one line: objects and tasks with the points at which they wait. */
void analysis_add_cycle(const Analysis *analysis, const ModelCycle *cycle, Text *text);
/* What each task of the cycle waits for, a line each. */
void analysis_add_details(const Analysis *analysis, const ModelCycle *cycle, Text *text);
/* The tasks that may wait for a condition: on one line, with a line each. */
void analysis_add_conditions(const Analysis *analysis, Text *line, Text *details);
/* Its deadlock-cycle constraints, a line each. */
void analysis_add_constraints(const Analysis *analysis, const ModelCycle *cycle, Text *text);

#endif
