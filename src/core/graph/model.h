/* model.h - memory models as predicates on graphs
 *
 * Every graph that is asked about extends a consistent one by its last few events (`fresh` is the number of the first
 * of them), which nothing else needs.
 */
#ifndef CORE_GRAPH_MODEL_H
#define CORE_GRAPH_MODEL_H

#include "core/graph/graph.h"

/* Working memory of the models, reused. Start with {0}. */
typedef struct ModelScratch {
    VEC(uint32_t) numbers;
    VEC(uint32_t) edges;
    VEC(uint32_t) events;
    VEC(uint64_t) bits;
} ModelScratch;
void model_release(ModelScratch *scratch);

/* Is the graph consistent under the model? */
bool model_consistent(const Graph *graph, MemoryModel model, uint32_t fresh, ModelScratch *scratch);

/* ---- The models, each in the file of its name -------------------------- */

bool model_sc(const Graph *graph, ModelScratch *scratch);
bool model_tso(const Graph *graph, ModelScratch *scratch);
bool model_rc11(const Graph *graph, uint32_t fresh, ModelScratch *scratch);

/* ---- What they share: model.c ------------------------------------------ */

/* A directed graph on the events 0..n-1, built edge by edge. */
typedef struct Digraph {
    ModelScratch *scratch;
    uint32_t n;
} Digraph;
Digraph digraph_start(ModelScratch *scratch, uint32_t n);
/* `from` may be GRAPH_NONE or GRAPH_INITIAL: no edge. */
void digraph_add(Digraph *digraph, uint32_t from, uint32_t to);
bool digraph_acyclic(Digraph *digraph);
/* The nodes that are reached from those from `fresh` on and that reach these; none if nothing else is reached. Valid
 * until something else is asked. */
uint32_t digraph_around(Digraph *digraph, uint32_t fresh, const uint32_t **around);
/* Program order, strong steps behind what they need, reads-from, coherence and from-reads. */
void digraph_add_all(Digraph *digraph, const Graph *graph);
/* Coherence, and reads before the writes that come next: the edges of co and fr. */
void digraph_add_coherence(Digraph *digraph, const Graph *graph);
/* What a strong event needs comes before it: per agent the last such event. */
void digraph_add_needed(Digraph *digraph, const Graph *graph, uint32_t e);

#endif
