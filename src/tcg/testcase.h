/* testcase.h - one test: a start state, a schedule, and what comes of it
 *
 * A test stands for all inputs that take the same path, and for all schedules of the same
 * class: its path condition and its order of steps tell it from all others of its suite.
 */
#ifndef TCG_TESTCASE_H
#define TCG_TESTCASE_H

#include "base/text.h"
#include "base/vec.h"
#include "core/event.h"
#include "sym/bits.h"
#include "sym/expr.h"

/* An input with a value that takes the path. */
typedef struct TestInput {
    char *name;
    uint32_t number;
    Sort sort;
    Bits value;
} TestInput;

typedef struct TestStep {
    AgentId agent;
    uint32_t first_choice, choice_count;
} TestStep;

typedef struct TestCase {
    uint32_t context;          /* index of the start state                          */
    VEC(TestInput) inputs;     /* those that the path depends on, or met on it       */
    VEC(char *) constraints;   /* the path condition, one text per condition         */
    VEC(TestStep) steps;
    VEC(Literal) choices;
    Text trace;                /* a line per step                                    */
    Text initial;              /* objects, fields, pending tasks with arguments      */
    Text final;                /* objects with their fields, results                 */
    uint64_t final_hash;
    const char *outcome;       /* "ok", or the kind of the first finding             */
} TestCase;

typedef VEC(TestCase) TestSuite;

void testcase_release(TestCase *test);
void suite_release(TestSuite *suite);

#endif
