/* Expressions: hash-consing, normal forms, bytes that become whole again, resets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sym/expr/expr.h"
#include "sym/expr/print.h"

static ExprPool *pool;
static ExprId x, y, a, b, n, m; /* x, y: 32 bits; a, b: 8 bits; n, m: integers */

static int set_up(void **state)
{
    (void)state;
    pool = expr_pool_create(1 << 16);
    x = expr_input(pool, input_make(pool->inputs, "x", 0, 32));
    y = expr_input(pool, input_make(pool->inputs, "y", 0, 32));
    a = expr_input(pool, input_make(pool->inputs, "a", 0, 8));
    b = expr_input(pool, input_make(pool->inputs, "b", 0, 8));
    n = expr_input(pool, input_make(pool->inputs, "n", 0, SORT_INT));
    m = expr_input(pool, input_make(pool->inputs, "m", 0, SORT_INT));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    expr_pool_destroy(pool);
    return 0;
}

static ExprId k(Sort sort, Bits value)
{
    return expr_const(pool, sort, value);
}

static ExprId bin(ExprOp op, ExprId left, ExprId right)
{
    return expr_binary(pool, op, left, right);
}

static void assert_same(ExprId left, ExprId right)
{
    if (expr_same(left, right))
        return;
    Text text = {0};
    print_expr(pool, left, &text);
    text_add_string(&text, " is not ");
    print_expr(pool, right, &text);
    print_error("%s\n", text_borrow(&text));
    text_release(&text);
    fail();
}

static void assert_prints(ExprId e, const char *expected)
{
    Text text = {0};
    print_expr(pool, e, &text);
    assert_string_equal(text_borrow(&text), expected);
    text_release(&text);
}

static void equal_expressions_have_one_id(void **state)
{
    (void)state;
    assert_same(bin(EXPR_ADD, x, y), bin(EXPR_ADD, y, x));
    assert_same(k(32, 7), k(32, 7));
    assert_int_not_equal(k(32, 7).id, k(8, 7).id);
    assert_same(expr_input(pool, input_make(pool->inputs, "x", 0, 32)), x);
    assert_int_not_equal(expr_input(pool, input_make(pool->inputs, "x", 1, 32)).id, x.id);
}

static void constants_are_folded(void **state)
{
    (void)state;
    assert_same(bin(EXPR_SDIV, k(8, 0x80), k(8, 0xff)), k(8, 0x80));
    assert_same(bin(EXPR_UDIV, k(8, 5), k(8, 0)), k(8, 0xff));
    assert_same(bin(EXPR_SREM, k(8, 0xf9), k(8, 2)), k(8, 0xff));
    assert_same(bin(EXPR_ASHR, k(8, 0x80), k(8, 200)), k(8, 0xff));
    assert_same(bin(EXPR_SLT, k(8, 0xff), k(8, 0)), expr_bool(pool, true));
    assert_same(bin(EXPR_IQUO, expr_int(pool, -7), expr_int(pool, 2)), expr_int(pool, -3));
    assert_same(bin(EXPR_IDIV, expr_int(pool, -7), expr_int(pool, 2)), expr_int(pool, -4));
    assert_same(bin(EXPR_IMOD, expr_int(pool, -7), expr_int(pool, 2)), expr_int(pool, 1));
    assert_same(bin(EXPR_IREM, expr_int(pool, -7), expr_int(pool, 2)), expr_int(pool, -1));
    assert_same(expr_concat(pool, k(8, 0x12), k(8, 0x34)), k(16, 0x1234));
    assert_same(expr_sext(pool, k(8, 0x80), 128), k(128, ~(Bits)0x7f));
}

static void sums_are_normalised(void **state)
{
    (void)state;
    ExprId five = bin(EXPR_ADD, bin(EXPR_ADD, x, k(32, 2)), k(32, 3));
    assert_same(five, bin(EXPR_SUB, x, k(32, (Bits)-5)));
    assert_same(bin(EXPR_SUB, five, x), k(32, 5));
    assert_same(bin(EXPR_ADD, bin(EXPR_SUB, x, y), y), x);
    assert_same(bin(EXPR_SUB, x, x), k(32, 0));
    assert_same(bin(EXPR_ADD, x, x), bin(EXPR_MUL, x, k(32, 2)));
    assert_same(bin(EXPR_SHL, x, k(32, 3)), bin(EXPR_MUL, x, k(32, 8)));
    assert_same(expr_unary(pool, EXPR_NEG, expr_unary(pool, EXPR_NEG, x)), x);
    assert_same(bin(EXPR_IADD, bin(EXPR_ISUB, n, expr_int(pool, 4)), expr_int(pool, 4)), n);
}

static void comparisons_are_normalised(void **state)
{
    (void)state;
    assert_same(expr_not(pool, bin(EXPR_SLT, x, y)), bin(EXPR_SLE, y, x));
    assert_same(bin(EXPR_SGT, x, y), bin(EXPR_SLT, y, x));
    assert_same(bin(EXPR_SLE, x, k(32, 4)), bin(EXPR_SLT, x, k(32, 5)));
    assert_same(bin(EXPR_ULT, x, k(32, 1)), bin(EXPR_EQ, x, k(32, 0)));
    assert_same(bin(EXPR_ULE, x, k(32, 0xffffffff)), expr_bool(pool, true));
    assert_same(bin(EXPR_EQ, bin(EXPR_ADD, x, k(32, 5)), k(32, 7)), bin(EXPR_EQ, x, k(32, 2)));
    assert_same(bin(EXPR_EQ, bin(EXPR_SUB, x, y), k(32, 0)), bin(EXPR_EQ, x, y));
    assert_same(bin(EXPR_ILE, bin(EXPR_ISUB, n, m), expr_int(pool, 0)), bin(EXPR_ILE, n, m));
    assert_prints(bin(EXPR_NE, x, k(32, 3)), "(~(x == 3))");
}

/* What clang makes of comparing characters and of Booleans kept in ints. */
static void extensions_vanish_from_comparisons(void **state)
{
    (void)state;
    ExprId wide_a = expr_zext(pool, a, 32), wide_b = expr_zext(pool, b, 32);
    assert_same(bin(EXPR_SLT, wide_a, wide_b), bin(EXPR_ULT, a, b));
    assert_same(bin(EXPR_EQ, wide_a, k(32, 65)), bin(EXPR_EQ, a, k(8, 65)));
    assert_same(bin(EXPR_EQ, wide_a, k(32, 300)), expr_bool(pool, false));
    assert_same(bin(EXPR_SLT, bin(EXPR_SUB, wide_a, wide_b), k(32, 0)), bin(EXPR_ULT, a, b));
    assert_same(bin(EXPR_SGT, bin(EXPR_SUB, wide_a, wide_b), k(32, 0)), bin(EXPR_ULT, b, a));
    assert_same(bin(EXPR_SLT, expr_sext(pool, a, 32), k(32, 5)), bin(EXPR_SLT, a, k(8, 5)));
    ExprId flag = expr_zext(pool, bin(EXPR_SLT, x, y), 32);
    assert_same(bin(EXPR_NE, flag, k(32, 0)), bin(EXPR_SLT, x, y));
    assert_same(bin(EXPR_EQ, flag, k(32, 0)), bin(EXPR_SLE, y, x));
}

static void bytes_become_the_value_again(void **state)
{
    (void)state;
    ExprId values[] = {x, bin(EXPR_MUL, x, y), expr_sext(pool, a, 32), expr_zext(pool, a, 32),
                       expr_concat(pool, expr_zext(pool, a, 16), expr_extract(pool, x, 0, 16)),
                       expr_ite(pool, bin(EXPR_ULT, x, y), k(32, 0x12345678), k(32, 7)), bin(EXPR_AND, x, k(32, 0xff00f0))};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++) {
        ExprId bytes[4];
        expr_split_bytes(pool, values[i], bytes, 4);
        assert_same(expr_join_bytes(pool, bytes, 0, 4), values[i]);
    }
}

static void shifted_bytes_are_concatenated(void **state)
{
    (void)state;
    ExprId high = bin(EXPR_SHL, expr_zext(pool, b, 32), k(32, 8)), low = expr_zext(pool, a, 32);
    ExprId both = expr_zext(pool, expr_concat(pool, b, a), 32);
    assert_same(bin(EXPR_OR, high, low), both);
    assert_same(bin(EXPR_ADD, high, low), both);
    assert_same(bin(EXPR_AND, both, k(32, 0xff)), low);
    assert_same(bin(EXPR_LSHR, both, k(32, 8)), expr_zext(pool, b, 32));
}

static void bytes_may_be_partly_concrete(void **state)
{
    (void)state;
    ExprId bytes[4] = {a, EXPR_NONE, EXPR_NONE, EXPR_NONE};
    assert_same(expr_join_bytes(pool, bytes, 0, 4), expr_zext(pool, a, 32));
    assert_prints(expr_join_bytes(pool, bytes, 0x01020304, 4), "(66051 ++ a)");
    bytes[0] = EXPR_NONE;
    assert_true(expr_is_none(expr_join_bytes(pool, bytes, 77, 4)));
    assert_true(expr_is_none(expr_binary_mixed(pool, EXPR_ADD, 32, EXPR_NONE, 1, EXPR_NONE, 2)));
    assert_true(expr_is_none(expr_binary_mixed(pool, EXPR_AND, 32, x, 5, EXPR_NONE, 0)));
    assert_same(expr_binary_mixed(pool, EXPR_ADD, 32, x, 5, EXPR_NONE, 0), x);
}

static void choices_are_simplified(void **state)
{
    (void)state;
    ExprId c = bin(EXPR_ULT, x, y);
    assert_same(expr_ite(pool, c, k(32, 1), k(32, 0)), expr_zext(pool, c, 32));
    assert_same(expr_ite(pool, expr_not(pool, bin(EXPR_EQ, x, y)), a, b), expr_ite(pool, bin(EXPR_EQ, x, y), b, a));
    ExprId digit = expr_ite(pool, c, k(32, 5), k(32, 9));
    assert_same(bin(EXPR_EQ, digit, k(32, 5)), c);
    assert_same(bin(EXPR_SLT, digit, k(32, 3)), expr_bool(pool, false));
    assert_same(bin(EXPR_ADD, digit, k(32, 1)), expr_ite(pool, c, k(32, 6), k(32, 10)));
    assert_same(expr_ite(pool, c, c, expr_bool(pool, true)), expr_bool(pool, true));
}

static void integers_beyond_128_bits_stay_unfolded(void **state)
{
    (void)state;
    ExprId large = expr_int(pool, (SignedBits)(~(Bits)0 >> 1));
    ExprId beyond = bin(EXPR_IADD, large, expr_int(pool, 1));
    assert_false(expr_is_const(pool, beyond, NULL));
    assert_false(expr_is_const(pool, bin(EXPR_IMUL, large, large), NULL));
}

static void a_reset_takes_back_nodes_and_keeps_inputs(void **state)
{
    (void)state;
    ExprMark mark = expr_mark(pool);
    uint64_t hash = 0;
    for (int round = 0; round < 3; round++) {
        for (Bits i = 1; i < 20000; i++)
            bin(EXPR_MUL, x, k(32, i));
        InputId late = input_make(pool->inputs, "late", 0, 16);
        ExprId e = bin(EXPR_ADD, expr_zext(pool, expr_input(pool, late), 32), x);
        assert_true(round == 0 || expr_get(pool, e)->hash == hash);
        hash = expr_get(pool, e)->hash;
        expr_reset(pool, mark);
        assert_int_equal(expr_count(pool), mark.count);
        assert_int_equal(input_make(pool->inputs, "late", 0, 16).index, late.index);
        assert_same(expr_input(pool, input_make(pool->inputs, "x", 0, 32)), x);
    }
    assert_int_equal(pool->generation, 3);
}

/* The same operation on the same numbers of nodes, which mean something else than before. */
static void what_was_made_is_forgotten_with_a_reset(void **state)
{
    (void)state;
    ExprMark mark = expr_mark(pool);
    ExprId left = bin(EXPR_AND, a, b), sum = bin(EXPR_ADD, left, k(8, 1));
    assert_prints(sum, "((b & a) + 1)");
    expr_reset(pool, mark);
    ExprId other = bin(EXPR_OR, a, b);
    assert_int_equal(other.id, left.id);
    assert_prints(bin(EXPR_ADD, other, k(8, 1)), "((b | a) + 1)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(equal_expressions_have_one_id, set_up, tear_down),
        cmocka_unit_test_setup_teardown(constants_are_folded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_was_made_is_forgotten_with_a_reset, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sums_are_normalised, set_up, tear_down),
        cmocka_unit_test_setup_teardown(comparisons_are_normalised, set_up, tear_down),
        cmocka_unit_test_setup_teardown(extensions_vanish_from_comparisons, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_become_the_value_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shifted_bytes_are_concatenated, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_may_be_partly_concrete, set_up, tear_down),
        cmocka_unit_test_setup_teardown(choices_are_simplified, set_up, tear_down),
        cmocka_unit_test_setup_teardown(integers_beyond_128_bits_stay_unfolded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reset_takes_back_nodes_and_keeps_inputs, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
