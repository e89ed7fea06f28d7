/* coordinator.c - see coordinator.h */
#include "dist/search/coordinator.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/redis/store_redis.h"
#include "dist/search/final_report.h"
#include "report/progress.h"
#include "subject/abs/model.h"

static volatile int interrupted; /* by a signal */

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

typedef struct Coordinator {
    Store *store;
    Options *options;
    Parcel parcel;
    StoreReport report;
    StoreBugs bugs;
    Text records; /* sections of a checkpoint */
    Progress progress;
    bool asked_for_workers;
    double full_since; /* seconds of the search; 0: the store is not full */
} Coordinator;

static void drop_bugs(Coordinator *self)
{
    for (uint32_t i = 0; i < self->bugs.count; i++)
        text_release(&self->bugs.items[i].text);
    self->bugs.count = 0;
}

/* ---- Following the search -------------------------------------------------------------------- */

static void show(Coordinator *self)
{
    StoreReport *report = &self->report;
    if (report->state.workers == 0 && !self->asked_for_workers && !self->options->quiet) {
        fprintf(stderr, "sennit explore: no workers yet; on any machine: sennit worker --store %s\n",
                strchr(self->options->store, '@') ? "..." : self->options->store);
        self->asked_for_workers = true;
    }
    report->stats.estimate = report->estimate;
    ProgressWork work = {.workers = report->state.workers,
                         .open = report->state.open > 0 ? (uint64_t)report->state.open : 0};
    progress_update(&self->progress, &report->stats, &work, report->bugs, report->seconds, self->options->max_time);
}

/* The store enforces the budget of executions, the coordinator that of time. */
static bool check_time(Coordinator *self, Error *error)
{
    const Options *options = self->options;
    bool over = options->max_time > 0 && self->report.seconds >= options->max_time;
    return !over || self->store->ops->stop(self->store, "time", "", error) != STORE_FAILED;
}

/* Reports can still be read from a store that is full, but nothing is committed: false if that lasts. */
static bool check_room(Coordinator *self, Error *error)
{
    const StoreReport *report = &self->report;
    if (!*report->full) {
        self->full_since = 0;
        return true;
    }
    if (self->full_since <= 0) {
        self->full_since = report->seconds;
        progress_close(&self->progress);
        fprintf(stderr, "sennit explore: %s; nothing is committed. Waiting for %.0f s\n", report->full,
                STORE_FULL_PATIENCE);
    }
    return report->seconds - self->full_since < STORE_FULL_PATIENCE ||
           error_set(error, EXIT_INTERNAL, STORE_FULL_FORM, report->full);
}

/* Why the store does not know the search any more. */
static bool explain_loss(Coordinator *self, Error *error)
{
    Text id = {0};
    bool other = self->store->ops->describe(self->store, "id", &id, error) == STORE_DONE;
    text_release(&id);
    return error_set(error, EXIT_INTERNAL, "%s",
                     other ? "another search has replaced this one in the store"
                           : "the store has lost the search: the server was restarted without its append-only file "
                             "(`appendonly yes`)");
}

/* Microseconds until the next report, which the server computes from all open jobs; not beyond the time limit. */
static useconds_t pause_of(const Coordinator *self)
{
    int64_t open = self->report.state.open;
    double pause = open < 4500 ? 0.05 + (double)open * 0.0001 : 0.5;
    double left = self->options->max_time - self->report.seconds;
    if (self->options->max_time > 0 && left < pause)
        pause = left > 0.02 ? left : 0.02;
    return (useconds_t)(pause * 1e6);
}

/* Until the search has ended or this process is interrupted. */
static bool follow_search(Coordinator *self, Error *error)
{
    for (;;) {
        drop_bugs(self);
        StoreAnswer answer = self->store->ops->report(self->store, &self->report, &self->bugs, NULL, error);
        if (answer == STORE_REFUSED)
            return explain_loss(self, error);
        if (answer != STORE_DONE)
            return false;
        if (self->report.state.open < 0)
            return explain_loss(self, error);
        if (self->report.state.open == 0 || self->report.state.stopped || interrupted)
            return true;
        show(self);
        if (!check_time(self, error) || !check_room(self, error))
            return false;
        usleep(pause_of(self));
    }
}

/* A stopped search ends when the workers have committed the results of their slices. They get 5 s for it, but if the
 * time is up, half a second. */
static void await_workers(Coordinator *self)
{
    Error ignored;
    const StoreReport *report = &self->report;
    int attempts = strcmp(report->state.stop, "time") == 0 ? 5 : 50;
    for (int i = 0; i < attempts && !interrupted && !*report->full && report->state.stopped &&
                    strcmp(report->state.stop, "bug") != 0 && (int64_t)report->state.queued < report->state.open;
         i++) {
        usleep(100000);
        drop_bugs(self);
        if (self->store->ops->report(self->store, &self->report, &self->bugs, NULL, &ignored) != STORE_DONE)
            return;
    }
}

/* ---- The end of the search ---------------------------------------------------------------- */

/* Endings that leave nothing to report. */
static int explain_stop(Coordinator *self, Error *error)
{
    const char *why = self->report.state.stop;
    Text note = {0};
    bool diverged = strcmp(why, "diverged") == 0, refused = strcmp(why, "refused") == 0;
    if (strcmp(why, "forgotten") == 0) {
        error_set(error, EXIT_INTERRUPTED, "the search was deleted by sennit status --forget");
    } else if (diverged || refused || strcmp(why, "failed") == 0) {
        self->store->ops->describe(self->store, "note", &note, error);
        error_set(error, diverged ? EXIT_DIVERGED : refused ? EXIT_USAGE : EXIT_INTERNAL,
                  "a worker stopped the search (%s): %s", why, text_borrow(&note));
    } else {
        text_release(&note);
        return 0;
    }
    text_release(&note);
    return -1;
}

/* A search that is in the store already keeps the budget it was started with. */
static bool take_budget(Coordinator *self, Error *error)
{
    Text text = {0};
    StoreAnswer answer = self->store->ops->describe(self->store, STORE_BUDGET, &text, error);
    uint64_t budget = answer == STORE_DONE ? strtoull(text_borrow(&text), NULL, 10) : 0;
    if (answer != STORE_FAILED && budget != self->options->max_execs)
        fprintf(stderr, "sennit explore: the search was started with --max-execs=%s and keeps it\n",
                budget ? text_borrow(&text) : "none");
    self->options->max_execs = budget;
    text_release(&text);
    return answer != STORE_FAILED;
}

static bool open_search(Coordinator *self, Error *error)
{
    bool attached;
    self->store = store_open_redis(self->options->store, "coordinator", &interrupted, error);
    if (!self->store)
        return false;
    Parcel *parcel = &self->parcel;
    StoreAnswer answer = self->store->ops->init(self->store, text_borrow(&parcel->identity), parcel->keys.items,
                                                parcel->values.items, parcel->keys.count, &attached, error);
    if (answer == STORE_DONE && attached && !self->options->quiet)
        fprintf(stderr, "sennit explore: the store already contains this search; following it\n");
    return answer == STORE_DONE && self->store->ops->join(self->store, error) == STORE_DONE &&
           (!attached || take_budget(self, error));
}

/* Here already, since a model with errors would stop every worker. */
static bool check_models(const SharedProgram *program, const Options *options, Error *error)
{
    Text text = {0};
    bool good = program->model_count == 0 ||
                model_check((const char *const *)program->arguments, program->model_count, options, &text, error);
    if (!good) {
        fputs(text_borrow(&text), stderr);
        error_set(error, EXIT_USAGE, "the model has errors");
    }
    text_release(&text);
    return good;
}

static bool can_be_shared(const Options *options, Error *error)
{
    bool exhaustive = options->strategies.count == 1 && options->strategies.items[0].strategy == STRATEGY_EXHAUSTIVE;
    if (*options->smtlib)
        return error_set(error, EXIT_USAGE, "--smtlib: only a search on one machine writes its queries");
    if (exhaustive && options->reduction == REDUCTION_OPTIMAL && options->preemptions < 0 &&
        options->path_order == PATHS_DEPTH && options->dependence != DEPENDENCE_BY_EXACT)
        return true;
    return error_set(error, EXIT_USAGE,
                     "only the exhaustive search with the optimal reduction can be shared through a store");
}

static void install_handlers(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

static int coordinate(Coordinator *self, const SharedProgram *program, int argc, char **argv, Error *error)
{
    Options *options = self->options;
    bool begun = can_be_shared(options, error) && check_models(program, options, error) &&
                 parcel_pack(&self->parcel, program, options, error) && open_search(self, error);
    bool good = begun && follow_search(self, error);
    progress_close(&self->progress);
    if (begun && interrupted) {
        fprintf(stderr, "sennit explore: detached; the search continues. The same command follows it again, sennit "
                        "status shows it\n");
        return EXIT_INTERRUPTED;
    }
    if (!good || explain_stop(self, error) != 0)
        return -1;
    await_workers(self);
    if (self->store->ops->records(self->store, &self->records, error) != STORE_DONE)
        return -1;
    SharedResult result = {.report = &self->report, .bugs = &self->bugs, .records = &self->records};
    return final_report(&result, &self->parcel, program, options, argc, argv, error);
}

int coordinator_run(const SharedProgram *program, Options *options, int argc, char **argv, Error *error)
{
    Coordinator self = {.options = options, .progress = progress_open(STDERR_FILENO, options->quiet)};
    install_handlers();
    int code = coordinate(&self, program, argc, argv, error);
    if (self.store)
        self.store->ops->close(self.store);
    drop_bugs(&self);
    VEC_FREE(&self.bugs);
    text_release(&self.records);
    parcel_release(&self.parcel);
    return code;
}
