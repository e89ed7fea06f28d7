/* jobs.h - graphs that are still to be visited
 *
 * A job is a graph in the form of a plan: its events in an order in which they can be run, with their choices and
 * their ranks. Nothing else is remembered of a search.
 */
#ifndef CORE_GRAPH_JOBS_H
#define CORE_GRAPH_JOBS_H

#include "base/region.h"
#include "core/graph/graph.h"
#include "core/tree/jobs.h"

typedef struct GraphStep {
    AgentId agent;
    uint32_t rank;
    uint16_t choice_count;
    bool taken;              /* GraphEvent.taken                                        */
    bool frozen;             /* GraphEvent.frozen: not planned; the agent is held       */
    uint32_t source;         /* of a frozen event: the number of the step               */
    uint32_t overtook;       /* which of `overtaken`, or GRAPH_NONE                     */
} GraphStep;

typedef struct GraphJob GraphJob;
struct GraphJob {
    GraphJob *next;
    uint32_t count, choice_count;
    bool revisited;          /* the last event reads a write that came later: it is an update
                                or strong, whose write is new                          */
    bool unresolved;         /* read from text: conditions on inputs are not known yet, nor
                                what was accessed by steps that were overtaken or wait */
    GraphStep *steps;        /* behind the job, and its choices behind them            */
    Literal *choices;
    HeldAgent *held;
    uint32_t held_count;
    Overtaken *overtaken;    /* by steps of the job; behind them those that must wait  */
    uint32_t overtaken_count, waiting_count;
    Touch *touches;          /* of both                                                */
    uint32_t touch_count;
};

/* What a job has besides its graph: the choices of its last event, and the steps that must wait (STRONG-5). */
typedef struct GraphExtra {
    const Literal *choices;
    uint32_t choice_count;
    const Overtaken *waiting;
    uint32_t waiting_count;
    const Touch *touches; /* of those that wait */
} GraphExtra;

/* The job of a graph; memory from the region. `extra` may be NULL. */
GraphJob *graphjob_create(Region *region, const Graph *graph, const GraphExtra *extra);
void graphjob_destroy(Region *region, GraphJob *job);
/* A copy with other touches: of each that was overtaken or waits so many. */
GraphJob *graphjob_with_touches(Region *region, const GraphJob *job, const Touches *touches, const uint32_t *counts);

/* A node of the common tree gets a copy of the graph; the one that a node has, NULL: the empty one. */
void graphjob_put(Jobs *jobs, Job *node, const GraphJob *job);
GraphJob *graphjob_of(const Job *node);
/* The same as text: REVISITED? RANK[t][f SOURCE]/STEP ... (core/tree/step_wire.h), with >RANK/AGENT behind a step that
 * has overtaken that one, and <RANK/AGENT for one that must wait. */
extern const JobForm jobs_of_graphs;

/* Makes the graph the plan of `ex`. */
void graphjob_plan(const GraphJob *job, Execution *ex);
/* The same without a job. */
void graph_plan(const Graph *graph, Execution *ex);

#endif
