/* state_graph.h - the states that a search has met, the ways between them, and what is left to try
 *
 * An edge is a sequence of steps with their choices that leads from one state to another; the first edge that led to a
 * state is part of the path by which it is reached again. Everything is in memory that survives the process.
 */
#ifndef CORE_STRATEGY_STATE_GRAPH_H
#define CORE_STRATEGY_STATE_GRAPH_H

#include "base/fingerprint.h"
#include "base/region.h"
#include "core/execution.h"

#define STATE_NONE UINT32_MAX

typedef struct StateNode {
    Fingerprint print;
    uint32_t edge;       /* that reached it first                                     */
    uint32_t steps;      /* of its path                                               */
    uint32_t first_alias, aliases; /* of the agents that are enabled                  */
    uint64_t open;       /* obligations, see ProgramOps.open                          */
} StateNode;

typedef struct StateStep {
    AgentId agent;
    uint32_t first_choice, choices;
} StateStep;

/* Steps to take in a state: as an edge, or to be tried. */
typedef struct StateEdge {
    uint32_t from, to;   /* `from` is STATE_NONE at the beginning of the program, `to`
                            of what is to be tried                                    */
    uint32_t first_step, steps;
    uint64_t alias;      /* of the agent of the first step                            */
    bool idle;           /* the steps change nothing, see ProgramOps.idle             */
} StateEdge;

typedef struct StateGraph StateGraph;

StateGraph *state_graph_create(Region *region);
void state_graph_destroy(StateGraph *graph);

/* The node with this fingerprint, made if there is none; *added says so. */
uint32_t state_graph_node(StateGraph *graph, Fingerprint print, bool *added);
uint32_t state_graph_count(const StateGraph *graph);
const StateNode *state_graph_get(const StateGraph *graph, uint32_t node);
/* What was found out about a new node: an agent that is enabled (one node after the other); what is open. */
void state_graph_add_alias(StateGraph *graph, uint32_t node, uint64_t alias);
void state_graph_set_open(StateGraph *graph, uint32_t node, uint64_t open);
uint64_t state_graph_alias(const StateGraph *graph, uint32_t number);
uint32_t state_graph_edge_count(const StateGraph *graph);
const StateEdge *state_graph_edge(const StateGraph *graph, uint32_t number);
/* The nth choice in the steps of an edge; 0 if there are fewer. */
uint32_t state_graph_choice(const StateGraph *graph, const StateEdge *edge, uint32_t nth);
/* Plans the path to a node. */
void state_graph_plan_node(StateGraph *graph, uint32_t node, Execution *ex);

/* The events from `first` on lead from one node to another, which is new if `added`; the way has the rest. */
void state_graph_connect(StateGraph *graph, StateEdge way, bool added, const Execution *ex, uint32_t first);

/* What is to be tried in the node in which the way begins: the events from `first` on, and then a step of `agent`... */
void state_graph_try_agent(StateGraph *graph, StateEdge way, const Execution *ex, uint32_t first, AgentId agent);
/* ... or another choice in the newest of them. */
void state_graph_try_choice(StateGraph *graph, StateEdge way, const Execution *ex, uint32_t first, uint32_t taken);
/* Plans what is to be tried next: answers its way, and how many steps of the plan lead to its node. False if nothing is
 * left. */
bool state_graph_plan(StateGraph *graph, Execution *ex, StateEdge *way, uint32_t *first);

#endif
