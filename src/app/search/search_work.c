/* search_work.c - the search in a worker process: strategies in turn, within the budget granted */
#include <unistd.h>

#include "app/run/process.h"
#include "app/search/search_internal.h"
#include "core/tree/jobs_replica.h"

enum {
    TURN = 1000,     /* executions of one strategy before the next one continues        */
    SAMPLES = 100,   /* executions of a sampler before the search continues,            */
    SEARCH_SHARE = 9 /* which then has this many times the time that the samples took   */
};
static const double MOST_SAMPLING = 0.2; /* seconds, at once */

/* ---- Callbacks of the engine -------------------------------------------------- */

/* What the engine of a worker process reports to. */
typedef struct Attendant {
    ExploreObserver observer; /* first: callbacks get the attendant from it */
    RunSearch *search;
    uint32_t number;          /* of the worker */
    double until;             /* the strategy continues until then (process_now) */
} Attendant;

static void on_found(ExploreObserver *self, const Execution *ex)
{
    const Attendant *attendant = (const Attendant *)self;
    RunSearch *search = attendant->search;
    buglist_add(search->bugs, search->info, ex, search_is_aside(&search->workers[attendant->number]));
}

/* The last execution of the worker's current strategy. */
static ExecutionTag tag_of(const RunSearch *search, uint32_t number)
{
    const SearchWorker *worker = &search->workers[number];
    return (ExecutionTag){.part = number * STRATEGIES_MAX + worker->current,
                          .serial = explore_stats(worker->contenders[worker->current].explore)->executions};
}

static bool on_ended(ExploreObserver *self, const Execution *ex)
{
    const Attendant *attendant = (const Attendant *)self;
    RunSearch *search = attendant->search;
    if (search_is_aside(&search->workers[attendant->number]))
        return process_now() < attendant->until;
    if (ex->end != END_CRASHED || search->info->subject->may_crash)
        keep_add(&search->keep, search->info, ex, tag_of(search, attendant->number));
    if (!search->record || (ex->end == END_CRASHED && !search->info->subject->may_crash))
        return true; /* the final state was lost with the process */
    Ending ending = search->info->subject->record_execution(search->record, ex, tag_of(search, attendant->number));
    if (ending != ENDING_DONE)
        search_stop(search, ending);
    return ending == ENDING_DONE;
}

static bool on_tick(ExploreObserver *self)
{
    const Attendant *attendant = (const Attendant *)self;
    return !search_is_stopping(attendant->search) && process_now() < attendant->until;
}

/* ---- In a worker -------------------------------------------------------------------- */

static uint64_t executions_of(const SearchWorker *worker)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < worker->count; i++)
        sum += explore_stats(worker->contenders[i].explore)->executions;
    return sum;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* What is left of the budget when every worker has used up its grant. */
static uint64_t budget_left(const RunSearch *search)
{
    uint64_t given = search->before.executions;
    for (uint32_t i = 0; i < search->worker_count; i++)
        given += larger(search->workers[i].granted, executions_of(&search->workers[i]));
    return given < search->budget ? search->budget - given : 0;
}

/* The number of executions that the worker may run now. Every worker gets a part of what is left, so that
 * all of them have work until the end, and together they never exceed the budget: a grant is one number,
 * which also counts when its worker dies. */
static uint64_t grant(RunSearch *search, SearchWorker *worker)
{
    uint64_t done = executions_of(worker);
    if (worker->granted <= done) {
        sharelock_acquire(&search->grants);
        uint64_t left = budget_left(search), part = left / (2 * search->worker_count);
        worker->granted = done + (part ? part : left > 0);
        sharelock_release(&search->grants);
    }
    return worker->granted - done;
}

/* Other workers can use the rest. */
static void return_grant(SearchWorker *worker) { worker->granted = 0; }

/* The number of executions that the current strategy may run now, or SEARCH_NO_LIMIT. An execution in which
 * the previous process died has to be accounted for, even if the search is to stop. */
static uint64_t next_slice(RunSearch *search, SearchWorker *worker)
{
    uint64_t begun = explore_is_begun(worker->contenders[worker->current].explore);
    uint64_t slice = worker->count > 1 ? TURN : SEARCH_NO_LIMIT;
    uint64_t granted = search->budget ? grant(search, worker) : SEARCH_NO_LIMIT;
    return search_is_stopping(search) ? begun : larger(begun, granted < slice ? granted : slice);
}

static bool budget_used_up(const RunSearch *search)
{
    return search->budget && search_stats(search).executions >= search->budget;
}

static void next_turn(RunSearch *search, SearchWorker *worker)
{
    for (uint32_t i = 0; i < worker->count; i++) {
        worker->current = (worker->current + 1) % worker->count;
        if (!worker->contenders[worker->current].finished)
            return;
    }
    search_stop(search, ENDING_DONE);
}

/* Nothing is left for the strategy. If it is exhaustive, everything is explored. */
static void finish_contender(RunSearch *search, Contender *contender)
{
    contender->finished = true;
    if (contender->strategy == STRATEGY_EXHAUSTIVE)
        search_stop(search, ENDING_DONE);
}

static void note_divergence(RunSearch *search, uint32_t number)
{
    if (!atomic_exchange(&search->diverged, true))
        search->diverged_worker = number;
    search_stop(search, ENDING_DIVERGED);
}

/* The worker cannot continue with its jobs. */
static void note_loss(RunSearch *search, uint32_t number)
{
    const Jobs *jobs = search->jobs[search->workers[number].current];
    if (!jobs || !jobs_connected(jobs))
        note_divergence(search, number);
    else
        search_stop(search, ENDING_INTERRUPTED); /* the store no longer wants this work */
}

/* A sample must not take longer than the samplers have. */
static bool is_quick(const SearchWorker *worker)
{
    return worker->searched <= MOST_SAMPLING * (double)(executions_of(worker) + 1);
}

/* Until when does the current strategy continue? */
static double end_of_turn(const SearchWorker *worker)
{
    if (search_is_aside(worker))
        return process_now() + MOST_SAMPLING;
    return worker->samplers && is_quick(worker) ? worker->next_sample : 1e300;
}

static void explore_slice(RunSearch *search, uint32_t number, uint64_t slice)
{
    SearchWorker *worker = &search->workers[number];
    Contender *contender = &worker->contenders[worker->current];
    Attendant attendant = {
        {.ended = on_ended, .found = on_found, .tick = on_tick}, search, number, end_of_turn(worker)};
    switch (explore_run(contender->explore, &attendant.observer, slice == SEARCH_NO_LIMIT ? 0 : slice)) {
    case EXPLORE_DONE:
        finish_contender(search, contender);
        break;
    case EXPLORE_WAITING: /* other workers have all the work */
        return_grant(worker);
        usleep(200);
        break;
    case EXPLORE_BUG:
        search_stop(search, ENDING_BUG);
        break;
    case EXPLORE_LOST:
        note_loss(search, number);
        break;
    case EXPLORE_DIVERGED:
        note_divergence(search, number);
        break;
    case EXPLORE_PAUSED:
    case EXPLORE_BUDGET:
    case EXPLORE_STOPPED:
        break;
    }
}

/* ---- Samples beside the search ------------------------------------------------------ */

static bool samples_now(const RunSearch *search, const SearchWorker *worker)
{
    bool due = worker->samplers && process_now() >= worker->next_sample && !search_is_stopping(search);
    return search_is_aside(worker) ||
           (due && is_quick(worker) && !explore_is_begun(worker->contenders[worker->current].explore));
}

/* Some samples. If the previous process died in one, that is accounted for, and the search continues. */
static void sample(RunSearch *search, uint32_t number)
{
    SearchWorker *worker = &search->workers[number];
    double begin = process_now();
    bool died = search_is_aside(worker);
    worker->current = worker->count + worker->sampler;
    if (!worker->contenders[worker->current].finished)
        explore_slice(search, number, died ? 1 : SAMPLES);
    double end = process_now();
    worker->sampler = (worker->sampler + 1) % worker->samplers;
    worker->next_sample = end + SEARCH_SHARE * (died ? MOST_SAMPLING : end - begin);
    worker->current = 0;
}

static void take_turn(RunSearch *search, uint32_t number)
{
    SearchWorker *worker = &search->workers[number];
    if (samples_now(search, worker))
        sample(search, number);
    double begin = process_now();
    uint64_t slice = next_slice(search, worker);
    if (slice > 0)
        explore_slice(search, number, slice);
    worker->searched += process_now() - begin;
    if (budget_used_up(search))
        search_stop(search, ENDING_EXECUTIONS);
    else if (slice == 0 && !search_is_stopping(search)) /* other workers hold the budget and may return it */
        usleep(200);
}

/* Turns what is left to do into jobs, for whoever continues the search. */
static void suspend(RunSearch *search, SearchWorker *worker)
{
    int stop = search->stop;
    bool over = stop == ENDING_DONE + 1 || stop == ENDING_DIVERGED + 1;
    worker->suspended = !over && search_can_suspend(search);
    for (uint32_t i = 0; i < worker->count && worker->suspended; i++)
        if (worker->contenders[i].strategy == STRATEGY_EXHAUSTIVE)
            worker->suspended = explore_suspend(worker->contenders[i].explore);
}

/* At least one turn, even if the search is to stop: see next_slice. */
void search_work(RunSearch *search, uint32_t number)
{
    SearchWorker *worker = &search->workers[number];
    do {
        take_turn(search, number);
        if (!search_is_stopping(search))
            next_turn(search, worker);
    } while (!search_is_stopping(search));
    return_grant(worker);
    suspend(search, worker);
    atomic_store_explicit(&worker->ended, true, memory_order_release);
}

bool search_restart(RunSearch *search, uint32_t number)
{
    SearchWorker *worker = &search->workers[number];
    if (search_is_aside(worker)) { /* its state may be broken */
        worker->contenders[worker->current].finished = true;
        worker->current = 0;
        return true;
    }
    Region *fresh = search_reserve();
    bool good = fresh && explore_restart(worker->contenders[worker->current].explore, fresh);
    if (good && search->record && search->info->subject->record_forget)
        search->info->subject->record_forget(search->record, tag_of(search, number));
    return good;
}
