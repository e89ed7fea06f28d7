/* coverage.h - coverage of a model by tests: decision outcomes and statements
 *
 * A decision (the condition of an if, a while or an await, a branch of a case that does not match every value that
 * reaches it) has two outcomes. Statements are those of methods and init blocks, except `skip` and blocks. Only code
 * that is reachable from the methods under test counts.
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

/* For a program (borrowed); the caller owns the map. */
CoverageMap *coverage_create(AbsProgram *program);
void coverage_destroy(CoverageMap *map);
/* Code that is reachable from this start state counts from now on. */
void coverage_add_start(CoverageMap *map, const StartState *start);

/* Records the next execution of the program; */
void coverage_begin(CoverageMap *map);
/* ends the recording and stores what the execution covered in the test. */
void coverage_end(CoverageMap *map, TestCase *test);

/* What the tests with chosen[i] set cover together; `chosen` NULL: all tests. */
void coverage_sum(const CoverageMap *map, const TestSuite *suite, const bool *chosen, TestCoverage *coverage);

/* Items are numbered, outcomes first. */
uint32_t coverage_outcomes(const CoverageMap *map);
uint32_t coverage_items(const CoverageMap *map);
static inline bool coverage_has(const TestCase *test, uint32_t item)
{
    return test->reached.items[item / 64] >> item % 64 & 1;
}

#endif
