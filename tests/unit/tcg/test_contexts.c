/* test_contexts.c - initial contexts, one of each kind */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tcg/contexts.h"

enum { DB, WORKER };
static const char *const class_names[] = {"db", "w"};
static const char *const method_names[] = {"register", "getData", "work", "m"};
enum { REGISTER, GET_DATA, WORK, M };

/* "{[register getData]db} {[register]db [getData]db}" */
static void print_contexts(const InitialCall *calls, uint32_t count, char *text, size_t size)
{
    ContextList contexts = {0};
    size_t at = 0;
    text[0] = 0;
    assert_true(contexts_generate(calls, count, 1000, &contexts));
    for (uint32_t c = 0; c < contexts.count; c++) {
        const InitialContext *context = &contexts.items[c];
        at += (size_t)snprintf(text + at, size - at, "%s{", c ? " " : "");
        for (uint32_t o = 0; o < context->count; o++) {
            const char *gap = "";
            at += (size_t)snprintf(text + at, size - at, "%s[", o ? " " : "");
            for (uint32_t m = 0; m < count; m++)
                for (uint32_t n = 0; n < context->items[o].tasks[m]; n++, gap = " ")
                    at += (size_t)snprintf(text + at, size - at, "%s%s", gap, method_names[calls[m].method]);
            at += (size_t)snprintf(text + at, size - at, "]%s", class_names[context->items[o].class]);
        }
        at += (size_t)snprintf(text + at, size - at, "}");
    }
    contexts_free(&contexts);
}

static void assert_contexts(const InitialCall *calls, uint32_t count, const char *expected)
{
    char text[4096];
    print_contexts(calls, count, text, sizeof text);
    assert_string_equal(text, expected);
}

static void one_method_twice(void **state)
{
    (void)state;
    InitialCall calls[] = {{DB, M, 1, 2}};
    assert_contexts(calls, 1, "{[m]db} {[m m]db} {[m]db [m]db}");
}

static void optional_second_method(void **state)
{
    (void)state;
    InitialCall calls[] = {{DB, REGISTER, 1, 1}, {DB, GET_DATA, 0, 1}};
    assert_contexts(calls, 2, "{[register]db} {[register getData]db} {[register]db [getData]db}");
}

static void optional_first_method(void **state)
{
    (void)state;
    InitialCall calls[] = {{DB, REGISTER, 0, 1}, {DB, GET_DATA, 1, 1}};
    assert_contexts(calls, 2, "{[getData]db} {[register getData]db} {[register]db [getData]db}");
}

static void two_classes(void **state)
{
    (void)state;
    InitialCall calls[] = {{DB, REGISTER, 1, 1}, {DB, GET_DATA, 1, 1}, {WORKER, WORK, 1, 1}};
    assert_contexts(calls, 3, "{[register getData]db [work]w} {[register]db [getData]db [work]w}");
}

static void order_of_calls_does_not_matter(void **state)
{
    (void)state;
    InitialCall calls[] = {{DB, REGISTER, 1, 1}, {WORKER, WORK, 1, 1}, {DB, GET_DATA, 1, 1}};
    assert_contexts(calls, 3, "{[register getData]db [work]w} {[register]db [getData]db [work]w}");
}

static void nothing_is_no_context(void **state)
{
    (void)state;
    InitialCall calls[] = {{DB, REGISTER, 0, 1}};
    assert_contexts(calls, 1, "{[register]db}");
}

/* The number of ways to split n equal tasks is the number of partitions of n; of n different
 * ones, the Bell number. */
static void numbers_of_partitions(void **state)
{
    (void)state;
    ContextList contexts = {0};
    InitialCall equal[] = {{DB, M, 7, 7}};
    InitialCall different[] = {{DB, 0, 1, 1}, {DB, 1, 1, 1}, {DB, 2, 1, 1}, {DB, 3, 1, 1}, {DB, 4, 1, 1}};
    assert_true(contexts_generate(equal, 1, 1000, &contexts));
    assert_int_equal(contexts.count, 15);
    contexts_free(&contexts);
    assert_true(contexts_generate(different, 5, 1000, &contexts));
    assert_int_equal(contexts.count, 52);
    contexts_free(&contexts);
}

static void limit_is_kept(void **state)
{
    (void)state;
    ContextList contexts = {0};
    InitialCall calls[] = {{DB, M, 1, 9}};
    assert_false(contexts_generate(calls, 1, 10, &contexts));
    assert_int_equal(contexts.count, 10);
    contexts_free(&contexts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_method_twice),
        cmocka_unit_test(optional_second_method),
        cmocka_unit_test(optional_first_method),
        cmocka_unit_test(two_classes),
        cmocka_unit_test(order_of_calls_does_not_matter),
        cmocka_unit_test(nothing_is_no_context),
        cmocka_unit_test(numbers_of_partitions),
        cmocka_unit_test(limit_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
