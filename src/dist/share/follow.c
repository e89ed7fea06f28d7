/* follow.c - see follow.h
 *
 * When the search is over its counts and bugs become a checkpoint with nothing left to do;
 * the program's own process goes on from there: it confirms the bugs and writes the report.
 */
#include "dist/share/follow.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/search/checkpoint.h"
#include "base/mem.h"
#include "dist/share/parcel.h"
#include "host/binary.h"
#include "host/claim.h"
#include "host/subprocess.h"
#include "report/progress.h"
#include "subject/abs/model.h"
#include "subject/abs/models.h"

static volatile int interrupted; /* by a signal */

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

typedef struct Follow {
    Store *store;
    Options *options;
    Parcel parcel;
    StoreReport report;
    StoreBugs bugs;
    Text records;           /* sections of a checkpoint */
    Progress progress;
    bool asked_for_workers;
} Follow;

static void drop_bugs(Follow *follow)
{
    for (uint32_t i = 0; i < follow->bugs.count; i++)
        text_release(&follow->bugs.items[i].text);
    follow->bugs.count = 0;
}

/* ---- Following ----------------------------------------------------------------------- */

static void show(Follow *follow)
{
    StoreReport *report = &follow->report;
    if (report->state.workers == 0 && !follow->asked_for_workers && !follow->options->quiet) {
        fprintf(stderr, "sennit explore: no workers yet; on any machine: sennit worker --store %s\n",
                strchr(follow->options->store, '@') ? "..." : follow->options->store);
        follow->asked_for_workers = true;
    }
    report->stats.estimate = report->estimate;
    ProgressWork work = {.workers = report->state.workers,
                         .open = report->state.open > 0 ? (uint64_t)report->state.open : 0};
    progress_update(&follow->progress, &report->stats, &work, report->bugs, report->seconds, follow->options->max_time);
}

/* Executions are counted by the store. */
static bool check_time(Follow *follow, Error *error)
{
    const Options *options = follow->options;
    bool over = options->max_time > 0 && follow->report.seconds >= options->max_time;
    return !over || follow->store->ops->stop(follow->store, "time", "", error) != STORE_FAILED;
}

/* The store does not know the search that we follow. */
static bool explain_loss(Follow *follow, Error *error)
{
    Text id = {0};
    bool other = follow->store->ops->describe(follow->store, "id", &id, error) == STORE_DONE;
    text_release(&id);
    return error_set(error, EXIT_INTERNAL, "%s",
                     other ? "another search has taken the place of this one in the store"
                           : "the store has forgotten the search: it was started again without its append-only file "
                             "(`appendonly yes`)");
}

/* Until the search is over or somebody interrupts us. */
static bool follow_to_end(Follow *follow, Error *error)
{
    for (;;) {
        drop_bugs(follow);
        StoreAnswer answer = follow->store->ops->report(follow->store, &follow->report, &follow->bugs, NULL, error);
        if (answer == STORE_REFUSED)
            return explain_loss(follow, error);
        if (answer != STORE_DONE)
            return false;
        if (follow->report.state.open < 0)
            return explain_loss(follow, error);
        if (follow->report.state.open == 0 || follow->report.state.stopped || interrupted)
            return true;
        show(follow);
        if (!check_time(follow, error))
            return false;
        usleep(50000);
    }
}

/* A stopped search is over when the workers have handed in what they had. */
static void await_workers(Follow *follow)
{
    Error ignored;
    for (int i = 0;
         i < 50 && !interrupted && follow->report.state.stopped && strcmp(follow->report.state.stop, "bug") != 0 &&
         (int64_t)follow->report.state.queued < follow->report.state.open;
         i++) {
        usleep(100000);
        drop_bugs(follow);
        if (follow->store->ops->report(follow->store, &follow->report, &follow->bugs, NULL, &ignored) != STORE_DONE)
            return;
    }
}

/* ---- Concluding -------------------------------------------------------------------------- */

static void write_checkpoint(const Follow *follow, char **arguments, Text *text)
{
    Text options = {0}, bounds = {0};
    char *directory = getcwd(NULL, 0);
    const StoreState *state = &follow->report.state;
    options_write(follow->options, USE_SEARCH | USE_RUN, &options);
    checkpoint_write_bounds(follow->options, &bounds);
    CheckpointHead head = {.version = SENNIT_VERSION,
                           .program = follow->parcel.program,
                           .hash = (char *)follow->parcel.hash,
                           .directory = directory,
                           .options = (char *)text_borrow(&options),
                           .bounds = (char *)text_borrow(&bounds),
                           .arguments = arguments,
                           .seconds = follow->report.seconds,
                           .cpu_seconds = follow->report.cpu_seconds,
                           .ending = state->stopped ? (char *)state->stop : NULL};
    while (arguments[head.argument_count])
        head.argument_count++;
    checkpoint_begin(&head, &follow->report.stats, text);
    for (uint32_t i = 0; i < follow->bugs.count; i++) {
        const Text *bug = &follow->bugs.items[i].text;
        size_t first = strcspn(text_borrow(bug), "\n");
        checkpoint_add_bug(follow->bugs.items[i].identity, text_borrow(bug), first, text_borrow(bug) + first + 1,
                           bug->length - first - 1, text);
    }
    text_add_bytes(text, text_borrow(&follow->records), follow->records.length);
    checkpoint_end(text);
    free(directory);
    text_release(&options);
    text_release(&bounds);
}

static bool save(const Text *text, const char *path, Error *error)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool good = fd >= 0 && text_write_all(fd, text->data, text->length);
    if (!good)
        error_set(error, EXIT_INTERNAL, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

static int run_binary(const char *program, char **arguments, const char *options, Error *error)
{
    Subprocess result;
    VEC(const char *) argv = {0};
    VEC_PUSH(&argv, program);
    for (; *arguments; arguments++)
        VEC_PUSH(&argv, *arguments);
    VEC_PUSH(&argv, NULL);
    setenv("SENNIT_OPTIONS", options, 1);
    int code = subprocess_run(argv.items, &result, error) ? result.status : -1;
    VEC_FREE(&argv);
    return code;
}

static int report_here(Follow *follow, char *const *models, uint32_t model_count, char **arguments, int argc,
                       char **argv, Error *error)
{
    Text text = {0}, words = {0};
    Claim file = {0};
    int code = -1;
    write_checkpoint(follow, arguments, &text);
    if (claim_make(&file, "sennit-search", false, error) && save(&text, file.path, error)) {
        free(follow->options->resume);
        follow->options->resume = mem_copy_string(file.path);
        follow->options->jobs = 1;
        free(follow->options->store);
        follow->options->store = mem_copy_string("");
        options_write(follow->options, USE_SEARCH | USE_INTERNAL, &words);
        binary_add_command(&words, argc, argv);
        if (model_count) {
            Models files = {0};
            for (uint32_t i = 0; i < model_count; i++)
                VEC_PUSH(&files, models[i]);
            code = models_explore(&files, follow->options, argc, argv);
            VEC_FREE(&files);
        } else {
            code = run_binary(follow->parcel.program, arguments, words.data, error);
        }
    }
    claim_release(&file);
    text_release(&text);
    text_release(&words);
    return code;
}

/* Endings that leave nothing to report. */
static int explain_stop(Follow *follow, Error *error)
{
    const char *why = follow->report.state.stop;
    Text note = {0};
    bool diverged = strcmp(why, "diverged") == 0;
    if (strcmp(why, "forgotten") == 0) {
        error_set(error, EXIT_INTERRUPTED, "the search was ended by sennit status --forget");
    } else if (diverged || strcmp(why, "refused") == 0 || strcmp(why, "failed") == 0) {
        follow->store->ops->describe(follow->store, "note", &note, error);
        error_set(error, diverged ? EXIT_DIVERGED : EXIT_INTERNAL, "a worker stopped the search (%s): %s", why,
                  text_borrow(&note));
    } else {
        text_release(&note);
        return 0;
    }
    text_release(&note);
    return -1;
}

/* A search that is there keeps the number of executions it was begun with. */
static bool take_budget(Follow *follow, Error *error)
{
    Text text = {0};
    StoreAnswer answer = follow->store->ops->describe(follow->store, STORE_BUDGET, &text, error);
    uint64_t budget = answer == STORE_DONE ? strtoull(text_borrow(&text), NULL, 10) : 0;
    if (answer != STORE_FAILED && budget != follow->options->max_execs)
        fprintf(stderr, "sennit explore: the search was begun with --max-execs=%s, and keeps it\n",
                budget ? text_borrow(&text) : "none");
    follow->options->max_execs = budget;
    text_release(&text);
    return answer != STORE_FAILED;
}

static bool open_search(Follow *follow, Error *error)
{
    bool attached;
    follow->store = store_open_redis(follow->options->store, "coordinator", &interrupted, error);
    if (!follow->store)
        return false;
    Parcel *parcel = &follow->parcel;
    StoreAnswer answer = follow->store->ops->init(follow->store, text_borrow(&parcel->identity), parcel->keys.items,
                                                  parcel->values.items, parcel->keys.count, &attached, error);
    if (answer == STORE_DONE && attached && !follow->options->quiet)
        fprintf(stderr, "sennit explore: the search is in the store already; following it\n");
    return answer == STORE_DONE && follow->store->ops->join(follow->store, error) == STORE_DONE &&
           (!attached || take_budget(follow, error));
}

/* A model with errors would stop every worker. */
static bool check_models(char *const *models, uint32_t count, Error *error)
{
    Text text = {0};
    bool good = count == 0 || model_check((const char *const *)models, count, &text, error);
    if (!good) {
        fputs(text_borrow(&text), stderr);
        error_set(error, EXIT_USAGE, "the model has errors");
    }
    text_release(&text);
    return good;
}

static bool can_be_stored(const Options *options, Error *error)
{
    bool exhaustive = options->strategies.count == 1 && options->strategies.items[0].strategy == STRATEGY_EXHAUSTIVE;
    if (*options->smtlib)
        return error_set(error, EXIT_USAGE, "--smtlib: queries are written by searches on one machine");
    if (exhaustive && options->reduction == REDUCTION_OPTIMAL && options->preemptions < 0 &&
        options->path_order == PATHS_DEPTH && options->dependence != DEPENDENCE_BY_EXACT)
        return true;
    return error_set(error, EXIT_USAGE,
                     "only the exhaustive search with the optimal reduction can be shared through a store");
}

static void listen_to_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int follow_search(const char *program, char *const *models, uint32_t model_count, char **arguments, Options *options,
                  int argc, char **argv, Error *error)
{
    Follow follow = {.options = options, .progress = progress_open(STDERR_FILENO, options->quiet)};
    int code = -1;
    listen_to_signals();
    char **own = model_count ? mem_alloc((model_count + 1) * sizeof *own) : arguments;
    for (uint32_t i = 0; i < model_count; i++)
        own[i] = models[i];
    bool begun = can_be_stored(options, error) && check_models(models, model_count, error) &&
                 parcel_pack(&follow.parcel, program, models, model_count, own, options, error) &&
                 open_search(&follow, error);
    bool good = begun && follow_to_end(&follow, error);
    progress_close(&follow.progress);
    if (begun && interrupted) {
        fprintf(stderr, "sennit explore: detached; the search goes on. The same command follows it again, sennit "
                        "status shows it\n");
        code = EXIT_INTERRUPTED;
    } else if (good && explain_stop(&follow, error) == 0) {
        await_workers(&follow);
        if (follow.store->ops->records(follow.store, &follow.records, error) == STORE_DONE)
            code = report_here(&follow, models, model_count, own, argc, argv, error);
    }
    if (follow.store)
        follow.store->ops->close(follow.store);
    drop_bugs(&follow);
    VEC_FREE(&follow.bugs);
    text_release(&follow.records);
    parcel_release(&follow.parcel);
    if (model_count)
        free(own);
    return code;
}
