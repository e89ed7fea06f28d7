/* test_options.c - options mean the same everywhere; wrong ones are named */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "app/options/options.h"

static void accept(const char *text, Options *options)
{
    Error error = {0};
    options_init(options);
    if (!options_parse_text(options, USE_EVERY, text, &error))
        fail_msg("%s: %s", text, error.text);
}

static void refuse(const char *text, const char *message)
{
    Options options;
    Error error = {0};
    options_init(&options);
    assert_false(options_parse_text(&options, USE_TEST, text, &error));
    assert_int_equal(error.code, EXIT_USAGE);
    assert_string_equal(error.text, message);
    options_release(&options);
}

static void test_defaults(void **state)
{
    (void)state;
    Options options;
    accept("", &options);
    assert_int_equal(options.strategies.count, 1);
    assert_int_equal(options.strategies.items[0].strategy, STRATEGY_EXHAUSTIVE);
    assert_int_equal(options.reduction, REDUCTION_OPTIMAL);
    assert_int_equal(options.preemptions, -1);
    assert_true(options.max_time == 0);
    assert_int_equal(options.seed, 1);
    assert_int_equal(options.plain, PLAIN_RACE);
    assert_string_equal(options.directory, "");
    options_release(&options);
}

static void test_values(void **state)
{
    (void)state;
    Options options;
    accept("-k -j4 -o 'my dir' --max-time 10m --max-execs=20k --max-steps=1.5M --preemptions 0 "
           "--strategy=exhaustive,pct:5,turns --reduction=source --plain=visible --check=leak "
           "--isolate=fork --seed=18446744073709551615 -q",
           &options);
    assert_true(options.keep_going && options.quiet);
    assert_int_equal(options.jobs, 4);
    assert_string_equal(options.directory, "my dir");
    assert_true(options.max_time == 600);
    assert_int_equal(options.max_execs, 20000);
    assert_int_equal(options.max_steps, 1500000);
    assert_int_equal(options.preemptions, 0);
    assert_int_equal(options.strategies.count, 3);
    assert_int_equal(options.strategies.items[1].pct_depth, 5);
    assert_int_equal(options.strategies.items[2].strategy, STRATEGY_TURNS);
    assert_int_equal(options.reduction, REDUCTION_SOURCE);
    assert_int_equal(options.plain, PLAIN_VISIBLE);
    assert_int_equal(options.checks, CHECK_LEAK);
    assert_int_equal(options.isolate, ISOLATE_FORK);
    assert_true(options.seed == UINT64_MAX);
    options_release(&options);
    accept("--max-time=90s", &options);
    assert_true(options.max_time == 90);
    options_release(&options);
    accept("--max-time=250ms", &options);
    assert_true(options.max_time == 0.25);
    options_release(&options);
}

static void test_wrong(void **state)
{
    (void)state;
    refuse("--max-tim=3", "unknown option --max-tim; did you mean --max-time?");
    refuse("--stratgy=random", "unknown option --stratgy; did you mean --strategy?");
    refuse("--keep", "unknown option --keep; did you mean --keep-going?");
    refuse("--frobnicate", "unknown option --frobnicate (--help lists them)");
    refuse("--task=replay", "unknown option --task; did you mean --tasks?");
    refuse("--max-time=soon", "--max-time=soon: expected a time such as 30s, 10m or 2h");
    refuse("--max-time=-3", "--max-time=-3: expected a time such as 30s, 10m or 2h");
    refuse("--max-execs=1.5", "--max-execs=1.5: expected a number from 1 on, or none");
    refuse("--max-execs=", "--max-execs=: expected a number from 1 on, or none");
    refuse("--plain=maybe", "--plain=maybe: expected race|visible|volatile-atomic");
    refuse("--strategy=pct:0", "--strategy=pct:0: expected exhaustive, random, pct:D, pos or turns");
    refuse("--strategy=random,", "--strategy=random,: expected exhaustive, random, pct:D, pos or turns");
    refuse("--check=leaks", "--check=leaks: expected leak, overflow or scope");
    refuse("--keep-going=yes", "--keep-going takes no value");
    refuse("--seed", "--seed needs a value (N)");
    refuse("--max-execs=0", "--max-execs=0: expected a number from 1 on, or none");
    refuse("--max-time=0s", "--max-time=0s: expected more than 0, or none");
    refuse("--objects=0", "--objects=0: expected nondet, round-robin or a number");
    refuse("--gdb", "--gdb is an option of sennit replay, not of this verb");
    refuse("word", "word is not an option");
}

static void test_round_trip(void **state)
{
    (void)state;
    Options options, again;
    Text text = {0}, text_again = {0};
    accept("-k --max-time=1.5h --strategy=random,pct:4 --plain=visible --output='it'\\''s here' --preemptions=3", &options);
    options_write(&options, USE_EVERY, &text);
    accept(text.data, &again);
    options_write(&again, USE_EVERY, &text_again);
    assert_string_equal(text.data, text_again.data);
    assert_string_equal(again.directory, "it's here");
    text_reset(&text);
    options_write(&options, USE_RUN, &text);
    assert_string_equal(text.data, "--plain=visible");
    text_release(&text);
    text_release(&text_again);
    options_release(&options);
    options_release(&again);
}

/* Among flags of a compiler only ours are taken. */
static void test_foreign(void **state)
{
    (void)state;
    char *words[] = {"-O2", "-DN=4", "-quiet", "x.c", "-", "-j", "2"};
    Options options;
    Error error;
    int index;
    options_init(&options);
    for (index = 0; index < 5; index++)
        assert_int_equal(options_take(&options, USE_SEARCH, words, 7, &index, &error), OPTION_FOREIGN);
    assert_int_equal(options_take(&options, USE_SEARCH, words, 7, &index, &error), OPTION_TAKEN);
    assert_int_equal(index, 6);
    assert_int_equal(options.jobs, 2);
    options_release(&options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),   cmocka_unit_test(test_values),  cmocka_unit_test(test_wrong),
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_foreign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
