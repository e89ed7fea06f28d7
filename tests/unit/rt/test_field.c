/* test_field.c - parts of variables are called as in C */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rt/detect/field.h"

static void check(const char *layout, uint64_t offset, const char *expected)
{
    char text[64];
    field_name(layout, offset, text, sizeof text);
    assert_string_equal(text, expected);
}

static void test_scalars(void **state)
{
    (void)state;
    check(NULL, 0, "");
    check("", 0, "");
    check("", 3, "+3");
}

static void test_structs(void **state)
{
    (void)state;
    const char *account = "{0:number;8:balance;16:lock;}";
    check(account, 0, ".number");
    check(account, 8, ".balance");
    check(account, 20, ".lock+4");
    check("{0:a{0:x;4:y;};8:b;}", 4, ".a.y");
    check("{0:a{0:x;4:y;};8:b;}", 8, ".b");
    check("{0:{0:x;4:y;};8:b;}", 4, ".y");
}

static void test_arrays(void **state)
{
    (void)state;
    check("[4]", 8, "[2]");
    check("[4]", 9, "[2]+1");
    check("[12][4]", 16, "[1][1]");
    check("[56]{0:number;16:lock;}", 56 + 16, "[1].lock");
    check("{0:size;8:slots[16]{0:key;8:value;};}", 8 + 32 + 8, ".slots[2].value");
}

/* A text that is too small or damaged is cut, never overrun. */
static void test_limits(void **state)
{
    (void)state;
    char text[6];
    field_name("{0:number;8:balance;}", 8, text, sizeof text);
    assert_string_equal(text, ".bala");
    check("{", 4, "+4");
    check("[0]", 4, "[0]+4");
    check("{8:late;}", 0, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_arrays),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
