/* cmd_worker.c - `sennit worker --store URL`: takes part in a shared search */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/verbs.h"
#include "dist/redis/store_redis.h"
#include "dist/search/parcel.h"
#include "dist/worker.h"
#include "host/binary.h"

static volatile int interrupted; /* by a signal */

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

/* No SA_RESTART: waits end early. */
static void listen_to_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

/* STORE_REFUSED if there is nothing to do; *over: because the search is over. */
static StoreAnswer find_search(Store *store, bool *over, Error *error)
{
    StoreReport report;
    StoreAnswer answer = store->ops->join(store, error);
    *over = false;
    if (answer == STORE_DONE)
        answer = store->ops->report(store, &report, NULL, NULL, error);
    if (answer == STORE_DONE && (report.state.open <= 0 || report.state.stopped)) {
        *over = true;
        answer = STORE_REFUSED;
    }
    return answer;
}

/* Workers may be started before the search is, or after the previous one is over. */
static StoreAnswer await_search(Store *store, double limit, bool quiet, Error *error)
{
    static const double AFTER_ANOTHER = 60, LONGEST = 0.25;
    double pause = 0.02;
    StoreAnswer answer = STORE_REFUSED;
    bool over;
    for (double waited = 0; !interrupted; waited += pause) {
        answer = find_search(store, &over, error);
        if (answer != STORE_REFUSED || (limit > 0 && waited >= limit) || (over && waited >= AFTER_ANOTHER))
            break;
        if (waited <= 0 && !quiet)
            fprintf(stderr, "sennit worker: waiting for a search: sennit explore PROGRAM --store ...\n");
        pause = pause * 1.25 < LONGEST ? pause * 1.25 : LONGEST;
        usleep((useconds_t)(pause * 1e6));
    }
    return answer;
}

static uint32_t count_jobs(const Options *options)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return options->jobs ? (uint32_t)options->jobs : cores > 0 ? (uint32_t)cores : 1;
}

static int explain_failure(const Error *error)
{
    bool by_user = interrupted && error->code == EXIT_INTERNAL; /* the store cannot be reached either */
    fprintf(stderr,
            by_user ? "sennit worker: interrupted, and %s; other workers will repeat what was not committed\n"
                  : "sennit worker: %s\n",
            error->text);
    return by_user ? EXIT_INTERRUPTED : (int)error->code;
}

static int explain_end(WorkerEnd end, const Options *options, const Error *error)
{
    switch (end) {
    case WORKER_OVER:
        if (!options->quiet)
            fprintf(stderr, "sennit worker: the search is over\n");
        return EXIT_CLEAN;
    case WORKER_TIME:
        return EXIT_CLEAN;
    case WORKER_INTERRUPTED:
        fprintf(stderr, "sennit worker: interrupted; what was explored is in the store\n");
        return EXIT_INTERRUPTED;
    case WORKER_FAILED:
        break;
    }
    return explain_failure(error);
}

/* Tests stay in the worker's own directory until they are committed. */
static void name_tests(Options *options)
{
    if (!*options->tests)
        return;
    free(options->tests);
    options->tests = mem_copy_string("tests");
}

static int work(Store *store, const Options *options, int argc, char **argv, Error *error)
{
    Unpacked unpacked;
    Text text = {0};
    WorkerEnd end = WORKER_FAILED;
    if (parcel_unpack(store, &unpacked, error)) {
        WorkerSettings settings = {.jobs = count_jobs(options), .lease = options->lease, .max_time = options->max_time,
                                   .keep_going = unpacked.options.keep_going, .verbose = options->verbose};
        unpacked.options.jobs = settings.jobs;
        unpacked.options.max_time = 0;
        unpacked.options.max_execs = 0;
        unpacked.options.checkpoint = 0;
        name_tests(&unpacked.options);
        options_write(&unpacked.options, USE_SEARCH | USE_RUN, &text);
        binary_add_command(&text, argc, argv);
        RunnerProgram program = {.path = unpacked.path, .argv = unpacked.argv.items, .options = text.data,
                                 .directory = unpacked.directory.path};
        Runner *runner = runner_create_process(&program);
        end = worker_run(store, runner, &settings, &interrupted, error);
        runner->ops->destroy(runner);
    }
    text_release(&text);
    unpacked_release(&unpacked);
    return explain_end(end, options, error);
}

static bool parse(Options *options, int argc, char **argv, Error *error)
{
    for (int i = 1; i < argc; i++) {
        OptionMatch match = options_take(options, USE_WORKER, argv, argc, &i, error);
        if (match == OPTION_WRONG)
            return false;
        if (match == OPTION_FOREIGN)
            return error_set(error, EXIT_USAGE, "unknown argument %s (sennit worker --help)", argv[i]);
    }
    return *options->store || error_set(error, EXIT_USAGE, "no store given: sennit worker --store redis://host:6379/0");
}

static void name_self(char *name, size_t size)
{
    char host[64] = "machine";
    struct timespec now;
    gethostname(host, sizeof host - 1);
    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, size, "%s-%d-%04x", host, (int)getpid(),
             (unsigned)(now.tv_nsec >> 8 & 0xffff)); /* containers may share the first two */
}

int cmd_worker(int argc, char **argv)
{
    Options options;
    Error error = {.code = EXIT_USAGE};
    char name[100];
    int code = -1;
    options_init(&options);
    options.jobs = 0;
    name_self(name, sizeof name);
    listen_to_signals();
    Store *store =
        parse(&options, argc, argv, &error) ? store_open_redis(options.store, name, &interrupted, &error) : NULL;
    if (store) {
        StoreAnswer answer = await_search(store, options.max_time, options.quiet, &error);
        if (answer == STORE_DONE)
            code = work(store, &options, argc, argv, &error);
        else if (answer == STORE_REFUSED)
            code = interrupted ? EXIT_INTERRUPTED : EXIT_CLEAN;
        store->ops->close(store);
    }
    if (code < 0)
        code = explain_failure(&error);
    options_release(&options);
    return code;
}
