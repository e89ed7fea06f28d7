/* assume.h - conditions without which a thread does not continue */
#ifndef RT_INPUTS_ASSUME_H
#define RT_INPUTS_ASSUME_H

#include "rt/inputs/tracking.h"

/* The running thread continues only if the condition holds; `holds` is what this execution's inputs say. If it does
 * not, and other inputs on the same path satisfy it, the execution starts again with those and the call does not
 * return. Otherwise it returns after the decision, and the caller stops the thread if the condition does not hold. */
void assume_condition(ExprId condition, bool holds);
/* The running thread is about to stop, since an assumption does not hold. In a sampled execution, if the inputs have
 * just decided that and others satisfy the assumption, the execution starts again with those and the call does not
 * return. (A search of all paths takes both outcomes anyway.) */
void assume_retry(void);

#endif
