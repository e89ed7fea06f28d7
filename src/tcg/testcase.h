/* testcase.h - a test: a start state, a schedule, and the resulting end
 *
 * A test represents all inputs with the same path and all schedules of the same class: its path condition and its
 * happens-before order distinguish it from all others of its suite. Everything that is written of it is kept as text,
 * so that it outlives the execution; emit_*.c write it.
 */
#ifndef TCG_TESTCASE_H
#define TCG_TESTCASE_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "core/event.h"
#include "sym/expr/bits.h"
#include "sym/expr/expr.h"

/* How values are shown. FORMAT_CONSTRAINTS: as far as the path determines them, with numbers and references as
 * expressions over the inputs; FORMAT_HYBRID: the same with concrete references; FORMAT_CONCRETE: concrete values. */
typedef enum TestFormat { FORMAT_CONSTRAINTS, FORMAT_CONCRETE, FORMAT_HYBRID } TestFormat;

/* An input with a value that leads along the path. */
typedef struct TestInput {
    const char *name;
    uint32_t number;
    Sort sort;
    InputRange range;
    Bits value;
} TestInput;

typedef struct TestStep {
    AgentId agent;
    uint32_t first_choice, choice_count;
    const char *task;          /* "0.1.2": its path of creators; "0.1.2/3": with the length of a delay */
    const char *name;          /* "DB_1.register"               */
    uint32_t line;
} TestStep;

/* A value at the start or the end. */
typedef struct TestValue {
    const char *shown;         /* in the format of the suite; "_": any value                            */
    const char *text;          /* an ABS expression with the variables of the test; NULL: there is none */
} TestValue;

typedef struct TestField {
    const char *name;
    TestValue before, after;   /* `before`: of an object of the start state only      */
} TestField;

typedef struct TestObject {
    const char *name;          /* "DB_1", "DB_1.clients.head"                             */
    const char *variable;      /* "db1"                                                   */
    const char *class;
    const char *type;          /* an interface of it                                      */
    const char *creator;       /* the task that created it, and its position there;       */
    uint32_t nth;              /* NULL: it is in the start state                          */
    bool dead;                 /* at the end                                              */
    uint32_t number;           /* in the execution; UINT32_MAX: only compared with others */
    VEC(TestField) fields;
} TestObject;

typedef enum TestEnd { END_RETURNS, END_THROWS, END_NEVER } TestEnd;

/* A task that waits in the start state. */
typedef struct TestTask {
    const char *name;          /* "DB_1.register"                                     */
    const char *variable;      /* of its future: "register1"                          */
    uint32_t object;           /* index                                               */
    const char *method;
    const char *type;          /* of its result                                       */
    VEC(TestField) arguments;  /* `before` only                                       */
    TestEnd end;
    TestValue result;          /* or the exception                                    */
} TestTask;

/* A task whose future occurs in values. */
typedef struct TestFuture {
    const char *variable, *task, *type;
} TestFuture;

typedef struct TestConstraint {
    const char *text;
    bool numeric;              /* it is about numbers, not only about structure       */
} TestConstraint;

typedef struct TestCase {
    uint32_t context;          /* index of the start state                           */
    bool from_main;            /* it begins with the main block of the model instead */
    bool free_time;            /* the lengths of delays are choices of its steps     */
    const char *drawing;       /* table and diagram of its steps; NULL: none         */
    VEC(TestInput) inputs;     /* those that the path depends on or that occur on it */
    VEC(TestConstraint) constraints; /* the path condition                           */
    VEC(TestStep) steps;
    VEC(Literal) choices;
    VEC(TestObject) objects;   /* those of the start state first         */
    VEC(TestTask) tasks;
    VEC(TestFuture) futures;
    uint64_t final_hash;
    uint64_t class;            /* see testclass.h                        */
    const char *outcome;       /* "ok", or the kind of the first finding */
    Arena arena;               /* of all texts                           */
    VEC(uint64_t) reached;     /* set of items (coverage.h)              */
} TestCase;

/* A VEC of tests. */
typedef struct TestSuite {
    TestCase *items;
    uint32_t count, room;
    TestFormat format;         /* in which values are shown */
} TestSuite;

void testcase_release(TestCase *test);
/* Empties what portray fills: objects, tasks, futures, constraints. */
void testcase_forget(TestCase *test);
void suite_release(TestSuite *suite);

/* Is it an input of a running task (`random`, [Input]), not of the start state? */
bool testcase_is_drawn(const TestInput *input);

/* Copies a text to the arena of the test. */
const char *testcase_keep(TestCase *test, const char *text);
/* The same; empties `text`. */
const char *testcase_take(TestCase *test, Text *text);

#endif
