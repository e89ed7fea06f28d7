/* test_json.c - JSON is well-formed whatever goes in */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/json.h"

static void test_nesting(void **state)
{
    (void)state;
    Text text = {0};
    Json json = {.text = &text, .first = true};
    json_open_object(&json, NULL);
    json_add_string(&json, "a", "b");
    json_open_list(&json, "l");
    json_add_count(&json, NULL, 1);
    json_add_integer(&json, NULL, -2);
    json_close_list(&json);
    json_open_object(&json, "empty");
    json_close_object(&json);
    json_add_bool(&json, "t", true);
    json_add_string(&json, "n", NULL);
    json_add_number(&json, "x", 0.5);
    json_close_object(&json);
    assert_string_equal(text.data, "{\"a\": \"b\", \"l\": [1, -2], \"empty\": {}, \"t\": true, \"n\": null, \"x\": 0.5}");
    text_release(&text);
}

static void test_pretty(void **state)
{
    (void)state;
    Text text = {0};
    Json json = {.text = &text, .pretty = true, .first = true};
    json_open_object(&json, NULL);
    json_add_count(&json, "a", 1);
    json_open_list(&json, "l");
    json_add_raw(&json, NULL, "{}");
    json_close_list(&json);
    json_close_object(&json);
    assert_string_equal(text.data, "{\n  \"a\": 1,\n  \"l\": [\n    {}\n  ]\n}");
    text_release(&text);
}

static void check_string(const char *bytes, size_t size, const char *expected)
{
    Text text = {0};
    Json json = {.text = &text, .first = true};
    json_add_bytes(&json, NULL, bytes, size);
    assert_string_equal(text.data, expected);
    text_release(&text);
}

static void test_strings(void **state)
{
    (void)state;
    check_string("a\"b\\c\n\t\x01", 8, "\"a\\\"b\\\\c\\n\\t\\u0001\"");
    check_string("\0", 1, "\"\\u0000\"");
    check_string("gr\xc3\xbc\xc3\x9f", 6, "\"gr\xc3\xbc\xc3\x9f\"");
    check_string("\xff\xc3", 2, "\"\\ufffd\\ufffd\"");
    check_string("\xed\xa0\x80", 3, "\"\\ufffd\\ufffd\\ufffd\"");
    check_string("\xc0\xaf", 2, "\"\\ufffd\\ufffd\"");
    check_string("\xf0\x9f\x98\x80", 4, "\"\xf0\x9f\x98\x80\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_pretty),
        cmocka_unit_test(test_strings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
