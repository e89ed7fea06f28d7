/* test_report_text.c - what people see, compared with tests/golden (UPDATE_GOLDEN=1 rewrites) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/report_json.h"
#include "report/report_text.h"
#include "report/trace_internal.h"

/* ---- Golden files -------------------------------------------------------------- */

static void compare(const char *name, Text *actual)
{
    char path[512], *expected = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/golden/%s", TESTS_DIRECTORY, name);
    FILE *file = fopen(path, getenv("UPDATE_GOLDEN") ? "w+" : "r");
    assert_non_null(file);
    if (getenv("UPDATE_GOLDEN")) {
        fwrite(actual->data, 1, actual->length, file);
        rewind(file);
    }
    ssize_t size = getdelim(&expected, &capacity, '\0', file);
    fclose(file);
    assert_true(size >= 0);
    assert_string_equal(actual->data, expected);
    free(expected);
    text_release(actual);
}

/* ---- Made-up bugs ----------------------------------------------------------------- */

static TracePlace at(uint32_t line, const char *function)
{
    return (TracePlace){.file = "golden/bank.c", .function = function, .line = line, .column = 5};
}

static void step(Trace *trace, const char *agent, const char *text, uint32_t line, const char *function)
{
    TraceStep *added = trace_new_step(trace);
    added->agent = agent;
    added->text = text;
    added->place = at(line, function);
}

static Trace *begin(const char *kind, const char *summary)
{
    Trace *trace = trace_create();
    trace->kind = kind;
    trace->id = "1c9e";
    trace->summary = summary;
    trace->directory = TESTS_DIRECTORY;
    return trace;
}

static void write_deadlock(const Style *style, Text *out, bool as_json)
{
    Trace *trace = begin("deadlock", "first_teller and second_teller wait for each other forever");
    ThreadView threads[] = {{"0", "main"}, {"0.1", "first_teller (0.1)"}, {"0.2", "second_teller (0.2)"}};
    bool marked[6] = {[3] = true, [4] = true, [5] = true}, preempts[6] = {[4] = true};
    step(trace, "0", "create first_teller (0.1)", 32, "main");
    step(trace, "0", "create second_teller (0.2)", 33, "main");
    step(trace, "0.1", "start", 16, "first_teller");
    step(trace, "0.1", "lock alice.lock", 10, "lock_both");
    step(trace, "0.2", "start", 22, "second_teller");
    step(trace, "0.2", "lock bob.lock", 10, "lock_both");
    trace->preemptions = 1;
    trace->places[trace->place_count++] = at(11, "lock_both");
    BugView view = {.trace = trace, .threads = threads, .thread_count = 3, .marked = marked, .preempts = preempts,
                    .party_count = 2, .output = "hello\nworld", .output_size = 11,
                    .trace_path = "sennit-last/bugs/deadlock-1c9e.trace"};
    view.parties[0] = (PartyView){
        .thread = 1, .action = "waits for bob.lock", .position = 6, .place = at(11, "lock_both"),
        .frames = {at(18, "first_teller")}, .frame_count = 1, .locks_known = true,
        .locks = {{"alice.lock", at(10, "lock_both")}}, .lock_count = 1,
        .waits_for = "bob.lock", .owner = 2, .owner_place = at(10, "lock_both")};
    view.parties[1] = (PartyView){
        .thread = 2, .action = "waits for alice.lock", .position = 6, .place = at(11, "lock_both"),
        .frames = {at(24, "second_teller")}, .frame_count = 1, .locks_known = true,
        .locks = {{"bob.lock", at(10, "lock_both")}}, .lock_count = 1,
        .waits_for = "alice.lock", .owner = 1, .owner_place = at(10, "lock_both")};
    if (as_json)
        report_json_bug(&view, "bugs/deadlock-1c9e.trace", out);
    else
        report_text_bug(&view, style, out);
    trace_destroy(trace);
}

static void test_deadlock(void **state)
{
    (void)state;
    Style style = {.width = 100};
    Text out = {0};
    write_deadlock(&style, &out, false);
    compare("deadlock.txt", &out);
}

static void test_colors(void **state)
{
    (void)state;
    Style style = {.width = 100, .color = true};
    Text out = {0};
    write_deadlock(&style, &out, false);
    compare("deadlock-color.txt", &out);
}

static void test_json(void **state)
{
    (void)state;
    Text out = {0};
    write_deadlock(NULL, &out, true);
    text_add_string(&out, "\n");
    compare("deadlock.json", &out);
}

/* Many threads do not fit beside each other; long runs are cut. */
static void test_list(void **state)
{
    (void)state;
    enum { THREADS = 9 };
    static const char *const paths[THREADS] = {"0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8"};
    Trace *trace = begin("assertion", "assertion failed: sum == 100");
    ThreadView threads[THREADS];
    Style style = {.width = 80};
    Text out = {0};
    for (unsigned i = 0; i < THREADS; i++) {
        threads[i] = (ThreadView){paths[i], i ? "worker" : "main"};
        for (unsigned k = 0; k < 6; k++)
            step(trace, paths[i], "sum = 41 (was 40)", 10 + k, "work");
    }
    BugView view = {.trace = trace, .threads = threads, .thread_count = THREADS, .party_count = 1};
    view.parties[0] = (PartyView){.thread = 8, .action = "fails the assertion", .position = 54, .place = at(34, "main"),
                                  .owner = VIEW_NO_THREAD, .locks_known = true};
    report_text_bug(&view, &style, &out);
    compare("many-threads.txt", &out);
    trace_destroy(trace);
}

static void test_unconfirmed(void **state)
{
    (void)state;
    Trace *trace = begin("data-race", "write of total by main is not ordered with the read by worker (0.1)");
    ThreadView threads[] = {{"0", "thread 0"}};
    Style style = {.width = 80};
    Text out = {0};
    step(trace, "0", "create worker (0.1)", 32, "main");
    trace->places[0] = at(10, "lock_both");
    trace->places[1] = at(11, "lock_both");
    trace->place_count = 2;
    trace->preemptions = 2;
    trace->unminimised = true;
    BugView view = {.trace = trace, .threads = threads, .thread_count = 1,
                    .trace_path = "sennit-last/bugs/data-race-1c9e.trace",
                    .doubt = "the replay differs at step 3"};
    report_text_bug(&view, &style, &out);
    compare("unconfirmed.txt", &out);
    trace_destroy(trace);
}

static void test_summary(void **state)
{
    (void)state;
    static const char *const opaque[] = {"qsort", "getaddrinfo"};
    Summary summary = {.name = "bank.c", .program = "/x/bank", .command = "sennit test bank.c", .directory = "sennit-out/001",
                       .complete = true, .searched = true, .strategies = "exhaustive", .seed = 1,
                       .stats = {.executions = 218243, .steps = 6547290, .depth = 31, .agents = 3},
                       .seconds = 0.52, .cpu_seconds = 0.5, .peak_kb = 12 * 1024,
                       .opaque = opaque, .opaque_count = 2};
    Style style = {.width = 80};
    Text out = {0}, bug = {0};
    summary_add_bound(&summary, "max-steps", 100, 0, "at most 100 steps per thread");
    report_text_summary(&summary, &style, &out);
    compare("summary.txt", &out);
    text_add_string(&bug, "{}");
    report_json_run(&summary, &bug, 1, &out);
    compare("run.json", &out);
    text_release(&bug);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadlock), cmocka_unit_test(test_colors),      cmocka_unit_test(test_json),
        cmocka_unit_test(test_list),     cmocka_unit_test(test_unconfirmed), cmocka_unit_test(test_summary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
