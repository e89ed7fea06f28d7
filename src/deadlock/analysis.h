/* analysis.h - the static deadlock analysis of an ABS model, and its words for people */
#ifndef DEADLOCK_ANALYSIS_H
#define DEADLOCK_ANALYSIS_H

#include "base/text.h"
#include "deadlock/cycles.h"

typedef struct Analysis {
    const Image *image;
    PointsTo *points;
    DepGraph *graph;
    Cycles *cycles;
} Analysis;

/* Analyses the image (borrowed) with objects told apart by `depth` creation sites. */
Analysis *analysis_create(const Image *image, uint32_t depth);
void analysis_destroy(Analysis *analysis);

/* "DB:7" (class and line of creation), "DB:7.register" */
void analysis_add_object(const Analysis *analysis, uint32_t object, Text *text);
void analysis_add_task(const Analysis *analysis, uint32_t task, Text *text);
/* Where a wait stands, and where a task begins. */
SourcePlace analysis_wait_place(const Analysis *analysis, const WaitEdge *wait);
SourcePlace analysis_task_place(const Analysis *analysis, uint32_t task);
/* The cycle on one line: objects and tasks with the points at which they wait. */
void analysis_add_cycle(const Analysis *analysis, const Cycle *cycle, Text *text);
/* What each part of a cycle does, a line each. */
void analysis_add_details(const Analysis *analysis, const Cycle *cycle, Text *text);
/* Its deadlock-cycle constraints, a line each. */
void analysis_add_constraints(const Analysis *analysis, const Cycle *cycle, Text *text);

#endif
