/* generate_watch.c - see generate_watch.h */
#include "subject/abs/generate/generate_watch.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t asked_to_end;
static struct sigaction former[2];
static const int SIGNALS[] = {SIGINT, SIGTERM};

static void note_signal(int number)
{
    asked_to_end = 1;
    signal(number, SIG_DFL); /* a second signal ends the process */
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static const double GRACE = 0.6, LONG = 1e9; /* seconds */

static bool continues(GenerateWatch *watch)
{
    if (watch->confirm_until > 0)
        return now() < watch->confirm_until;
    if (asked_to_end)
        watch->end = WATCH_INTERRUPTED;
    else if (watch->max_time > 0 && now() - watch->begin >= watch->max_time)
        watch->end = WATCH_TIME;
    return watch->end == WATCH_RUNNING;
}

static bool note_execution(ExploreObserver *observer, const Execution *ex)
{
    GenerateWatch *watch = (GenerateWatch *)observer;
    (void)ex;
    watch->executions++;
    progress_show(&watch->progress, now() - watch->begin, "context %u of %u: %u tests, %llu executions",
                  watch->context + 1, watch->contexts, watch->suite->count, (unsigned long long)watch->executions);
    return continues(watch);
}

static bool tick(ExploreObserver *observer) { return continues((GenerateWatch *)observer); }

bool watch_may_continue(void *watch) { return continues(watch); }

void watch_open(GenerateWatch *watch, const TestSuite *suite, uint32_t contexts, double max_time, bool silent)
{
    struct sigaction action = {.sa_handler = note_signal, .sa_flags = SA_RESTART};
    *watch = (GenerateWatch){.observer = {.ended = note_execution, .tick = tick},
                             .suite = suite,
                             .contexts = contexts,
                             .begin = now(),
                             .max_time = max_time,
                             .progress = progress_open(STDERR_FILENO, silent)};
    asked_to_end = 0;
    for (unsigned i = 0; i < 2; i++)
        sigaction(SIGNALS[i], &action, &former[i]);
}

void watch_close(GenerateWatch *watch)
{
    for (unsigned i = 0; i < 2; i++)
        sigaction(SIGNALS[i], &former[i], NULL);
    progress_close(&watch->progress);
}

bool watch_context(GenerateWatch *watch, uint32_t context)
{
    watch->context = context;
    return continues(watch);
}

void watch_begin_confirming(GenerateWatch *watch)
{
    double left = watch->begin + watch->max_time - now();
    watch->confirm_until = now() + (watch->max_time <= 0 ? LONG : left > GRACE ? left : GRACE);
}

void watch_confirming(GenerateWatch *watch, uint32_t count)
{
    progress_show(&watch->progress, now() - watch->begin, "confirmed %u of %u tests", count, watch->suite->count);
}
