/* choices.h - which writes a weak step may read, or be placed behind, while an execution runs
 *
 * For strategies that let an execution run forward and never come back to an event: of the writes that the first choice
 * of a weak step offers (WEAK-1), those that leave the graph of the execution consistent. The last one always does.
 * Every consistent graph can be built so: what it needs of an event comes before it, and all that is closed under that
 * is consistent too.
 */
#ifndef CORE_GRAPH_CHOICES_H
#define CORE_GRAPH_CHOICES_H

#include "core/graph/model.h"

typedef struct WeakChoices {
    MemoryModel memory;
    Graph graph;         /* the events so far */
    ModelScratch scratch;
} WeakChoices;

void weakchoices_init(WeakChoices *choices, MemoryModel memory);
void weakchoices_release(WeakChoices *choices);

/* An execution begins. */
void weakchoices_begin(WeakChoices *choices);

/* Is the choice that is being made, of the newest event, which write it reads or is placed behind, or whether it fails
 * for no reason? */
bool weakchoices_apply(const Execution *ex);
/* Of that choice: is this option possible? It lets a step with a guard continue. */
bool weakchoices_allow(WeakChoices *choices, const Execution *ex, uint32_t option);

/* The write that this option reads, or is placed behind: the step that wrote it, or UINT32_MAX if it is the initial
 * value, which is returned. */
int64_t weakchoices_write(WeakChoices *choices, const Execution *ex, uint32_t option, uint32_t *step);

/* Does an agent wait in a weak step, although some write before the last lets it continue? (WEAK-3) */
bool weakchoices_end_wait(WeakChoices *choices, const Execution *ex, AgentId agent);

#endif
