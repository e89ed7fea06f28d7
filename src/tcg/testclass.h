/* testclass.h - which executions are the same test
 *
 * Two executions are the same test if they begin in the same states, with the same condition, and have the same steps
 * in the same happens-before order. The order in which the objects of the start state were found does not matter,
 * although it determines their names: an object that two references mean is named after the one that was resolved
 * first. Steps that only found objects need no order among themselves either.
 */
#ifndef TCG_TESTCLASS_H
#define TCG_TESTCLASS_H

#include "abs/run/machine.h"

typedef struct TestClasses TestClasses;

/* No classes yet; the caller owns them. */
TestClasses *testclasses_create(void);
void testclasses_destroy(TestClasses *classes);

/* Adds the execution that has just ended; false if the same test was added before. `*class` identifies the test, also
 * in other searches of the program. */
bool testclasses_add(TestClasses *classes, const Machine *machine, const Execution *ex, uint64_t *class);

#endif
