/* testcase.h - one test: a start state, a schedule, and what comes of it
 *
 * A test stands for all inputs that take the same path, and for all schedules of the same
 * class: its path condition and its order of steps tell it from all others of its suite.
 * Everything that people or other programs see of it is here as text, so that it outlives
 * the execution; how it is written down is the business of emit_*.c.
 */
#ifndef TCG_TESTCASE_H
#define TCG_TESTCASE_H

#include "base/arena.h"
#include "base/text.h"
#include "base/vec.h"
#include "core/event.h"
#include "sym/expr/bits.h"
#include "sym/expr/expr.h"

/* How values are shown: as far as the path settles them, with numbers as expressions over the
 * inputs, and references too; the same with references settled; or as values that take the path. */
typedef enum TestFormat { FORMAT_CONSTRAINTS, FORMAT_CONCRETE, FORMAT_HYBRID } TestFormat;

/* An input with a value that takes the path. */
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
    const char *task;          /* "0.1.2": by its creator and as which of its calls */
    const char *name;          /* "DB_1.register"                                    */
    uint32_t line;
} TestStep;

/* A value of the start or the end. */
typedef struct TestValue {
    const char *shown;         /* in the format asked for; "_": any value will do     */
    const char *text;          /* an ABS expression with the variables of the test; NULL: there is none */
} TestValue;

typedef struct TestField {
    const char *name;
    TestValue before, after;   /* `before` of an object of the start only             */
} TestField;

typedef struct TestObject {
    const char *name;          /* "DB_1", "DB_1.clients.head"                         */
    const char *variable;      /* "db1"                                               */
    const char *class;
    const char *type;          /* an interface of it                                  */
    const char *creator;       /* the task that made it, and as which of its objects; */
    uint32_t nth;              /* NULL: it is there from the beginning                */
    bool dead;                 /* in the end                                          */
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

/* A task of which values hold the future. */
typedef struct TestFuture {
    const char *variable, *task, *type;
} TestFuture;

typedef struct TestConstraint {
    const char *text;
    bool numeric;              /* it is about numbers, not only about structure       */
} TestConstraint;

typedef struct TestCase {
    uint32_t context;          /* index of the start state                          */
    VEC(TestInput) inputs;     /* those that the path depends on, or met on it       */
    VEC(TestConstraint) constraints; /* the path condition                           */
    VEC(TestStep) steps;
    VEC(Literal) choices;
    VEC(TestObject) objects;   /* those of the start first                           */
    VEC(TestTask) tasks;
    VEC(TestFuture) futures;
    uint64_t final_hash;
    uint64_t class;            /* see testclass.h                                    */
    const char *outcome;       /* "ok", or the kind of the first finding             */
    Arena arena;               /* of all texts                                       */
    VEC(uint64_t) reached;     /* set of items (coverage.h)                          */
} TestCase;

/* A VEC of tests. */
typedef struct TestSuite {
    TestCase *items;
    uint32_t count, room;
    TestFormat format;         /* in which values are shown */
} TestSuite;

void testcase_release(TestCase *test);
/* Forgets what portray fills in: objects, tasks, futures, constraints. */
void testcase_forget(TestCase *test);
void suite_release(TestSuite *suite);

/* Does a task ask for it while it runs (`random`, [Input]), rather than being part of the start? */
bool testcase_is_drawn(const TestInput *input);

/* A copy in the arena of the test. */
const char *testcase_keep(TestCase *test, const char *text);
/* The same of a text, which is emptied. */
const char *testcase_take(TestCase *test, Text *text);

#endif
