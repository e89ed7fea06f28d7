/* A solver in another process: answers, cores, death and hanging of the other side.
 *
 * Called with a socket number this program is that other side: it answers with the cheap
 * layer only, dies when asked about an input named "die" and hangs for one named "hang".
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sym/solve/serve.h"
#include "sym/solve/solver_layers.h"
#include "sym/solve/solver_remote.h"

/* ---- The other side ------------------------------------------------------------- */

static SolverResult misbehave(Solver *self, const SolverQuery *query, SolverAnswer *answer)
{
    for (uint32_t i = 0; i < query->pool->inputs->count; i++) {
        const char *name = input_get(query->pool->inputs, (InputId){i})->name;
        if (strcmp(name, "die") == 0)
            abort();
        if (strcmp(name, "hang") == 0)
            pause();
    }
    return self->next->ops->check(self->next, query, answer);
}

static void free_nothing(Solver *self)
{
    (void)self;
}

static int be_the_other_side(int fd)
{
    static const SolverOps ops = {misbehave, free_nothing};
    SolverStats ignored = {0};
    ExprPool *pool = expr_pool_create(1 << 16);
    Solver *fast = solver_fast_create(pool);
    Solver first = {.ops = &ops, .next = fast, .stats = &ignored};
    fast->next = solver_none_create();
    fast->next->stats = &ignored;
    return serve_queries(fd, pool, &first) ? 0 : 1;
}

/* ---- Tests ------------------------------------------------------------------------- */

static char *self_path;
static ExprPool *pool;
static Solver *solver;
static ExprId core[8];

static int set_up(void **state)
{
    (void)state;
    pool = expr_pool_create(1 << 16);
    solver = solver_remote_create(pool, self_path, NULL);
    return solver == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    solver->ops->destroy(solver);
    expr_pool_destroy(pool);
    return 0;
}

static ExprId variable(const char *name)
{
    return expr_input(pool, input_make(pool->inputs, name, 0, 32));
}

static ExprId equals(const char *name, Bits value)
{
    return expr_binary(pool, EXPR_EQ, variable(name), expr_const(pool, 32, value));
}

static SolverResult ask(const ExprId *conditions, uint32_t count, Bits *first_value)
{
    SolverQuery query = {.pool = pool, .conditions = conditions, .count = count, .timeout_ms = 1};
    SolverAnswer answer = {.core = core};
    SolverResult result = solver->ops->check(solver, &query, &answer);
    if (first_value)
        *first_value = assignment_get(&answer.assignment, (InputId){0});
    assignment_release(&answer.assignment);
    return result;
}

static void answers_come_back(void **state)
{
    (void)state;
    for (Bits i = 0; i < 200; i++) {
        Bits value;
        ExprId conditions[2] = {equals("x", i), equals("x", i + 1)};
        assert_int_equal(ask(conditions, 1, &value), SOLVER_SAT);
        assert_true(value == i);
        assert_int_equal(ask(conditions, 2, NULL), SOLVER_UNSAT);
    }
}

static void a_reset_of_the_pool_starts_a_new_stream(void **state)
{
    (void)state;
    ExprMark mark = expr_mark(pool);
    for (Bits i = 0; i < 20; i++) {
        Bits value;
        expr_const(pool, 32, 1000 + i); /* so that ids shift */
        ExprId condition = equals("x", i * i);
        assert_int_equal(ask(&condition, 1, &value), SOLVER_SAT);
        assert_true(value == i * i);
        expr_reset(pool, mark);
    }
}

static void death_and_hanging_are_unknown(void **state)
{
    (void)state;
    Bits value;
    ExprId good = equals("x", 7), deadly = equals("die", 1), hanging = equals("hang", 1);
    assert_int_equal(ask(&good, 1, &value), SOLVER_SAT);
    assert_int_equal(ask(&deadly, 1, NULL), SOLVER_UNKNOWN);
    assert_int_equal(ask(&good, 1, &value), SOLVER_SAT);
    assert_true(value == 7);
    assert_int_equal(ask(&hanging, 1, NULL), SOLVER_UNKNOWN);
    assert_int_equal(ask(&good, 1, &value), SOLVER_SAT);
}

static void a_missing_program_is_an_error(void **state)
{
    (void)state;
    Error error;
    assert_null(solver_remote_create(pool, "/nonexistent/solver", &error));
    assert_non_null(strstr(error.text, "/nonexistent/solver"));
}

int main(int argc, char **argv)
{
    if (argc == 2)
        return be_the_other_side(atoi(argv[1]));
    self_path = realpath(argv[0], NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(answers_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reset_of_the_pool_starts_a_new_stream, set_up, tear_down),
        cmocka_unit_test_setup_teardown(death_and_hanging_are_unknown, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_missing_program_is_an_error, set_up, tear_down),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    free(self_path);
    return failed;
}
