/* generate.h - tests for methods of a model, without knowing their inputs or context
 *
 * Every path and every class of schedules from the given start states, each as one test.
 */
#ifndef TCG_GENERATE_H
#define TCG_GENERATE_H

#include "abs/program/program_abs.h"
#include "abs/run/start.h"
#include "core/explore.h"
#include "tcg/coverage.h"
#include "tcg/testcase.h"

typedef struct GenerateStats {
    ExploreStats search;       /* of all contexts together                                   */
    uint64_t cuts[CUT_COUNT];  /* executions in which a limit stopped something              */
    uint64_t states;           /* nodes of the tree of executions                            */
    uint64_t repeated;         /* executions that are the same test as another (testclass.h) */
    uint64_t concretised;      /* executions with values that only one input was tried for   */
    TestCoverage coverage;     /* of the tests that are kept                                 */
    bool complete;             /* every context was explored to its end                      */
} GenerateStats;

/* Explores from a start state and appends a test for each execution. Stops early when `stop`
 * (may be NULL) becomes true. */
void generate_tests(AbsProgram *program, const StartState *start, uint32_t context, Reduction reduction,
                    uint64_t max_executions, ExploreObserver *observer, TestSuite *suite, GenerateStats *stats);

/* Gives a test inputs at the edges of its path (tighten.h) and looks at what comes of them. */
void generate_tighten(AbsProgram *program, const StartState *start, TestFormat format, TestCase *test);
/* Runs a test again with its concrete inputs alone, noting what it reaches; false if it ends otherwise. */
bool generate_confirm(AbsProgram *program, const StartState *start, CoverageMap *coverage, TestCase *test);

#endif
