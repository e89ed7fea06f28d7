/* cmd_status.c - `sennit status --store URL`: the state of a shared search */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/options/options.h"
#include "cli/verbs.h"
#include "dist/redis/store_redis.h"
#include "report/style.h"

static void print_bugs(const StoreBugs *bugs)
{
    for (uint32_t i = 0; i < bugs->count; i++) {
        const char *text = text_borrow(&bugs->items[i].text);
        printf("  %.*s %04llx\n", (int)strcspn(text, " "), text, (unsigned long long)(bugs->items[i].identity >> 48));
    }
}

static void print_workers(const char *text)
{
    for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n'))
        printf("  %.*s\n", (int)strcspn(text, "\n"), text);
}

static void print_traffic(const StoreReport *report)
{
    double thousands = (double)report->stats.executions / 1000;
    printf("store       %llu commits, %llu insertions, %llu refused", (unsigned long long)report->commits,
           (unsigned long long)report->extensions, (unsigned long long)report->refused);
    if (thousands > 0)
        printf("; per 1000 executions %.2f calls, %.0f bytes",
               (double)(report->commits + report->extensions) / thousands, (double)report->bytes / thousands);
    printf("\n");
    if (*report->full)
        printf("            %s\n", report->full);
}

static const char *describe_state(const StoreState *state)
{
    return state->stopped ? state->stop : state->open == 0 ? "over: everything is explored" : "running";
}

/* With a probability of 80 % the total is between the two numbers (core/estimate.h). */
static void print_estimate(const StoreReport *report, double rate)
{
    Text line = {0};
    if (report->state.open <= 0 || report->estimate.total <= 0)
        return;
    text_add_string(&line, "estimate    ");
    style_add_short(&line, report->estimate.total);
    text_add_string(&line, " executions in total, ");
    style_add_short(&line, report->estimate.low);
    text_add_string(&line, " to ");
    style_add_short(&line, report->estimate.high);
    double done = (double)report->stats.executions, least = done / report->estimate.high;
    double most = fmax(fmin(done / report->estimate.low, report->progress), least);
    text_add(&line, "; %.1f to %.1f %% explored", least * 100, most * 100);
    if (rate > 0 && report->state.workers > 0)
        text_add(&line, ", %.0f to %.0f s left", fmax(report->estimate.low - done, 0) / rate,
                 fmax(report->estimate.high - done, 0) / rate);
    printf("%s\n", line.data);
    text_release(&line);
}

static void print_report(Store *store, const StoreReport *report, const StoreBugs *bugs, const Text *workers)
{
    Text program = {0}, line = {0};
    Error ignored;
    store->ops->describe(store, "program", &program, &ignored);
    double rate = report->seconds > 0 ? (double)report->stats.executions / report->seconds : 0;
    text_add_string(&line, "executions  ");
    style_add_count(&line, report->stats.executions);
    text_add(&line, ", %llu redundant, ", (unsigned long long)report->stats.redundant);
    style_add_short(&line, rate);
    text_add(&line, "/s on average; %.0f s so far, %.0f s of CPU", report->seconds, report->cpu_seconds);
    printf("search      %s: %s%s\n%s\n", text_borrow(&program), report->state.stopped ? "stopped: " : "",
           describe_state(&report->state), line.data);
    printf("jobs        %lld open, %u of them waiting\n", (long long)report->state.open, report->state.queued);
    print_estimate(report, rate);
    printf("workers     %u, %u of them idle\n", report->state.workers, report->state.idle);
    print_workers(text_borrow(workers));
    printf("bugs        %u\n", report->bugs);
    print_bugs(bugs);
    print_traffic(report);
    text_release(&program);
    text_release(&line);
}

static int show(Store *store, Error *error)
{
    StoreReport report;
    StoreBugs bugs = {0};
    Text workers = {0};
    int code = -1;
    if (store->ops->report(store, &report, &bugs, &workers, error) == STORE_DONE) {
        code = EXIT_CLEAN;
        if (report.state.open < 0)
            printf("no search\n");
        else
            print_report(store, &report, &bugs, &workers);
    }
    for (uint32_t i = 0; i < bugs.count; i++)
        text_release(&bugs.items[i].text);
    VEC_FREE(&bugs);
    text_release(&workers);
    return code;
}

static bool parse(Options *options, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++) {
        OptionMatch match = options_take(options, USE_STATUS, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_FOREIGN)
            return error_set(error, EXIT_USAGE, "unknown argument %s (sennit status --help)", argv[i]);
    }
    return *options->store || error_set(error, EXIT_USAGE, "no store given: sennit status --store redis://host:6379/0");
}

int cmd_status(int argc, char **argv)
{
    Options options;
    Error error = {.code = EXIT_USAGE};
    int code = -1;
    options_init(&options);
    Store *store = parse(&options, argc, argv, &error) ? store_open_redis(options.store, "status", NULL, &error) : NULL;
    if (store) {
        if (!options.forget || store->ops->stop(store, "forgotten", "", &error) == STORE_DONE)
            code = show(store, &error);
        store->ops->close(store);
    }
    if (code < 0)
        fprintf(stderr, "sennit status: %s\n", error.text);
    options_release(&options);
    return code < 0 ? (int)error.code : code;
}
