/* model_sc.c - sequential consistency: program order, reads-from, coherence and from-reads have no cycle */
#include "core/graph/model.h"

bool model_sc(const Graph *graph, ModelScratch *scratch)
{
    Digraph digraph = digraph_start(scratch, graph->events.count);
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        digraph_add(&digraph, event->previous, e);
        if (graph_is_read(event))
            digraph_add(&digraph, event->source, e);
        if (event->kind == GRAPH_STRONG)
            digraph_add_needed(&digraph, graph, e);
    }
    digraph_add_coherence(&digraph, graph);
    return digraph_acyclic(&digraph);
}
