/* select.h - which tests of a suite are kept
 *
 * A suite has a test for each path and class of schedules. A smaller one may do: with the same outcomes of decisions,
 * the same statements, or the same final states. Tests that add most come first, so it is small, though not always the
 * smallest.
 */
#ifndef TCG_SELECT_H
#define TCG_SELECT_H

#include "tcg/coverage.h"

typedef enum Selection { SELECTION_ALL, SELECTION_BRANCHES, SELECTION_STATEMENTS, SELECTION_STATES } Selection;

/* The selection of this name (--select); false if there is none. */
bool selection_find(const char *name, Selection *selection);

/* Drops the tests that are not needed; the others keep their order. Tests that find something are
 * kept as well, one of each kind. */
void select_tests(const CoverageMap *map, Selection selection, TestSuite *suite);

#endif
