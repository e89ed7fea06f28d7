/* record.c - see record.h */
#include "core/graph/record.h"

void graphrecord_init(GraphRecord *record, const Execution *ex, uint32_t length)
{
    *record = (GraphRecord){0};
    graph_init(&record->graph);
    graph_start(&record->graph, ex, ex->agent_count, length + 1);
    for (uint32_t i = 0; i < length; i++) {
        GraphEvent event = graph_describe(&record->graph, i);
        uint32_t behind = graph_set_source(&record->graph, &event);
        event.rank = i;
        graph_add(&record->graph, event, behind);
    }
}

void graphrecord_release(GraphRecord *record)
{
    graph_release(&record->graph);
    model_release(&record->scratch);
}

bool graphrecord_is_sequential(GraphRecord *record) { return model_sc(&record->graph, &record->scratch); }

uint32_t graphrecord_missed(const GraphRecord *record, uint32_t e)
{
    const Graph *graph = &record->graph;
    const GraphEvent *event = &graph->events.items[e];
    if (!graph_is_weak(event))
        return GRAPH_NONE;
    uint32_t place = event->kind == GRAPH_WRITE ? event->place : graph_place(graph, event->source);
    for (uint32_t p = graph_writes(graph, event->location); p > place; p--)
        if (graph_write_at(graph, event->location, p) < e)
            return graph_write_at(graph, event->location, p);
    return GRAPH_NONE;
}
