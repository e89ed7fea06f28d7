/* testclass.h - which executions are the same test
 *
 * Two executions are the same test if they begin with the same states, on the same condition,
 * and have the same steps in the same happens-before order. In which order the objects of the start
 * state were found does not matter, though it gives them other names: an object that two
 * references mean is called by the one that was followed first. Steps that only found
 * objects need no order among themselves either.
 */
#ifndef TCG_TESTCLASS_H
#define TCG_TESTCLASS_H

#include "abs/run/machine.h"

typedef struct TestClasses TestClasses;

TestClasses *testclasses_create(void);
void testclasses_destroy(TestClasses *classes);

/* Adds the execution that has just ended; false if the same test was there before. `*class` is the
 * same for the same test, also in another search of the program. */
bool testclasses_add(TestClasses *classes, const Machine *machine, const Execution *ex, uint64_t *class);

#endif
