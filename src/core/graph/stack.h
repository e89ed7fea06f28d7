/* stack.h - what a worker has found of the job in hand: graphs that are still to be visited, depth first
 *
 * The first level is the job in hand; at the level below are the graphs to which its execution led, and so on. At each
 * level one graph is being visited; `pending` ones come later. So the pending graphs of the first levels are the
 * largest parts of the work, and these are given away when other workers wait.
 */
#ifndef CORE_GRAPH_STACK_H
#define CORE_GRAPH_STACK_H

#include "core/graph/jobs.h"

typedef struct GraphLevel {
    GraphJob *current;     /* being visited with all below it; NULL: the empty graph */
    GraphJob *pending;     /* newest first                                           */
    uint32_t explored;     /* how many graphs of this level are done                 */
    ExploreStats before;   /* the statistics when the current one was begun          */
} GraphLevel;

enum { GRAPH_MAX_CRASHES = 64 };

/* What survives the process. */
typedef struct GraphState {
    Region *region;
    Jobs *jobs;
    bool owns_jobs;
    JobHand hand;
    bool beginning;      /* the job in hand was taken and not run yet          */
    bool resolving;      /* see core/tree/resolve.h                            */
    GraphJob *settled;   /* the graph in hand, if it was read from text and says what was overtaken (settle.c) */
    GraphLevel *levels;
    uint32_t depth, room;
    GraphJob *current;   /* being run, or NULL: the empty graph                */
    GraphJob *pending;   /* to which the execution led; newest first           */
    bool probing;        /* a partial run has begun and not ended              */
    uint32_t probes;     /* partial runs since the execution                   */
    uint32_t crash_count;
    uint32_t crashes[GRAPH_MAX_CRASHES]; /* those of them that killed their process */
} GraphState;

/* The job in hand is all there is. */
void stack_begin(GraphState *state, const ExploreStats *stats);
/* What the execution led to is a level of its own now. */
void stack_push(GraphState *state);
/* Makes the next graph the current one; false if nothing is left. */
bool stack_next(GraphState *state, const ExploreStats *stats);
void stack_clear(GraphState *state);
void stack_drop_pending(GraphState *state);

/* Gives away what is pending at the first level that has anything; the worker continues with the rest. */
void stack_give(GraphState *state);
/* Gives everything away. */
void stack_give_all(GraphState *state);
/* The share of the job in hand that is done, if the graphs of a level are equally large. */
double stack_progress(const GraphState *state);

#endif
