/* Path conditions: parts, marks, hashes, witnesses, slices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sym/solve/pathcond.h"

static ExprPool *pool;
static PathCond *pc;
static ExprId x[6];

static int set_up(void **state)
{
    (void)state;
    pool = expr_pool_create(1 << 16);
    pc = pathcond_create(pool);
    for (uint32_t i = 0; i < 6; i++)
        x[i] = expr_input(pool, input_make(pool->inputs, "x", i, 32));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    pathcond_destroy(pc);
    expr_pool_destroy(pool);
    return 0;
}

static ExprId less(unsigned i, unsigned j)
{
    return expr_binary(pool, EXPR_SLT, x[i], x[j]);
}

static ExprId is(unsigned i, Bits value)
{
    return expr_binary(pool, EXPR_EQ, x[i], expr_const(pool, 32, value));
}

static void set_values(Bits first, Bits second)
{
    Assignment values = {0};
    assignment_set(&values, (InputId){0}, first);
    assignment_set(&values, (InputId){1}, second);
    pathcond_set_witness(pc, &values);
    assignment_release(&values);
}

static void conjunctions_are_added_in_parts(void **state)
{
    (void)state;
    ExprId both = expr_binary(pool, EXPR_AND, less(0, 1), is(2, 5));
    ExprId neither = expr_not(pool, expr_binary(pool, EXPR_OR, is(3, 1), is(3, 2)));
    pathcond_add(pc, both);
    pathcond_add(pc, neither);
    pathcond_add(pc, less(0, 1));
    pathcond_add(pc, expr_bool(pool, true));
    assert_int_equal(pathcond_count(pc), 4);
    assert_int_equal(pathcond_decides(pc, both), 1);
    assert_int_equal(pathcond_decides(pc, is(3, 1)), 0);
    assert_int_equal(pathcond_decides(pc, expr_binary(pool, EXPR_OR, is(3, 1), is(3, 2))), 0);
    assert_int_equal(pathcond_decides(pc, less(1, 2)), -1);
    assert_false(pathcond_is_false(pc));
    pathcond_add(pc, expr_bool(pool, false));
    assert_true(pathcond_is_false(pc));
}

static void marks_take_back(void **state)
{
    (void)state;
    pathcond_add(pc, less(0, 1));
    PathMark mark = pathcond_mark(pc);
    pathcond_add(pc, less(1, 2));
    pathcond_add(pc, is(3, 7));
    assert_int_equal(pathcond_count(pc), 3);
    pathcond_pop(pc, mark);
    assert_int_equal(pathcond_count(pc), 1);
    assert_int_equal(pathcond_get(pc, 0).id, less(0, 1).id);
    pathcond_add(pc, is(3, 7));
    pathcond_add(pc, less(1, 2));
    assert_int_equal(pathcond_count(pc), 3);
    pathcond_reset(pc);
    assert_int_equal(pathcond_count(pc), 0);
}

static const Assignment *find_witness(void)
{
    return pathcond_find_witness_below(pc, pathcond_count(pc));
}

static void a_witness_is_lost_and_found_again(void **state)
{
    (void)state;
    set_values(1, 2);
    pathcond_add(pc, less(0, 1));
    assert_non_null(find_witness());
    PathMark mark = pathcond_mark(pc);
    pathcond_add(pc, is(0, 9));
    pathcond_add(pc, is(4, 0));
    assert_null(find_witness());
    assert_non_null(pathcond_find_witness_below(pc, mark.count));
    pathcond_pop(pc, mark);
    assert_non_null(find_witness());
    set_values(3, 2);
    assert_null(find_witness());
    pathcond_pop(pc, (PathMark){0});
    assert_non_null(find_witness());
}

static void slices_follow_shared_inputs(void **state)
{
    (void)state;
    ExprId found[8];
    pathcond_add(pc, less(0, 1)); /* 0 */
    pathcond_add(pc, is(4, 3));   /* 1 */
    pathcond_add(pc, less(2, 3)); /* 2 */
    pathcond_add(pc, less(1, 2)); /* 3: joins 0 and 2 */
    PathMark mark = pathcond_mark(pc);
    pathcond_add(pc, is(3, 8));
    GroupWalk walk = {.from = mark.count}, second = {.from = 3};
    uint32_t fresh;
    assert_int_equal(pathcond_next_group(pc, &walk, found, &fresh), 4);
    assert_int_equal(fresh, 1);
    assert_int_equal(found[0].id, less(0, 1).id);
    assert_int_equal(found[1].id, less(2, 3).id);
    assert_int_equal(found[2].id, less(1, 2).id);
    assert_int_equal(pathcond_next_group(pc, &walk, found, &fresh), 1);
    assert_int_equal(fresh, 0);
    assert_int_equal(found[0].id, is(4, 3).id);
    assert_int_equal(pathcond_next_group(pc, &walk, found, &fresh), 0);
    pathcond_pop(pc, (PathMark){3});
    pathcond_add(pc, is(3, 8));
    assert_int_equal(pathcond_next_group(pc, &second, found, &fresh), 2);
    assert_int_equal(found[0].id, less(2, 3).id);
}

static ExprId compare(ExprOp op, unsigned i, Bits value)
{
    return expr_binary(pool, op, x[i], expr_const(pool, 32, value));
}

static void bounds_on_one_expression_are_seen_at_once(void **state)
{
    (void)state;
    ExprId found[8];
    uint32_t fresh;
    pathcond_add(pc, compare(EXPR_SGT, 0, 3));
    pathcond_add(pc, compare(EXPR_SGT, 0, 5));
    pathcond_add(pc, compare(EXPR_SGT, 0, 4)); /* follows */
    assert_int_equal(pathcond_count(pc), 2);
    assert_int_equal(pathcond_decides(pc, compare(EXPR_SGE, 0, 6)), 1);
    assert_int_equal(pathcond_decides(pc, compare(EXPR_SLT, 0, 6)), 0);
    assert_int_equal(pathcond_decides(pc, compare(EXPR_SLT, 0, 7)), -1);
    assert_int_equal(pathcond_decides(pc, compare(EXPR_ULT, 0, 6)), -1); /* another order */
    assert_int_equal(pathcond_decides(pc, compare(EXPR_EQ, 0, 5)), 0);
    assert_int_equal(pathcond_decides(pc, compare(EXPR_NE, 0, 5)), 1);
    GroupWalk walk = {.from = 0};
    assert_int_equal(pathcond_next_group(pc, &walk, found, &fresh), 1); /* the tightest only */
    assert_int_equal(found[0].id, compare(EXPR_SGT, 0, 5).id);
    PathMark mark = pathcond_mark(pc);
    pathcond_add(pc, compare(EXPR_EQ, 0, 9));
    assert_int_equal(pathcond_decides(pc, compare(EXPR_ULT, 0, 10)), 1);
    assert_int_equal(pathcond_decides(pc, compare(EXPR_EQ, 0, 8)), 0);
    walk = (GroupWalk){.from = 0};
    assert_int_equal(pathcond_next_group(pc, &walk, found, &fresh), 1);
    pathcond_pop(pc, mark);
    pathcond_add(pc, compare(EXPR_SLT, 0, 6));
    assert_true(pathcond_is_false(pc));
    pathcond_pop(pc, mark);
    assert_false(pathcond_is_false(pc));
    pathcond_pop(pc, (PathMark){1});
    assert_int_equal(pathcond_decides(pc, compare(EXPR_SGE, 0, 6)), -1);
    walk = (GroupWalk){.from = 0};
    assert_int_equal(pathcond_next_group(pc, &walk, found, &fresh), 1);
    assert_int_equal(found[0].id, compare(EXPR_SGT, 0, 3).id);
}

/* Random additions and removals against slices computed from scratch. */
static void slices_agree_with_a_fresh_path_condition(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 3000; round++) {
        seed = seed * 1103515245 + 12345;
        unsigned i = seed >> 16 & 7, j = seed >> 20 & 7;
        if (i < 6 && j < 6 && i != j)
            pathcond_add(pc, less(i, j));
        else if (pathcond_count(pc) > 0)
            pathcond_pop(pc, (PathMark){(seed >> 8) % pathcond_count(pc)});
        if (pathcond_count(pc) == 0)
            continue;
        PathCond *fresh = pathcond_create(pool);
        for (uint32_t part = 0; part < pathcond_count(pc); part++)
            pathcond_add(fresh, pathcond_get(pc, part));
        ExprId ours[40], theirs[40];
        GroupWalk our_walk = {.from = pathcond_count(pc) - 1}, their_walk = our_walk;
        uint32_t count = pathcond_next_group(pc, &our_walk, ours, &i);
        assert_int_equal(count, pathcond_next_group(fresh, &their_walk, theirs, &j));
        for (uint32_t part = 0; part < count; part++)
            assert_int_equal(ours[part].id, theirs[part].id);
        pathcond_destroy(fresh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(conjunctions_are_added_in_parts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(marks_take_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_witness_is_lost_and_found_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slices_follow_shared_inputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bounds_on_one_expression_are_seen_at_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(slices_agree_with_a_fresh_path_condition, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
