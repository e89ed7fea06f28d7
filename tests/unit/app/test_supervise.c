/* test_supervise.c - a search goes on when the program kills its worker, and ends as it should */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../fake.h"
#include "app/run/subject.h"
#include "app/search/supervise.h"

static const Subject SUBJECT = {.agent = "thread", .version = "build"};

typedef struct Bench {
    Watcher watcher; /* first */
    Region *region;
    Fake fake;
    RunInfo info;
    Signals signals;
    RunSearch *search;
    Supervision supervision;
    Summary summary;
    unsigned watched;
} Bench;

static void watch(Watcher *self, double seconds)
{
    assert_true(seconds >= 0);
    ((Bench *)self)->watched++;
}

/* Searches the fake program with these options. */
static void search(Bench *bench, uint32_t agents, bool crashes, const char *options)
{
    static char *argv[] = {"fake", NULL};
    Error error = {0};
    *bench = (Bench){.watcher = {.watch = watch}, .region = region_create(1 << 28), .fake = fake_make(agents)};
    bench->fake.crashes = crashes;
    bench->info = (RunInfo){.subject = &SUBJECT, .program = "/bin/fake", .directory = "/", .argc = 1, .argv = argv, .arguments = argv};
    options_init(&bench->info.options);
    assert_true(options_parse_text(&bench->info.options, USE_SEARCH, options, &error));
    assert_true(signals_open(&bench->signals, &error));
    bench->search = search_create(bench->region, &bench->fake.program, &bench->info);
    assert_non_null(bench->search);
    supervise_search(bench->search, &bench->info, &bench->signals, &bench->watcher, &bench->supervision);
    search_summarise(bench->search, &bench->summary);
}

static void tear_down(Bench *bench)
{
    signals_close(&bench->signals);
    options_release(&bench->info.options);
    region_destroy(bench->region);
}

static void test_first_bug(void **state)
{
    (void)state;
    Bench bench;
    search(&bench, 2, false, "");
    assert_int_equal(bench.summary.ending, ENDING_BUG);
    assert_int_equal(buglist_count(search_bugs(bench.search)), 1);
    assert_false(bench.summary.complete);
    assert_int_equal(summary_verdict(&bench.summary), VERDICT_INCOMPLETE);
    assert_true(bench.supervision.peak_kb > 0);
    tear_down(&bench);
}

static void test_everything(void **state)
{
    (void)state;
    Bench bench;
    search(&bench, 2, false, "-k --reduction=none");
    assert_int_equal(bench.summary.ending, ENDING_DONE);
    assert_true(bench.summary.complete);
    assert_int_equal(bench.summary.stats.executions, 6);
    assert_int_equal(bench.summary.stats.failing, 4);
    assert_int_equal(summary_verdict(&bench.summary), VERDICT_EXHAUSTIVE);
    assert_int_equal(search_bugs(bench.search)->bugs[0].seen, 4);
    tear_down(&bench);
}

/* The number of executions does not depend on the number of workers. */
static void test_workers(void **state)
{
    (void)state;
    Bench one, four;
    search(&one, 4, false, "-k");
    search(&four, 4, false, "-k -j 4");
    assert_int_equal(search_workers(four.search), 4);
    assert_int_equal(one.summary.stats.executions, four.summary.stats.executions);
    assert_int_equal(four.summary.stats.redundant, 0);
    assert_true(four.summary.complete);
    assert_int_equal(buglist_count(search_bugs(four.search)), 1);
    tear_down(&one);
    tear_down(&four);
}

/* A program that calls abort() kills the worker; each time another one goes on. */
static void test_crashes(void **state)
{
    (void)state;
    Bench bench;
    search(&bench, 2, true, "-k --reduction=none");
    assert_int_equal(bench.summary.ending, ENDING_DONE);
    assert_int_equal(bench.summary.stats.executions, 6);
    assert_int_equal(bench.summary.stats.crashed, 4);
    assert_int_equal(summary_verdict(&bench.summary), VERDICT_BOUNDED);
    assert_true(buglist_count(search_bugs(bench.search)) >= 1);
    assert_string_equal(search_bugs(bench.search)->bugs[0].kind, "crash");
    tear_down(&bench);
}

static void test_budget(void **state)
{
    (void)state;
    Bench bench;
    search(&bench, 4, false, "-k --max-execs 7");
    assert_int_equal(bench.summary.ending, ENDING_EXECUTIONS);
    assert_int_equal(bench.summary.stats.executions, 7);
    tear_down(&bench);
    search(&bench, 3, false, "-k --strategy=random,pct:2 --max-execs 100 -j 2");
    assert_int_equal(bench.summary.ending, ENDING_EXECUTIONS);
    /* a worker that falls behind still does the half that it took at the beginning */
    assert_true(bench.summary.stats.executions >= 100 && bench.summary.stats.executions <= 150);
    assert_int_equal(summary_verdict(&bench.summary), VERDICT_SAMPLED);
    tear_down(&bench);
}

static void test_time(void **state)
{
    (void)state;
    Bench bench;
    search(&bench, 8, false, "-k --max-time 300ms");
    assert_int_equal(bench.summary.ending, ENDING_TIME);
    assert_true(bench.watched > 2);
    assert_true(bench.supervision.seconds < 5);
    tear_down(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_bug), cmocka_unit_test(test_everything), cmocka_unit_test(test_workers),
        cmocka_unit_test(test_crashes),   cmocka_unit_test(test_budget),     cmocka_unit_test(test_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
