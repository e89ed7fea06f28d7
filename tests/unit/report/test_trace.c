/* test_trace.c - traces are read back as written; anything else is refused with the line */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../fake.h"
#include "report/identity.h"
#include "report/trace.h"
#include "sennit_version.h"

/* A trace of the lost update, with everything that needs escaping. */
static Trace *make_trace(void)
{
    Fake fake = fake_make(2);
    Execution *ex = execution_create(&fake.program);
    Trace *trace = trace_create();
    fake_run_order(&fake, ex, "0110");
    trace->program = "/home/me/my prog";
    trace->hash = "0123456789abcdef";
    trace->directory = "/home/me";
    trace->options = "--plain=visible";
    trace_add_argument(trace, "a b");
    trace_add_argument(trace, "line\nend \\ back");
    trace_add_steps(trace, &fake.program, ex, ex->findings[0].position);
    trace_set_bug(trace, &fake.program, &ex->findings[0], "1c9e");
    trace->preemptions = 1;
    execution_destroy(ex);
    return trace;
}

static Text write_trace(void)
{
    Text text = {0};
    Trace *trace = make_trace();
    trace_write(trace, &text);
    trace_destroy(trace);
    return text;
}

static void test_round_trip(void **state)
{
    (void)state;
    Error error;
    Text text = write_trace(), again = {0};
    Trace *trace = trace_parse(text.data, text.length, "t", &error);
    assert_non_null(trace);
    assert_int_equal(trace->step_count, 4);
    assert_string_equal(trace->steps[1].agent, "1");
    assert_string_equal(trace->steps[1].text, "read x: 0");
    assert_string_equal(trace->steps[1].place.file, "src/fake.c");
    assert_int_equal(trace->steps[1].place.line, 10);
    assert_string_equal(trace->arguments[1], "line\nend \\ back");
    assert_string_equal(trace->program, "/home/me/my prog");
    assert_string_equal(trace->kind, "assertion");
    assert_string_equal(trace->summary, "assertion failed: x == 2");
    assert_int_equal(trace->place_count, 1);
    assert_false(trace->unminimised);
    trace_write(trace, &again);
    assert_string_equal(text.data, again.data);
    trace_destroy(trace);
    text_release(&text);
    text_release(&again);
}

static void test_unminimised(void **state)
{
    (void)state;
    Error error;
    Text text = {0};
    Trace *trace = make_trace();
    trace->unminimised = true;
    trace_write(trace, &text);
    trace_destroy(trace);
    assert_non_null(strstr(text.data, "preemptions 1\nminimised no\n"));
    trace = trace_parse(text.data, text.length, "t", &error);
    assert_non_null(trace);
    assert_true(trace->unminimised);
    trace_destroy(trace);
    text_release(&text);
}

static void refuse(const char *text, size_t size, const char *part_of_message)
{
    Error error = {0};
    assert_null(trace_parse(text, size, "t.trace", &error));
    assert_int_equal(error.code, EXIT_USAGE);
    if (!strstr(error.text, part_of_message))
        fail_msg("\"%s\" does not contain \"%s\"", error.text, part_of_message);
}

/* Replaces the first `from` by `to`. */
static void refuse_changed(const char *from, const char *to, const char *part_of_message)
{
    Text text = write_trace(), changed = {0};
    char *at = strstr(text.data, from);
    assert_non_null(at);
    text_add_bytes(&changed, text.data, (size_t)(at - text.data));
    text_add_string(&changed, to);
    text_add_string(&changed, at + strlen(from));
    refuse(changed.data, changed.length, part_of_message);
    text_release(&text);
    text_release(&changed);
}

static void test_damage(void **state)
{
    (void)state;
    refuse("", 0, "not a Sennit trace");
    refuse("hello\n", 6, "not a Sennit trace");
    refuse("\0\1\2", 3, "not a Sennit trace");
    refuse_changed("sennit-trace 1", "sennit-trace 2", "trace format 2, this Sennit reads format 1");
    refuse_changed("sennit-trace 1", "sennit-trace x", "t.trace:1:");
    refuse_changed("version " SENNIT_VERSION, "version 9.9", "written by Sennit 9.9");
    refuse_changed("step 2 ", "step 3 ", "steps are not numbered consecutively");
    refuse_changed("step 2    1 ", "step 2    x ", "the agent of a step");
    refuse_changed("fake.c:20:1", "fake.c:20", "the place of a step");
    refuse_changed("options", "opinions", "unknown line");
    refuse_changed("preemptions 1", "minimised maybe", "expected `no`");
    refuse_changed("read x: 0", "read x: 1", "changed after it was written");
    refuse_changed("steps 4", "steps 5", "checksum");
}

/* Cut off anywhere, a trace is refused. */
static void test_truncation(void **state)
{
    (void)state;
    Text text = write_trace();
    for (size_t size = 0; size < text.length; size++) {
        Error error = {0};
        assert_null(trace_parse(text.data, size, "t", &error));
        assert_true(*error.text);
    }
    text_release(&text);
}

/* One byte changed anywhere, a trace is refused. */
static void test_flipped_bytes(void **state)
{
    (void)state;
    Text text = write_trace();
    for (size_t i = 0; i < text.length; i++) {
        Error error = {0};
        text.data[i] ^= 1;
        assert_null(trace_parse(text.data, text.length, "t", &error));
        text.data[i] ^= 1;
    }
    text_release(&text);
}

static void test_comparison(void **state)
{
    (void)state;
    Trace *a = make_trace(), *b = make_trace();
    assert_true(trace_same_step(a, &a->steps[2], b, &b->steps[2]));
    b->steps[2].digest++;
    assert_false(trace_same_step(a, &a->steps[2], b, &b->steps[2]));
    assert_true(trace_same_decision(a, &a->steps[2], b, &b->steps[2]));
    b->steps[2].place.line++;
    assert_false(trace_same_decision(a, &a->steps[2], b, &b->steps[2]));
    trace_destroy(a);
    trace_destroy(b);
}

static void test_identity(void **state)
{
    (void)state;
    Fake fake = fake_make(2);
    Finding race = {.kind = BUG_DATA_RACE, .site_count = 2, .sites = {10, 20}};
    Finding swapped = {.kind = BUG_DATA_RACE, .site_count = 2, .sites = {20, 10}};
    Finding repeated = {.kind = BUG_DATA_RACE, .site_count = 3, .sites = {10, 20, 10}};
    Finding other = {.kind = BUG_CRASH, .site_count = 2, .sites = {10, 20}};
    Finding elsewhere = {.kind = BUG_DATA_RACE, .site_count = 2, .sites = {10, 21}};
    uint64_t identity = identity_of(&fake.program, &race);
    assert_true(identity == identity_of(&fake.program, &swapped));
    assert_true(identity == identity_of(&fake.program, &repeated));
    assert_true(identity != identity_of(&fake.program, &other));
    assert_true(identity != identity_of(&fake.program, &elsewhere));
    char text[IDENTITY_TEXT];
    identity_write(0x1c9e000000000000ull, 4, text);
    assert_string_equal(text, "1c9e");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),    cmocka_unit_test(test_unminimised),
        cmocka_unit_test(test_damage),     cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_flipped_bytes), cmocka_unit_test(test_comparison), cmocka_unit_test(test_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
