/* worker.c - see worker.h */
#include "dist/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/rng.h"
#include "dist/slice_result.h"
#include "dist/split.h"

enum { FAILURES_MAX = 3, BYTES_MAX = 100 << 20 };
static const double GRACE = 5;        /* seconds in which the last slice has to end after it was asked to, */
static const double AFTER_TIME = 0.6; /* and if the worker's time is up                                    */

typedef struct StoreWorker {
    Store *store;
    Runner *runner;
    const WorkerSettings *settings;
    const volatile int *interrupted;
    Error *error;
    StoreJobs dropped;    /* returned, which the runner does not know yet             */
    Map known;            /* domains that the runner knows: number of entries + 1     */
    StoreJobs held;       /* leased                                                   */
    uint32_t assigned;    /* how many of them, the first ones, the runner has         */
    StoreState state;
    uint64_t epoch;       /* of the store when the jobs were taken                    */
    double slice;
    double end;           /* when the worker's time is up                             */
    double give_up;       /* when the slice is not waited for any more; 0: not known  */
    double renewed;       /* when all leases were last renewed                        */
    uint64_t executions;
    unsigned failures;    /* of the runner, in a row                                  */
    bool stopping;        /* the runner was asked to end the slice                    */
    Rng rng;
} StoreWorker;

static double now(const StoreWorker *worker)
{
    return worker->runner->ops->now(worker->runner);
}

/* ---- The runner -------------------------------------------------------------------- */

static void restart_runner(StoreWorker *worker)
{
    worker->runner->ops->stop(worker->runner);
    map_reset(&worker->known);
    worker->assigned = worker->dropped.count = 0;
}

static bool have_runner(StoreWorker *worker)
{
    return worker->runner->running || worker->runner->ops->start(worker->runner, worker->error);
}

/* Nothing that was explored counts, and the leases are lost. */
static void lose_slice(StoreWorker *worker)
{
    restart_runner(worker);
    worker->held.count = 0;
}

/* ---- Slices --------------------------------------------------------------------------- */

static void write_domain(Text *slice, uint64_t name, uint64_t parent, uint32_t entry, const Text *entries)
{
    text_add(slice, "domain %llu %llu %u %zu\n", (unsigned long long)name, (unsigned long long)parent, entry,
             entries->length);
    text_add_bytes(slice, text_borrow(entries), entries->length);
}

/* Makes sure that the runner will know the entry: adds its domain, and before that those above it. */
static StoreAnswer add_domain(StoreWorker *worker, uint64_t name, uint32_t entry, Text *slice)
{
    uint64_t *place = map_find(&worker->known, name), parent;
    uint32_t known = place ? (uint32_t)(*place - 1) : 0, above;
    Text entries = {0};
    if ((place && entry <= known) || (name == 0 && entry == 0))
        return STORE_DONE;
    StoreAnswer answer =
        worker->store->ops->fetch(worker->store, name, known, &parent, &above, &entries, worker->error);
    if (answer == STORE_DONE && !place && name != 0)
        answer = add_domain(worker, parent, above, slice);
    if (answer == STORE_DONE) {
        write_domain(slice, name, parent, above, &entries);
        *map_insert(&worker->known, name, NULL) = known + store_scan_entries(text_borrow(&entries), 0, NULL) + 1;
    }
    text_release(&entries);
    return answer;
}

static StoreAnswer write_slice(StoreWorker *worker, Text *slice)
{
    StoreAnswer answer = STORE_DONE;
    text_add(slice, "%.3f %llu\n", worker->slice, (unsigned long long)worker->state.grant);
    for (uint32_t i = 0; i < worker->dropped.count; i++)
        text_add(slice, "drop %llu %u\n", (unsigned long long)worker->dropped.items[i].domain,
                 worker->dropped.items[i].entry);
    worker->dropped.count = 0;
    for (; worker->assigned < worker->held.count && answer == STORE_DONE; worker->assigned++) {
        const StoreJob *job = &worker->held.items[worker->assigned];
        bool root = job->domain == 0 && job->entry == 0;
        answer = add_domain(worker, job->domain, job->entry, slice);
        text_add(slice, "job %llu %u %llu\n", (unsigned long long)job->domain, job->entry,
                 root ? 0ull : (unsigned long long)job->token);
    }
    return answer;
}

/* How waiting for a slice ended. */
typedef enum SliceEnd {
    SLICE_RESULT,
    SLICE_LATE,    /* it did not end when it had to    */
    SLICE_LOST,    /* the leases are lost              */
    SLICE_BROKEN,  /* the runner has died              */
    SLICE_FAILED   /* the store cannot be reached      */
} SliceEnd;

static SliceEnd slice_end_of(StoreAnswer answer) { return answer == STORE_FAILED ? SLICE_FAILED : SLICE_LOST; }

/* Passes an insertion above a job to the store, and the answer to the runner. SLICE_RESULT: done. */
static SliceEnd serve_insertion(StoreWorker *worker, const Text *request)
{
    Text answer = {0}, news = {0};
    unsigned long long number, domain;
    unsigned known;
    if (sscanf(text_borrow(request), "%llu %llu %u", &number, &domain, &known) != 3)
        return SLICE_BROKEN;
    const char *entries = strchr(request->data, '\n') + 1;
    StoreAnswer result = worker->store->ops->extend(worker->store, domain, known, entries, &news, worker->error);
    uint64_t *place = map_find(&worker->known, domain);
    if (place && (result == STORE_DONE || result == STORE_STALE))
        *place = known + 1 + store_scan_entries(result == STORE_DONE ? entries : text_borrow(&news), 0, NULL);
    text_add(&answer, "%llu\n%s", number, text_borrow(&news));
    bool answered = result != STORE_FAILED && worker->runner->ops->answer(worker->runner,
                                                                          result == STORE_DONE    ? "done"
                                                                          : result == STORE_STALE ? "stale"
                                                                                                  : "gone",
                                                                          &answer);
    text_release(&answer);
    text_release(&news);
    return result == STORE_FAILED ? SLICE_FAILED : answered ? SLICE_RESULT : SLICE_BROKEN;
}

static void end_slice(StoreWorker *worker)
{
    if (!worker->stopping)
        worker->runner->ops->end_slice(worker->runner);
    worker->stopping = true;
}

/* Tells the store that this worker is alive, and gets the state of the search. Leases are only renewed when a part of
 * their time has passed: there may be hundreds. */
static StoreAnswer poll_store(StoreWorker *worker, double seconds)
{
    char note[96];
    const StoreJobs none = {0};
    bool due = now(worker) - worker->renewed >= worker->settings->lease / 4;
    snprintf(note, sizeof note, "jobs=%u executions=%llu", worker->settings->jobs,
             (unsigned long long)worker->executions);
    StoreAnswer answer = worker->store->ops->renew(worker->store, due ? &worker->held : &none, worker->settings->lease,
                                                   note, &worker->state, worker->error);
    if (due)
        worker->renewed = now(worker);
    double lot = (double)rng_below(&worker->rng, 1u << 20) / (1u << 20);
    if (answer == STORE_DONE && split_should_yield(&worker->state, seconds, lot))
        end_slice(worker);
    return answer;
}

/* There will be no other slice; an execution or a query of the solver in this one may take very long. */
static void end_last_slice(StoreWorker *worker, double grace)
{
    end_slice(worker);
    if (worker->give_up <= 0)
        worker->give_up = now(worker) + grace;
}

static void check_end(StoreWorker *worker)
{
    if (now(worker) >= worker->end)
        end_last_slice(worker, AFTER_TIME);
    else if (*worker->interrupted || worker->state.stopped)
        end_last_slice(worker, GRACE);
}

/* When to look again, at the latest. */
static double next_look(const StoreWorker *worker, double next)
{
    if (worker->give_up > 0)
        return worker->give_up < next ? worker->give_up : next;
    return worker->end < next ? worker->end : next;
}

/* Waits for the result of the slice, serving insertions and polling the store meanwhile. */
static SliceEnd await_result(StoreWorker *worker, Text *payload)
{
    double start = now(worker), next = start + split_interval(&worker->state, 0, worker->settings->lease);
    SliceEnd served;
    for (;;) {
        RunnerEvent event = worker->runner->ops->await(worker->runner, next_look(worker, next) - now(worker), payload);
        if (event == RUNNER_RESULT || event == RUNNER_GONE)
            return event == RUNNER_RESULT ? SLICE_RESULT : SLICE_BROKEN;
        if (event == RUNNER_INSERTION && (served = serve_insertion(worker, payload)) != SLICE_RESULT)
            return served;
        check_end(worker);
        if (worker->give_up > 0 && now(worker) >= worker->give_up)
            return SLICE_LATE;
        if (now(worker) >= next) {
            StoreAnswer answer = poll_store(worker, now(worker) - start);
            if (answer != STORE_DONE)
                return slice_end_of(answer);
            next = now(worker) + split_interval(&worker->state, now(worker) - start, worker->settings->lease);
        }
    }
}

/* ---- Results ------------------------------------------------------------------------------ */

/* Jobs that were committed are not held any more. */
static void forget_returned(StoreWorker *worker, const StoreCommit *commit)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < worker->held.count; i++) {
        bool returned = false;
        for (uint32_t k = 0; k < commit->returns.count && !returned; k++)
            returned = commit->returns.items[k].job.token == worker->held.items[i].token;
        if (!returned)
            worker->held.items[kept++] = worker->held.items[i];
    }
    worker->held.count = worker->assigned = kept;
}

/* Chooses the jobs that this worker continues with: the deep parts of what was split. Others get the rest. */
static void choose_kept(StoreWorker *worker, const StoreJobs *untouched, StoreCommit *commit)
{
    bool leaving = *worker->interrupted || commit->stop || worker->state.stopped;
    commit->lease = worker->settings->lease;
    for (uint32_t i = split_keep_untouched(&worker->state, worker->settings->jobs, untouched->count);
         i < untouched->count; i++) {
        VEC_PUSH(&commit->returns, ((StoreReturn){.job = untouched->items[i], .fate = STORE_RELEASED}));
        VEC_PUSH(&worker->dropped, untouched->items[i]);
    }
    for (uint32_t i = 0; i < commit->returns.count && !leaving; i++) {
        StoreReturn *back = &commit->returns.items[i];
        StoreEntries parts = {0};
        if (back->fate == STORE_SPLIT)
            store_scan_entries(text_borrow(&back->entries), 1, &parts);
        back->keep = split_keep(&worker->state, worker->settings->jobs, &parts);
        VEC_FREE(&parts);
    }
}

static void hold(StoreWorker *worker, const StoreJobs *jobs)
{
    for (uint32_t i = 0; i < jobs->count; i++)
        VEC_PUSH(&worker->held, jobs->items[i]);
}

/* The parts of a split job are entries of a domain that the runner knows. */
static void know_domains(StoreWorker *worker, const StoreCommit *commit)
{
    for (uint32_t i = 0; i < commit->returns.count; i++) {
        const StoreReturn *back = &commit->returns.items[i];
        bool root = back->job.domain == 0 && back->job.entry == 0;
        if (back->fate == STORE_SPLIT)
            *map_insert(&worker->known, root ? 0 : back->job.token, NULL) =
                store_scan_entries(text_borrow(&back->entries), 0, NULL) + 1;
    }
}

static bool commit_result(StoreWorker *worker, SliceResult *result)
{
    StoreCommit *commit = &result->commit;
    bool unsound = strcmp(result->ending, "diverged") == 0 || strcmp(result->ending, "refused") == 0 ||
                   strcmp(result->ending, "failed") == 0;
    if (strcmp(result->ending, "lost") == 0) {
        lose_slice(worker);
        return true;
    }
    if (unsound) {
        worker->store->ops->stop(worker->store, result->ending, result->note, worker->error);
        return error_set(worker->error, strcmp(result->ending, "diverged") == 0 ? EXIT_DIVERGED : EXIT_INTERNAL, "%s",
                         *result->note ? result->note : "the search failed");
    }
    if (commit->bugs.count && !worker->settings->keep_going)
        commit->stop = "bug";
    choose_kept(worker, &result->untouched, commit);
    StoreJobs kept = {0};
    StoreAnswer answer = worker->store->ops->commit(worker->store, commit, &kept, &worker->state, worker->error);
    bool good = answer != STORE_FAILED;
    if (answer == STORE_DONE) {
        forget_returned(worker, commit);
        hold(worker, &kept);
        know_domains(worker, commit);
        worker->executions += commit->stats.executions;
        if (result->bytes > BYTES_MAX)
            restart_runner(worker);
    } else if (good) {
        lose_slice(worker);
    }
    VEC_FREE(&kept);
    return good;
}

/* ---- The loop ---------------------------------------------------------------------------------- */

/* Lets the runner explore the slice and commits the result; false if the worker cannot continue. */
static bool explore_slice(StoreWorker *worker, const Text *slice)
{
    Text text = {0};
    SliceResult result = {0};
    bool good = true;
    worker->stopping = false;
    worker->give_up = 0;
    SliceEnd end = worker->runner->ops->explore(worker->runner, slice) ? await_result(worker, &text) : SLICE_BROKEN;
    if (end == SLICE_RESULT &&
        (!sliceresult_read(&result, &text, &worker->held) || strcmp(result.ending, "broken") == 0))
        end = SLICE_BROKEN;
    switch (end) {
    case SLICE_RESULT:
        good = commit_result(worker, &result);
        worker->failures = 0;
        break;
    case SLICE_LATE: /* the jobs are returned as they were */
        restart_runner(worker);
        break;
    case SLICE_LOST:
        lose_slice(worker);
        break;
    case SLICE_BROKEN:
        lose_slice(worker);
        good = ++worker->failures < FAILURES_MAX ||
               error_set(worker->error, EXIT_INTERNAL, "the exploring process failed repeatedly");
        break;
    case SLICE_FAILED:
        good = false;
        break;
    }
    worker->slice = split_next_slice(worker->slice, &worker->state);
    sliceresult_release(&result);
    text_release(&text);
    return good;
}

static bool run_slice(StoreWorker *worker)
{
    Text slice = {0};
    bool good = have_runner(worker);
    StoreAnswer answer = good ? write_slice(worker, &slice) : STORE_FAILED;
    if (answer == STORE_DONE)
        good = explore_slice(worker, &slice);
    else if (answer == STORE_REFUSED) /* the leases were lost meanwhile */
        lose_slice(worker);
    else
        good = false;
    text_release(&slice);
    return good;
}

static void print_progress(const StoreWorker *worker)
{
    if (worker->settings->verbose)
        fprintf(stderr,
                "sennit worker: %llu executions by this worker; %lld jobs open, %u queued, %u workers, "
                "slices of %.1f s\n",
                (unsigned long long)worker->executions, (long long)worker->state.open, worker->state.queued,
                worker->state.workers, worker->slice);
}

/* Returns all jobs, which were not begun: the worker ends, or has no grant. */
static void return_jobs(StoreWorker *worker)
{
    StoreCommit commit = {0};
    StoreJobs none = {0};
    Error ignored;
    for (uint32_t i = 0; i < worker->held.count; i++)
        VEC_PUSH(&commit.returns, ((StoreReturn){.job = worker->held.items[i], .fate = STORE_RELEASED}));
    for (uint32_t i = 0; i < worker->assigned; i++)
        VEC_PUSH(&worker->dropped, worker->held.items[i]);
    if (commit.returns.count)
        worker->store->ops->commit(worker->store, &commit, &none, &worker->state, &ignored);
    storecommit_release(&commit);
    worker->held.count = worker->assigned = 0;
}

/* Whether one of the first `before` jobs was taken again: then its lease had been lost. */
static bool took_again(const StoreWorker *worker, uint32_t before)
{
    const StoreJob *held = worker->held.items;
    for (uint32_t i = 0; i < before; i++)
        for (uint32_t k = before; k < worker->held.count; k++)
            if (held[i].domain == held[k].domain && held[i].entry == held[k].entry)
                return true;
    return false;
}

/* Takes more jobs, if some are wanted. */
static bool take_jobs(StoreWorker *worker)
{
    uint32_t before = worker->held.count, want = split_want(&worker->state, worker->settings->jobs, before);
    if (want == 0)
        return true;
    if (worker->store->ops->take(worker->store, want, worker->settings->lease, &worker->held, &worker->state,
                                 worker->error) != STORE_DONE)
        return false;
    if (worker->state.epoch != worker->epoch || took_again(worker, before)) { /* DIST-9: domains may be outdated */
        worker->held.count -= before;
        for (uint32_t i = 0; i < worker->held.count; i++)
            worker->held.items[i] = worker->held.items[before + i];
        restart_runner(worker);
        worker->epoch = worker->state.epoch;
    }
    return true;
}

static WorkerEnd work(StoreWorker *worker)
{
    double pause = 0.01;
    for (;;) {
        if (*worker->interrupted)
            return WORKER_INTERRUPTED;
        if (now(worker) >= worker->end)
            return WORKER_TIME;
        if (!take_jobs(worker))
            return WORKER_FAILED;
        if (worker->state.open <= 0 || worker->state.stopped)
            return WORKER_OVER;
        if (worker->state.grant == 0) /* others have been granted all that is left of the budget */
            return_jobs(worker);
        if (worker->held.count == 0) {
            worker->runner->ops->rest(worker->runner, pause);
            pause = pause * 1.5 < split_pause(&worker->state) ? pause * 1.5 : split_pause(&worker->state);
            continue;
        }
        pause = 0.01;
        if (worker->slice <= 0)
            worker->slice = split_first_slice(&worker->state);
        if (!run_slice(worker))
            return WORKER_FAILED;
        print_progress(worker);
    }
}

WorkerEnd worker_run(Store *store, Runner *runner, const WorkerSettings *settings, const volatile int *interrupted,
                     Error *error)
{
    StoreWorker worker = {.store = store,
                          .runner = runner,
                          .settings = settings,
                          .interrupted = interrupted,
                          .error = error,
                          .rng = {.state = settings->seed}};
    worker.end = settings->max_time > 0 ? now(&worker) + settings->max_time : 1e300;
    WorkerEnd end = work(&worker);
    return_jobs(&worker);
    runner->ops->stop(runner);
    map_release(&worker.known);
    VEC_FREE(&worker.held);
    VEC_FREE(&worker.dropped);
    return end;
}
