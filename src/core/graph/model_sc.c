/* model_sc.c - sequential consistency: program order, reads-from, coherence and from-reads have no cycle */
#include "core/graph/model.h"

bool model_sc(const Graph *graph, ModelScratch *scratch)
{
    Digraph digraph = digraph_start(scratch, graph->events.count);
    digraph_add_all(&digraph, graph);
    return digraph_acyclic(&digraph);
}
