/* coverage.h - what tests of a model reach: outcomes of decisions, and statements
 *
 * A decision (the condition of an if, a while or an await, a branch of a case that does not fit every value that
 * comes to it) has two outcomes. Statements are those of methods and init blocks, but `skip`, which does nothing,
 * and blocks. Only code that the methods under test can reach counts.
 */
#ifndef TCG_COVERAGE_H
#define TCG_COVERAGE_H

#include "abs/program/program_abs.h"
#include "abs/run/start.h"
#include "tcg/testcase.h"

typedef struct TestCoverage {
    uint32_t outcomes, all_outcomes;
    uint32_t statements, all_statements;
} TestCoverage;

typedef struct CoverageMap CoverageMap;

CoverageMap *coverage_create(AbsProgram *program);
void coverage_destroy(CoverageMap *map);
/* Everything that can be reached from a start state counts from now on. */
void coverage_add_start(CoverageMap *map, const StartState *start);

/* The next execution of the program is that of a test; */
void coverage_begin(CoverageMap *map);
/* that was it: what it reached becomes part of the test. */
void coverage_end(CoverageMap *map, TestCase *test);

/* What these tests reach together; `chosen` (by test) may be NULL: all of them. */
void coverage_sum(const CoverageMap *map, const TestSuite *suite, const bool *chosen, TestCoverage *coverage);

/* Items are numbered, outcomes first. */
uint32_t coverage_outcomes(const CoverageMap *map);
uint32_t coverage_items(const CoverageMap *map);
static inline bool coverage_has(const TestCase *test, uint32_t item)
{
    return test->reached.items[item / 64] >> item % 64 & 1;
}

#endif
