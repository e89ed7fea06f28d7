/* test_summary.c - the verdict says what was done, no more; numbers for people */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "report/progress.h"
#include "report/summary.h"

static void check(const Summary *summary, Verdict verdict, ExitCode code, const char *sentence)
{
    Text text = {0};
    summary_write_verdict(summary, &text);
    assert_int_equal(summary_verdict(summary), verdict);
    assert_int_equal(summary_exit_code(summary), code);
    assert_string_equal(text.data, sentence);
    text_release(&text);
}

static void test_exhaustive(void **state)
{
    (void)state;
    Summary summary = {.complete = true, .searched = true, .stats = {.executions = 5040}};
    summary_add_bound(&summary, "max-steps", 100, 0, "at most 100 steps per thread");
    check(&summary, VERDICT_EXHAUSTIVE, EXIT_CLEAN,
          "exhaustive: every schedule covered by 5,040 executions, no bug");
    summary.bugs = 2;
    check(&summary, VERDICT_EXHAUSTIVE, EXIT_BUG,
          "exhaustive: every schedule covered by 5,040 executions, 2 different bugs");
    summary.inputs = true;
    check(&summary, VERDICT_EXHAUSTIVE, EXIT_BUG,
          "exhaustive: every schedule and every path of the inputs covered by 5,040 executions, 2 different bugs");
}

static void test_bounded(void **state)
{
    (void)state;
    Summary summary = {.complete = true, .searched = true, .stats = {.executions = 12}};
    summary_add_bound(&summary, "preemptions", 2, 1234, "at most 2 preemptions");
    check(&summary, VERDICT_BOUNDED, EXIT_CLEAN,
          "exhaustive within bounds: 12 schedules explored; bounds: at most 2 preemptions (hit 1,234 times), no bug");
    summary.stats.cut = 3;
    check(&summary, VERDICT_BOUNDED, EXIT_CLEAN,
          "exhaustive within bounds: 12 schedules explored, 3 of them cut; bounds: at most 2 preemptions "
          "(hit 1,234 times), no bug");
}

static void test_but_for(void **state)
{
    (void)state;
    Summary summary = {.complete = true, .searched = true, .stats = {.executions = 12, .agents = 1}};
    const Unseen call = {.kind = UNSEEN_CALL, .name = "f", .file = "/src/a.c", .line = 12};
    summary_add_unseen(&summary, &call);
    check(&summary, VERDICT_EXHAUSTIVE, EXIT_CLEAN, "exhaustive: every schedule covered by 12 executions, no bug");
    summary.stats.agents = 2;
    summary_add_unseen(&summary, &call);
    summary_add_unseen(&summary, &call);
    summary_add_unseen(&summary, &(Unseen){.kind = UNSEEN_CALL, .name = "g"});
    check(&summary, VERDICT_BUT_FOR, EXIT_CLEAN,
          "exhaustive but for: f (a.c:12), g; every schedule covered by 12 executions, no bug");
    summary_add_unseen(&summary, &(Unseen){.kind = UNSEEN_CALL, .name = "f", .file = "/src/b.c", .line = 3});
    summary_add_unseen(&summary, &(Unseen){.kind = UNSEEN_ASSEMBLY, .name = "bts", .file = "/src/b.c", .line = 4});
    summary_add_bound(&summary, "preemptions", 2, 1, "at most 2 preemptions");
    check(&summary, VERDICT_BOUNDED, EXIT_CLEAN,
          "exhaustive within bounds: 12 schedules explored; bounds: at most 2 preemptions (hit 1 time); "
          "but for: f (a.c:12, ..), g, assembly bts (b.c:4), no bug");
    summary.complete = false;
    summary.ending = ENDING_INTERRUPTED;
    assert_int_equal(summary_verdict(&summary), VERDICT_INCOMPLETE);
    assert_string_equal(verdict_name(VERDICT_BUT_FOR), "exhaustive-but-for");
}

static void test_command(void **state)
{
    (void)state;
    Text text = {0};
    Summary summary = {.command = "sennit explore --store redis://me:secret@host/1 ./a --store=redis://host b@c"};
    summary_write_command(&summary, &text);
    assert_string_equal(text.data, "sennit explore --store redis://...@host/1 ./a --store=redis://host b@c");
    text_release(&text);
}

static void test_early_ends(void **state)
{
    (void)state;
    Summary summary = {.searched = true, .ending = ENDING_TIME, .stats = {.executions = 12, .estimate = {4e6, 3e6, 5.2e6}}};
    check(&summary, VERDICT_INCOMPLETE, EXIT_BUDGET,
          "stopped by --max-time: 12 schedules explored of an estimated 4.0M (+-30%); others remain, no bug");
    summary.stats.executions = 3500000; /* no estimate is below what is known */
    check(&summary, VERDICT_INCOMPLETE, EXIT_BUDGET,
          "stopped by --max-time: 3,500,000 schedules explored of an estimated 4.0M (3.5M..5.2M); others remain, no bug");
    summary.stats.executions = 12;
    summary.ending = ENDING_INTERRUPTED;
    summary.bugs = 1;
    summary.unconfirmed = 1;
    check(&summary, VERDICT_INCOMPLETE, EXIT_INTERRUPTED,
          "interrupted: 12 schedules explored of an estimated 4.0M (+-30%); others remain, 1 bug (1 not confirmed)");
    summary.sampled = true; /* as well */
    assert_int_equal(summary_verdict(&summary), VERDICT_INCOMPLETE);
    summary.ending = ENDING_BUG;
    assert_int_equal(summary_exit_code(&summary), EXIT_DIVERGED);
    summary.unreplayed = 1;
    assert_int_equal(summary_exit_code(&summary), EXIT_BUDGET);
    summary.bugs = summary.unconfirmed = 2; /* the replay of the other one differs */
    assert_int_equal(summary_exit_code(&summary), EXIT_DIVERGED);
    summary.failed_replays = 1; /* or there was no process for it */
    assert_int_equal(summary_exit_code(&summary), EXIT_INTERNAL);
    summary.bugs = 3;
    assert_int_equal(summary_exit_code(&summary), EXIT_BUG);
    summary.bugs = 2;
    summary.ending = ENDING_REFUSED;
    assert_int_equal(summary_exit_code(&summary), EXIT_USAGE);
    summary.ending = ENDING_FAILED;
    assert_int_equal(summary_exit_code(&summary), EXIT_INTERNAL);
}

static void test_sampled(void **state)
{
    (void)state;
    Summary summary = {.sampled = true, .ending = ENDING_EXECUTIONS, .strategies = "pct:3", .seed = 7,
                       .stats = {.executions = 10000}};
    check(&summary, VERDICT_SAMPLED, EXIT_BUDGET,
          "sampled: 10,000 schedules (pct:3, seed 7), not exhaustive, no bug");
}

static void check_number(void (*add)(Text *, double), double number, const char *expected)
{
    Text text = {0};
    add(&text, number);
    assert_string_equal(text.data, expected);
    text_release(&text);
}

static void test_numbers(void **state)
{
    (void)state;
    check_number(style_add_short, 842, "842");
    check_number(style_add_short, 8420, "8.4k");
    check_number(style_add_short, 842000, "842k");
    check_number(style_add_short, 999999, "1.0M");
    check_number(style_add_time, 0.004, "4 ms");
    check_number(style_add_time, 3.21, "3.2 s");
    check_number(style_add_time, 74, "1:14 min");
    check_number(style_add_time, 7260, "2:01 h");
}

static void test_progress_line(void **state)
{
    (void)state;
    Text line = {0};
    ExploreStats stats = {.executions = 12408, .estimate = {310000, 221000, 434000}};
    progress_write_line(&line, &stats, &(ProgressWork){.workers = 1, .open = 1}, 0, 14.2, 842000, 0);
    assert_string_equal(line.data, "#12,408 execs  0 bugs  0 redundant  842k/s  00:14  est 310k (+-40%)  ETA 00:00");
    text_reset(&line);
    stats.estimate = (Estimate){310000, 90000, 1.1e6};
    progress_write_line(&line, &stats, &(ProgressWork){.workers = 8, .open = 96}, 1, 14.2, 1000, 0);
    assert_string_equal(line.data,
                        "#12,408 execs  1 bug  0 redundant  1.0k/s  8 workers  96 jobs  00:14  est 310k (90k..1.1M)  ETA 04:57");
    text_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exhaustive), cmocka_unit_test(test_bounded), cmocka_unit_test(test_but_for), cmocka_unit_test(test_command),
        cmocka_unit_test(test_early_ends),
        cmocka_unit_test(test_sampled),    cmocka_unit_test(test_numbers), cmocka_unit_test(test_progress_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
