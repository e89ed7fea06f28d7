/* interfering.h - the methods that matter for a cycle when it starts from any state
 *
 * A context from which the cycle can show has a task for each method that blocks in it.
 * Where such a task releases its object on the way, the fields it has touched may be
 * changed meanwhile: then every method that assigns one of them matters too, and so on.
 * Paper: deadlock-interfering tasks, in the finite form.
 */
#ifndef DEADLOCK_INTERFERING_H
#define DEADLOCK_INTERFERING_H

#include "deadlock/analysis.h"

typedef VEC(const Code *) CodeList;

/* Adds the methods, each once, those of the cycle first. */
void interfering_find(const Analysis *analysis, const ModelCycle *cycle, CodeList *methods);
/* "DB.register, Worker.work" */
void interfering_add_text(const Analysis *analysis, const ModelCycle *cycle, Text *text);

#endif
