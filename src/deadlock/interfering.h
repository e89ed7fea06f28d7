/* interfering.h - the methods that are relevant to a cycle if executions begin in any state
 *
 * An initial context from which the cycle can occur has a task for each method that blocks in it. Where such a task
 * releases its object before, other tasks may change the fields it has accessed: then every method that assigns one of
 * them is relevant too, and so on. Paper: deadlock-interfering tasks, in the finite form.
 */
#ifndef DEADLOCK_INTERFERING_H
#define DEADLOCK_INTERFERING_H

#include "deadlock/analysis.h"

typedef VEC(const Code *) CodeList;

/* Adds the methods to the list, each once, those of the cycle first. The list is the caller's. */
void interfering_find(const Analysis *analysis, const ModelCycle *cycle, CodeList *methods);
/* "DB.register, Worker.work" */
void interfering_add_text(const Analysis *analysis, const ModelCycle *cycle, Text *text);

#endif
