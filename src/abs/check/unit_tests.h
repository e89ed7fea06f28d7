/* unit_tests.h - tests that are methods of a model: suites of the module AbsUnit
 *
 * A suite is a class with [Suite]; its tests are the methods that an interface of it declares with [Test] and not with
 * [Ignored]. A test with a parameter is run for each element of every set or list that a method with [DataPoint]
 * answers. Every schedule of a test is explored.
 */
#ifndef ABS_CHECK_UNIT_TESTS_H
#define ABS_CHECK_UNIT_TESTS_H

#include "abs/syntax/ast.h"
#include "base/text.h"

typedef struct UnitTest {
    char *name; /* "Suite.method" */
    char *main; /* a module whose main block runs the test; NULL: it cannot be run */
    char *why;  /* why not */
} UnitTest;

typedef VEC(UnitTest) UnitTests;

/* Adds the tests of a checked model. */
void unit_tests_find(const Model *model, UnitTests *tests);
void unit_tests_release(UnitTests *tests);

#endif
