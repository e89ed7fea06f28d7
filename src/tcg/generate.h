/* generate.h - tests for methods of a model, with unknown inputs and initial contexts
 *
 * One test for each path and each class of schedules from the given start states.
 */
#ifndef TCG_GENERATE_H
#define TCG_GENERATE_H

#include "abs/program/program_abs.h"
#include "abs/run/start.h"
#include "core/explore.h"
#include "tcg/coverage.h"
#include "tcg/testcase.h"

typedef struct GenerateStats {
    ExploreStats search;       /* of all contexts together                            */
    uint64_t cuts[CUT_COUNT];  /* executions cut by a bound                           */
    uint64_t states;           /* nodes of the tree of executions                     */
    uint64_t repeated;         /* executions that duplicate other tests (testclass.h) */
    uint64_t concretised;      /* executions with a concretised value                 */
    TestCoverage coverage;     /* of the tests that are kept                          */
    bool complete;             /* every context was explored completely               */
    const char *refused;       /* what an execution reached that is not supported, or NULL */
    uint64_t refused_site;
} GenerateStats;

/* Explores from a start state and appends a test for each execution that is not cut and duplicates no other; adds to
 * `stats`. `observer` (may be NULL) can stop the search early. */
void generate_tests(AbsProgram *program, const StartState *start, uint32_t context, Reduction reduction,
                    uint64_t max_executions, ExploreObserver *observer, TestSuite *suite, GenerateStats *stats);

/* Changes the inputs of a test to boundary values of its path (tighten.h) and updates its end accordingly. */
void generate_tighten(AbsProgram *program, const StartState *start, TestFormat format, TestCase *test);
/* Executes a test again with concrete inputs and records what it covers; false if its end differs. */
bool generate_confirm(AbsProgram *program, const StartState *start, CoverageMap *coverage, TestCase *test);

/* Executes it again; the answer, and the state of the program, are valid until the next execution. */
Execution *generate_repeat(AbsProgram *program, const StartState *start, const TestCase *test);
/* Fills a test from an execution that has just ended, but for its class. */
void generate_describe(AbsProgram *program, const Execution *ex, TestFormat format, TestCase *test);

#endif
