/* Expressions as bytes: round trips, streams, damaged bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sym/expr/eval.h"
#include "sym/expr/wire.h"

static ExprId sample(ExprPool *pool)
{
    ExprId x = expr_input(pool, input_make(pool->inputs, "x", 0, 32));
    ExprId y = expr_input(pool, input_make(pool->inputs, "packet", 3, 8));
    ExprId wide = expr_const(pool, 128, (Bits)1 << 127 | 5);
    ExprId sum = expr_binary(pool, EXPR_ADD, x, expr_zext(pool, y, 32));
    ExprId high = expr_extract(pool, expr_binary(pool, EXPR_MUL, expr_sext(pool, sum, 128), wide), 90, 32);
    return expr_ite(pool, expr_binary(pool, EXPR_SLT, sum, x), high, expr_binary(pool, EXPR_UDIV, x, sum));
}

/* One expression as a stream of its own. */
static void write_one(const ExprPool *pool, ExprId e, Text *bytes)
{
    WireWriter writer = {0};
    wire_writer_reset(&writer, pool);
    wire_put_exprs(&writer, &e, 1, bytes);
    wire_writer_release(&writer);
}

static bool read_one(ExprPool *pool, const char *bytes, size_t size, ExprId *e)
{
    WireReader reader = {0};
    WireBytes rest = {(const unsigned char *)bytes, (const unsigned char *)bytes + size};
    ExprVec all = {0};
    wire_reader_reset(&reader, pool);
    bool good = wire_get_exprs(&reader, &rest, &all) && all.count == 1;
    if (good)
        *e = all.items[0];
    VEC_FREE(&all);
    wire_reader_release(&reader);
    return good;
}

static void an_expression_survives_another_pool(void **state)
{
    (void)state;
    ExprPool *here = expr_pool_create(1 << 12), *there = expr_pool_create(1 << 12);
    input_make(there->inputs, "another", 0, 8); /* so that inputs are numbered differently */
    Text bytes = {0};
    ExprId e = sample(here), read;
    write_one(here, e, &bytes);
    assert_true(read_one(there, bytes.data, bytes.length, &read));
    assert_true(expr_get(here, e)->hash == expr_get(there, read)->hash);
    assert_int_equal(read.id, sample(there).id);
    text_release(&bytes);
    expr_pool_destroy(here);
    expr_pool_destroy(there);
}

static void a_stream_writes_each_node_once(void **state)
{
    (void)state;
    ExprPool *here = expr_pool_create(1 << 12), *there = expr_pool_create(1 << 12);
    WireWriter writer = {0};
    WireReader reader = {0};
    Text first = {0}, second = {0};
    ExprVec read = {0};
    wire_writer_reset(&writer, here);
    wire_reader_reset(&reader, there);
    ExprId e = sample(here), both[2] = {expr_binary(here, EXPR_EQ, e, expr_const(here, 32, 9)), e};
    wire_put_exprs(&writer, &e, 1, &first);
    wire_put_exprs(&writer, both, 2, &second);
    assert_true(second.length < first.length);
    WireBytes bytes = {(unsigned char *)first.data, (unsigned char *)first.data + first.length};
    assert_true(wire_get_exprs(&reader, &bytes, &read) && read.count == 1 && bytes.next == bytes.end);
    bytes = (WireBytes){(unsigned char *)second.data, (unsigned char *)second.data + second.length};
    assert_true(wire_get_exprs(&reader, &bytes, &read) && read.count == 2);
    assert_true(expr_get(there, read.items[0])->hash == expr_get(here, both[0])->hash);
    VEC_FREE(&read);
    text_release(&first);
    text_release(&second);
    wire_writer_release(&writer);
    wire_reader_release(&reader);
    expr_pool_destroy(here);
    expr_pool_destroy(there);
}

/* Whatever the bytes, reading ends with an answer and makes no ill-formed node. */
static void damaged_bytes_are_refused(void **state)
{
    (void)state;
    ExprPool *here = expr_pool_create(1 << 12), *there = expr_pool_create(1 << 16);
    Evaluator *evaluator = evaluator_create(there);
    Assignment none = {0};
    Text bytes = {0};
    ExprId e = sample(here), read;
    write_one(here, e, &bytes);
    for (size_t length = 0; length < bytes.length; length++)
        assert_false(read_one(there, bytes.data, length, &read));
    ExprMark mark = expr_mark(there);
    for (size_t i = 0; i < bytes.length; i++) {
        for (int bit = 0; bit < 8; bit++) {
            Bits value;
            bytes.data[i] = (char)(bytes.data[i] ^ 1 << bit);
            evaluator_use(evaluator, &none);
            if (read_one(there, bytes.data, bytes.length, &read))
                evaluator_get(evaluator, read, &value);
            bytes.data[i] = (char)(bytes.data[i] ^ 1 << bit);
            expr_reset(there, mark);
        }
    }
    text_release(&bytes);
    evaluator_destroy(evaluator);
    expr_pool_destroy(here);
    expr_pool_destroy(there);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_expression_survives_another_pool),
        cmocka_unit_test(a_stream_writes_each_node_once),
        cmocka_unit_test(damaged_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
