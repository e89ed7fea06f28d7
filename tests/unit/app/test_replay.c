/* test_replay.c - a replay follows its trace or says where it differs; bugs are listed once */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../fake.h"
#include "app/run/buglist.h"
#include "app/search/crash.h"
#include "app/tasks/replay.h"
#include "app/run/subject.h"

static const Subject SUBJECT = {.agent = "thread", .version = "build"};

typedef struct Bench {
    Region *region;
    Fake fake;
    Execution *ex;
    RunInfo info;
    BugList *bugs;
} Bench;

static void set_up(Bench *bench, uint32_t agents)
{
    static char *argv[] = {"fake", "argument", NULL};
    *bench = (Bench){.region = region_create(1 << 26), .fake = fake_make(agents)};
    bench->ex = execution_create(&bench->fake.program);
    bench->info = (RunInfo){.subject = &SUBJECT, .program = "/bin/fake", .directory = "/", .hash = "0123456789abcdef", .argc = 2, .argv = argv, .arguments = argv};
    options_init(&bench->info.options);
    bench->bugs = buglist_create(bench->region);
}

static void tear_down(Bench *bench)
{
    execution_destroy(bench->ex);
    region_destroy(bench->region);
    options_release(&bench->info.options);
}

/* The trace of the lost update. */
static Trace *record(Bench *bench, const char *order)
{
    Error error;
    fake_run_order(&bench->fake, bench->ex, order);
    buglist_add(bench->bugs, &bench->info, bench->ex, false);
    assert_int_equal(buglist_count(bench->bugs), 1);
    const Bug *bug = &bench->bugs->bugs[0];
    Trace *trace = trace_parse(bug->trace, bug->trace_size, "t", &error);
    assert_non_null(trace);
    return trace;
}

static void test_one_report_per_bug(void **state)
{
    (void)state;
    Bench bench;
    set_up(&bench, 2);
    const char *orders[] = {"0110", "1010", "0011", "0101"};
    for (unsigned i = 0; i < 4; i++) {
        fake_run_order(&bench.fake, bench.ex, orders[i]);
        buglist_add(bench.bugs, &bench.info, bench.ex, false);
    }
    assert_int_equal(buglist_count(bench.bugs), 1);
    assert_int_equal(bench.bugs->bugs[0].seen, 3);
    assert_string_equal(bench.bugs->bugs[0].kind, "assertion");
    assert_int_equal(strlen(bench.bugs->bugs[0].id), IDENTITY_DIGITS);
    tear_down(&bench);
}

static void test_same_again(void **state)
{
    (void)state;
    Bench bench;
    Replay replay;
    set_up(&bench, 2);
    Trace *trace = record(&bench, "0110");
    assert_int_equal(trace->preemptions, 1);
    assert_string_equal(trace->arguments[0], "argument");
    replay_init(&replay, bench.region, &bench.fake.program, trace);
    replay_run(&replay, &replay.picker, bench.ex);
    const Finding *finding = replay_conclude(&replay, bench.ex);
    assert_non_null(finding);
    assert_int_equal(finding->position, 4);
    assert_false(replay.state->differs);
    trace_destroy(trace);
    tear_down(&bench);
}

static void test_other_value(void **state)
{
    (void)state;
    Bench bench;
    Replay replay;
    set_up(&bench, 2);
    Trace *trace = record(&bench, "0110");
    bench.fake.offset = 5;
    replay_init(&replay, bench.region, &bench.fake.program, trace);
    replay_run(&replay, &replay.picker, bench.ex);
    assert_null(replay_conclude(&replay, bench.ex));
    assert_true(replay.state->differs);
    assert_int_equal(replay.state->position, 2);
    assert_string_equal(replay.state->expected, "thread 1: x = 1 at src/fake.c:20");
    assert_string_equal(replay.state->actual, "thread 1: x = 6 at src/fake.c:20");
    trace_destroy(trace);
    tear_down(&bench);
}

static void test_missing_agent(void **state)
{
    (void)state;
    Bench bench;
    Replay replay;
    set_up(&bench, 2);
    Trace *trace = record(&bench, "0110");
    bench.fake.agents = 1;
    replay_init(&replay, bench.region, &bench.fake.program, trace);
    replay_run(&replay, &replay.picker, bench.ex);
    assert_null(replay_conclude(&replay, bench.ex));
    assert_int_equal(replay.state->position, 1);
    assert_string_equal(replay.state->actual, "that thread cannot take a step here");
    trace_destroy(trace);
    tear_down(&bench);
}

static void test_crash_without_finding(void **state)
{
    (void)state;
    Bench bench;
    set_up(&bench, 2);
    fake_run_order(&bench.fake, bench.ex, "0011");
    assert_false(crash_note(bench.ex, 9));
    bench.ex->end = END_RUNNING;
    assert_true(crash_note(bench.ex, 9));
    assert_int_equal(bench.ex->end, END_CRASHED);
    assert_int_equal(bench.ex->findings[0].kind, BUG_CRASH);
    assert_string_equal(bench.ex->findings[0].text, "the program was killed by signal 9 (Killed)");
    tear_down(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_report_per_bug), cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_other_value),        cmocka_unit_test(test_missing_agent),
        cmocka_unit_test(test_crash_without_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
