/* record.h - the graph of an execution that has ended, for reports and for minimising */
#ifndef CORE_GRAPH_RECORD_H
#define CORE_GRAPH_RECORD_H

#include "core/graph/model.h"

/* Its events are the steps of the execution, in their order and with their numbers. */
typedef struct GraphRecord {
    Graph graph;
    ModelScratch scratch;
} GraphRecord;

/* The graph of the first `length` steps of an execution with weak steps, which must stay as long as the record. */
void graphrecord_init(GraphRecord *record, const Execution *ex, uint32_t length);
void graphrecord_release(GraphRecord *record);

/* Would the execution be possible under sequential consistency? */
bool graphrecord_is_sequential(GraphRecord *record);
/* Is there a write that was executed before the event, and that comes behind what it has read, or behind itself? The
 * last one in coherence order; GRAPH_NONE if there is none. */
uint32_t graphrecord_missed(const GraphRecord *record, uint32_t event);

#endif
