/* Expressions and models as text, for people and as SMT-LIB 2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sym/expr/assignment.h"
#include "sym/expr/print.h"
#include "sym/solve/smt2.h"

static void expressions_are_infix(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_create(1 << 12);
    ExprId x = expr_input(pool, input_make(pool->inputs, "x", 0, 32));
    ExprId y = expr_input(pool, input_make(pool->inputs, "packet", 2, 8));
    ExprId sum = expr_binary(pool, EXPR_ADD, x, expr_const(pool, 32, (Bits)-3));
    ExprId choice = expr_ite(pool, expr_binary(pool, EXPR_SLT, sum, x), expr_zext(pool, y, 32), expr_const(pool, 32, 9));
    Text text = {0};
    print_expr(pool, expr_extract(pool, choice, 4, 8), &text);
    assert_string_equal(text_borrow(&text), "(((x + -3) <s x) ? zext32(packet#2) : 9)[11:4]");
    text_release(&text);
    expr_pool_destroy(pool);
}

static void assignments_are_lists(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_create(1 << 12);
    Assignment values = {0};
    Text text = {0};
    assignment_set(&values, input_make(pool->inputs, "x", 0, 32), 0xffffffff);
    input_make(pool->inputs, "skipped", 0, 8);
    assignment_set(&values, input_make(pool->inputs, "x", 1, SORT_INT), (Bits)1 << 100);
    assignment_set(&values, input_make(pool->inputs, "flag", 0, 1), 1);
    assignment_print(&values, pool, &text);
    assert_string_equal(text_borrow(&text), "x=-1, x#1=1267650600228229401496703205376, flag=true");
    text_release(&text);
    assignment_release(&values);
    expr_pool_destroy(pool);
}

static void queries_are_scripts(void **state)
{
    (void)state;
    ExprPool *pool = expr_pool_create(1 << 12);
    ExprId x = expr_input(pool, input_make(pool->inputs, "x", 0, 32));
    ExprId b = expr_input(pool, input_make(pool->inputs, "b", 0, 1));
    ExprId sum = expr_binary(pool, EXPR_SUB, x, expr_zext(pool, b, 32));
    ExprId conditions[2] = {expr_binary(pool, EXPR_ULT, sum, x), b};
    Text text = {0};
    smt2_write_query(pool, conditions, 2, &text);
    assert_string_equal(text_borrow(&text), "(set-option :produce-models true)\n"
                                            "(set-logic ALL)\n"
                                            "(declare-const |x#0:32| (_ BitVec 32))\n"
                                            "(declare-const |b#0:1| Bool)\n"
                                            "(define-fun e3 () (_ BitVec 32) ((_ zero_extend 31) (ite |b#0:1| #b1 #b0)))\n"
                                            "(define-fun e4 () (_ BitVec 32) (bvsub |x#0:32| e3))\n"
                                            "(define-fun e5 () Bool (bvult e4 |x#0:32|))\n"
                                            "(assert e5)\n"
                                            "(assert |b#0:1|)\n"
                                            "(check-sat)\n"
                                            "(get-model)\n");
    text_release(&text);
    expr_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expressions_are_infix),
        cmocka_unit_test(assignments_are_lists),
        cmocka_unit_test(queries_are_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
