/* select.h - which tests of a suite are kept
 *
 * A suite has a test for each path and class of schedules. A smaller one may suffice, with the same decision outcomes,
 * statements, or final states. Tests are chosen greedily, so the suite is small, though not always the smallest.
 */
#ifndef TCG_SELECT_H
#define TCG_SELECT_H

#include "tcg/coverage.h"

typedef enum Selection { SELECTION_ALL, SELECTION_BRANCHES, SELECTION_STATEMENTS, SELECTION_STATES } Selection;

/* The selection of this name (--select); false if there is none. */
bool selection_find(const char *name, Selection *selection);

/* Drops the tests that are not needed; the others keep their order. One test for each kind of bug and context is kept
 * as well. */
void select_tests(const CoverageMap *map, Selection selection, TestSuite *suite);

#endif
