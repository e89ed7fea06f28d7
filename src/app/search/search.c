/* search.c - see search.h */
#include "app/search/search.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/run/subject.h"
#include "core/stats.h"
#include "core/tree/jobs.h"

static const uint64_t NO_LIMIT = UINT64_MAX;
enum {
    TURN = 1000,              /* executions of one strategy before it is the next one's turn */
    SAMPLES_BY_DEFAULT = 10000 /* sampling without a budget would never end                  */
};

typedef struct Contender {
    Explore *explore;
    Strategy strategy;
    bool finished;            /* nothing is left for it */
} Contender;

typedef struct SearchWorker {
    Contender contenders[STRATEGIES_MAX];
    uint32_t count;
    uint32_t current;
    _Atomic uint64_t granted; /* with a budget: executions that the worker may come to */
    bool started;             /* some process was begun for it    */
    bool suspended;           /* what was left to do are jobs now */
    _Atomic bool ended;
} SearchWorker;

struct RunSearch {
    const RunInfo *info;
    SearchRecord *record;           /* of the subject, or NULL                 */
    BugList *bugs;
    uint64_t budget;          /* executions in all, 0: no limit          */
    Sharelock grants;         /* for handing out the budget              */
    _Atomic int stop;         /* Ending + 1, or 0                        */
    _Atomic bool pause;       /* for a checkpoint                        */
    ExploreStats before;      /* counted before the checkpoint it goes on from */
    Estimator estimator;
    Estimate estimate;        /* of the number of executions in all      */
    Jobs *jobs[STRATEGIES_MAX]; /* of the exhaustive strategies          */
    _Atomic bool diverged;    /* in this worker, if so                   */
    uint32_t diverged_worker;
    uint32_t worker_count;
    SearchWorker workers[SEARCH_WORKERS];
    char phrases[6][96];      /* of bounds, for the summary              */
    char note[700];
};

/* ---- Callbacks of the engine -------------------------------------------------- */

/* Sits in a worker's process, behind its engine. */
typedef struct Attendant {
    ExploreObserver observer; /* first: callbacks get the attendant from it */
    RunSearch *search;
    uint32_t number;          /* of the worker */
} Attendant;

static void on_found(ExploreObserver *self, const Execution *ex)
{
    RunSearch *search = ((Attendant *)self)->search;
    buglist_add(search->bugs, search->info, ex);
}

static bool is_stopping(const RunSearch *search)
{
    return atomic_load_explicit(&search->stop, memory_order_relaxed) ||
           atomic_load_explicit(&search->pause, memory_order_relaxed);
}

/* The last execution of what the worker does now. */
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
    if (!search->record || (ex->end == END_CRASHED && !search->info->subject->may_crash))
        return true; /* the final state is gone with the process */
    Ending ending = search->info->subject->record_execution(search->record, ex, tag_of(search, attendant->number));
    if (ending != ENDING_DONE)
        search_stop(search, ending);
    return ending == ENDING_DONE;
}

static bool on_tick(ExploreObserver *self)
{
    return !is_stopping(((Attendant *)self)->search);
}

/* ---- Lifecycle ------------------------------------------------------------------ */

/* What conflicts decides how equivalent schedules can be left out. */
static Reduction reduction_of(const Options *options)
{
    Reduction reduction = (Reduction)options->reduction;
    return reduction == REDUCTION_OPTIMAL && options->dependence == DEPENDENCE_BY_EXACT ? REDUCTION_EXACT : reduction;
}

static ExploreOptions explore_options(const Options *options, const StrategyItem *item)
{
    return (ExploreOptions){
        .strategy = item->strategy,
        .reduction = reduction_of(options),
        .order = (PathOrder)options->path_order,
        .pct_depth = item->pct_depth,
        .seed = options->seed,
        .max_preemptions = (int32_t)options->preemptions,
        .max_agent_steps = options->max_steps > UINT32_MAX ? UINT32_MAX : (uint32_t)options->max_steps,
        .keep_going = options->keep_going,
    };
}

static bool only_samples(const StrategyList *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].strategy == STRATEGY_EXHAUSTIVE)
            return false;
    return true;
}

/* Jobs divide the search of a reduction; enumerating everything cannot be divided. */
static bool can_be_shared(const Options *options)
{
    Reduction reduction = reduction_of(options);
    return (reduction == REDUCTION_OPTIMAL || reduction == REDUCTION_SOURCE) && options->preemptions < 0 &&
           options->path_order == PATHS_DEPTH;
}

static uint64_t count_cores(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint64_t)CPU_COUNT(&cores) : 1;
}

/* Unless asked for, samples are drawn by one worker: the same seed, the same samples. */
static uint32_t count_workers(const Options *options)
{
    bool exhaustive = options->strategies.count == 1 && !only_samples(&options->strategies);
    bool share = only_samples(&options->strategies) || can_be_shared(options);
    uint64_t wanted = options->jobs ? options->jobs : exhaustive ? count_cores() : 1;
    if (!share || wanted <= 1)
        return 1;
    return wanted < SEARCH_WORKERS ? (uint32_t)wanted : SEARCH_WORKERS;
}

static Region *reserve(void)
{
    return region_create((size_t)16 << 30);
}

/* One worker's part in every strategy. Each has memory of its own: no locks needed. */
static bool create_worker(RunSearch *search, Program *program, uint32_t number)
{
    const Options *options = &search->info->options;
    SearchWorker *worker = &search->workers[number];
    Region *region = reserve();
    if (!region)
        return false;
    for (uint32_t i = 0; i < options->strategies.count; i++) {
        ExploreOptions wanted = explore_options(options, &options->strategies.items[i]);
        wanted.jobs = search->jobs[i];
        wanted.seed += number;
        worker->contenders[worker->count++] =
            (Contender){.strategy = wanted.strategy, .explore = explore_create(region, program, &wanted)};
    }
    return true;
}

/* What the workers share of each strategy: jobs of exhaustive ones. */
static bool create_jobs(RunSearch *search)
{
    const StrategyList *list = &search->info->options.strategies;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].strategy != STRATEGY_EXHAUSTIVE || !can_be_shared(&search->info->options))
            continue;
        Region *region = reserve();
        if (!region)
            return false;
        search->jobs[i] = jobs_create(region);
    }
    return true;
}

RunSearch *search_create(Region *region, Program *program, const RunInfo *info)
{
    RunSearch *search = region_alloc(region, sizeof *search);
    const Options *options = &info->options;
    search->info = info;
    search->bugs = buglist_create(region);
    search->budget = options->max_execs;
    search->worker_count = count_workers(options);
    if (!search->budget && options->max_time <= 0 && only_samples(&options->strategies))
        search->budget = SAMPLES_BY_DEFAULT;
    bool good = create_jobs(search);
    for (uint32_t i = 0; good && i < search->worker_count; i++)
        good = create_worker(search, program, i);
    return good ? search : NULL;
}

void search_keep_record(RunSearch *search, SearchRecord *record)
{
    search->record = record;
}

SearchRecord *search_record(const RunSearch *search) { return search->record; }

/* ---- In a worker -------------------------------------------------------------------- */

static uint64_t executions_of(const SearchWorker *worker)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < worker->count; i++)
        sum += explore_stats(worker->contenders[i].explore)->executions;
    return sum;
}

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* What is left of the budget when everybody has used up what he was granted. */
static uint64_t budget_left(const RunSearch *search)
{
    uint64_t given = search->before.executions;
    for (uint32_t i = 0; i < search->worker_count; i++)
        given += larger(search->workers[i].granted, executions_of(&search->workers[i]));
    return given < search->budget ? search->budget - given : 0;
}

/* Executions that the worker may do now. Everybody gets a part of what is left, so that all are at work
 * to the end, and together they never do more: a grant is one number, which also counts when its
 * worker dies. */
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

/* Others can use it. */
static void return_grant(SearchWorker *worker) { worker->granted = 0; }

/* Executions the current strategy may do now; NO_LIMIT: as many as it likes. One in which the process
 * before died has to be accounted for, even if the search is to stop. */
static uint64_t next_slice(RunSearch *search, SearchWorker *worker)
{
    uint64_t begun = explore_is_begun(worker->contenders[worker->current].explore);
    uint64_t slice = worker->count > 1 ? TURN : NO_LIMIT, granted = search->budget ? grant(search, worker) : NO_LIMIT;
    return is_stopping(search) ? begun : larger(begun, granted < slice ? granted : slice);
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

/* Nothing is left for the strategy: an exhaustive one has seen everything. */
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

static void explore_on(RunSearch *search, uint32_t number, uint64_t slice)
{
    SearchWorker *worker = &search->workers[number];
    Contender *contender = &worker->contenders[worker->current];
    Attendant attendant = {{.ended = on_ended, .found = on_found, .tick = on_tick}, search, number};
    switch (explore_run(contender->explore, &attendant.observer, slice == NO_LIMIT ? 0 : slice)) {
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
        if (search->jobs[worker->current] && jobs_connected(search->jobs[worker->current]))
            search_stop(search, ENDING_INTERRUPTED); /* the store does not want this work any more */
        else
            note_divergence(search, number);
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

static void take_turn(RunSearch *search, uint32_t number)
{
    uint64_t slice = next_slice(search, &search->workers[number]);
    if (slice > 0)
        explore_on(search, number, slice);
    if (budget_used_up(search))
        search_stop(search, ENDING_EXECUTIONS);
    else if (slice == 0 && !is_stopping(search)) /* the budget is granted to others, who may give it back */
        usleep(200);
}

/* Leaves what is left to do to whoever goes on with the search. */
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
        if (!is_stopping(search))
            next_turn(search, worker);
    } while (!is_stopping(search));
    return_grant(worker);
    suspend(search, worker);
    atomic_store_explicit(&worker->ended, true, memory_order_release);
}

bool search_restart(RunSearch *search, uint32_t number)
{
    SearchWorker *worker = &search->workers[number];
    Region *fresh = reserve();
    bool good = fresh && explore_restart(worker->contenders[worker->current].explore, fresh);
    if (good && search->record && search->info->subject->record_forget)
        search->info->subject->record_forget(search->record, tag_of(search, number));
    return good;
}

/* ---- For the supervisor --------------------------------------------------------------- */

void search_stop(RunSearch *search, Ending ending)
{
    int none = 0;
    atomic_compare_exchange_strong(&search->stop, &none, (int)ending + 1);
}

void search_starts(RunSearch *search, uint32_t worker) { search->workers[worker].started = true; }

bool search_in_execution(const RunSearch *search, uint32_t number)
{
    const SearchWorker *worker = &search->workers[number];
    return explore_is_begun(worker->contenders[worker->current].explore);
}

bool search_is_over(const RunSearch *search) { return search->stop != 0; }

bool search_can_suspend(const RunSearch *search)
{
    const Options *options = &search->info->options;
    return reduction_of(options) == REDUCTION_OPTIMAL && can_be_shared(options) && !only_samples(&options->strategies);
}

void search_pause(RunSearch *search) { search->pause = true; }

bool search_suspended(const RunSearch *search)
{
    for (uint32_t i = 0; i < search->worker_count; i++)
        if (search->workers[i].started && (!search_ended(search, i) || !search->workers[i].suspended))
            return false;
    return true;
}

bool search_at_rest(const RunSearch *search)
{
    return search->stop == ENDING_DONE + 1 || search_suspended(search);
}

void search_continue(RunSearch *search)
{
    search->pause = false;
    search->stop = 0;
    for (uint32_t i = 0; i < search->worker_count; i++) {
        search->workers[i].ended = search->workers[i].started = false;
        for (uint32_t k = 0; k < search->workers[i].count; k++)
            search->workers[i].contenders[k].finished = false;
    }
}

void search_limit(RunSearch *search, uint64_t executions)
{
    search->budget = executions == NO_LIMIT ? 0 : search_stats(search).executions + executions;
}

uint64_t search_open_jobs(const RunSearch *search)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < STRATEGIES_MAX; i++)
        sum += search->jobs[i] ? jobs_open(search->jobs[i]) + jobs_running(search->jobs[i]) : 0;
    return sum;
}

Jobs *search_jobs(RunSearch *search, uint32_t strategy) { return search->jobs[strategy]; }

void search_restore(RunSearch *search, const ExploreStats *stats)
{
    search->before = *stats;
    if (search->budget)
        search->budget += stats->executions;
}

uint32_t search_workers(const RunSearch *search) { return search->worker_count; }

bool search_ended(const RunSearch *search, uint32_t worker)
{
    return atomic_load_explicit(&search->workers[worker].ended, memory_order_acquire);
}

ExploreStats search_stats(const RunSearch *search)
{
    ExploreStats sum = search->before;
    for (uint32_t w = 0; w < search->worker_count; w++)
        for (uint32_t i = 0; i < search->workers[w].count; i++)
            stats_add(&sum, explore_stats(search->workers[w].contenders[i].explore));
    sum.estimate = search->estimate;
    return sum;
}

/* Samples of other strategies would count as executions of the tree. */
void search_estimate(RunSearch *search)
{
    if (search->info->options.strategies.count != 1 || !search->jobs[0])
        return;
    uint64_t executions = search_stats(search).executions;
    double share = jobs_progress(search->jobs[0]);
    estimator_note(&search->estimator, executions, share);
    search->estimate = estimator_read(&search->estimator, executions, share);
}

uint32_t search_active(const RunSearch *search)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->worker_count; i++)
        count += search->workers[i].started && !search_ended(search, i);
    return count;
}

BugList *search_bugs(RunSearch *search) { return search->bugs; }

Execution *search_execution(RunSearch *search, uint32_t worker)
{
    return explore_execution(search->workers[worker].contenders[search->workers[worker].current].explore);
}

/* ---- Summary ------------------------------------------------------------------------------ */

static void add_bounds(RunSearch *search, Summary *summary)
{
    const Options *options = &search->info->options;
    const ExploreStats *stats = &summary->stats;
    if (options->preemptions >= 0) {
        snprintf(search->phrases[0], sizeof search->phrases[0], "at most %lld preemptions",
                 (long long)options->preemptions);
        summary_add_bound(summary, "preemptions", (double)options->preemptions, stats->bound_preemptions,
                          search->phrases[0]);
    }
    if (options->max_steps && !search->info->subject->counts_steps) {
        snprintf(search->phrases[1], sizeof search->phrases[1], "at most %llu steps per thread",
                 (unsigned long long)options->max_steps);
        summary_add_bound(summary, "max-steps", (double)options->max_steps, stats->bound_steps, search->phrases[1]);
    }
    if (stats->bound_schedules)
        summary_add_bound(summary, "order", 1, stats->bound_schedules, "one order of threads per path (--order)");
    if (options->unroll) {
        snprintf(search->phrases[4], sizeof search->phrases[4], "at most %llu rounds of a loop",
                 (unsigned long long)options->unroll);
        summary_add_bound(summary, "unroll", (double)options->unroll, stats->bound_loops, search->phrases[4]);
    }
    if (options->max_children) {
        snprintf(search->phrases[5], sizeof search->phrases[5], "at most %llu threads created by one",
                 (unsigned long long)options->max_children);
        summary_add_bound(summary, "max-children", (double)options->max_children, stats->bound_children,
                          search->phrases[5]);
    }
    if (stats->bound_memory)
        summary_add_bound(summary, "memory", 0, stats->bound_memory, "memory a thread can have (2 GB)");
    if (stats->bound_timeouts) {
        snprintf(search->phrases[2], sizeof search->phrases[2], "at most %llu time-outs per thread",
                 (unsigned long long)options->timeouts);
        summary_add_bound(summary, "timeouts", (double)options->timeouts, stats->bound_timeouts, search->phrases[2]);
    }
    if (options->reduction == REDUCTION_DCUTE)
        summary_add_bound(summary, "delay-flags", 0, stats->bound_delays + 1, "delay flags, which may miss schedules");
    if (stats->crashed)
        summary_add_bound(summary, "crash", 0, stats->crashed, "what follows a crash is unknown");
    if (search->budget)
        summary_add_bound(summary, "max-execs", (double)search->budget, summary->ending == ENDING_EXECUTIONS,
                          "number of executions");
    if (options->max_time > 0)
        summary_add_bound(summary, "max-time", options->max_time, summary->ending == ENDING_TIME, "time");
    if (!options->keep_going)
        summary_add_bound(summary, "first-bug", 1, summary->ending == ENDING_BUG, "the first bug ends the search");
    if (summary->ending == ENDING_INTERRUPTED)
        summary_add_bound(summary, "interrupted", 0, 1, "interrupted");
}

/* Was an unsynchronised access found? What a step does may then depend on the order of
 * accesses that are no steps. */
static bool found_race(const BugList *bugs)
{
    for (uint32_t i = 0; i < buglist_count(bugs); i++)
        if (strcmp(bugs->bugs[i].kind, bug_kind_name(BUG_DATA_RACE)) == 0 ||
            strcmp(bugs->bugs[i].kind, bug_kind_name(BUG_USE_AFTER_FREE)) == 0)
            return true;
    return false;
}

/* Where the program left the plan, in words. */
static void describe_divergence(RunSearch *search, Summary *summary)
{
    const Execution *ex = search_execution(search, search->diverged_worker);
    Program *program = ex->program;
    char who[128] = "a thread", last[256] = "";
    if (ex->diverged_at < ex->plan_length)
        program->ops->agent_name(program, ex->plan[ex->diverged_at].agent, who, sizeof who);
    if (ex->event_count > 0) {
        const Event *event = &ex->events[ex->event_count - 1];
        Place place;
        if (program->ops->place(program, event->site, &place))
            snprintf(last, sizeof last, " after the step at %s:%u", place.file, place.line);
    }
    snprintf(search->note, sizeof search->note,
             "In step %u%s, %s could not do again what it had done before in the same situation: %s",
             ex->diverged_at + 1, last, who,
             found_race(search->bugs)
                 ? "the races found make the program depend on more than the order of its steps. Mend them, or use "
                   "--plain=visible, which makes plain accesses steps."
                 : "the program depends on something besides its schedule (time, random numbers, addresses, outside "
                   "state). --isolate=fork may help.");
    summary->note = search->note;
}

/* Was the search stopped just when everything was explored? (Of one that was ended elsewhere the jobs
 * are not here.) */
static bool nothing_is_left(const RunSearch *search)
{
    Ending ending = (Ending)(search->stop - 1);
    return search->workers[0].started &&
           (ending == ENDING_EXECUTIONS || ending == ENDING_TIME || ending == ENDING_INTERRUPTED) &&
           search_suspended(search) && search->info->options.strategies.count == 1 && search_open_jobs(search) == 0;
}

void search_summarise(RunSearch *search, Summary *summary)
{
    if (search->stop && nothing_is_left(search)) {
        search->stop = ENDING_DONE + 1;
        summary->complete = true;
    }
    summary->ending = search->stop ? (Ending)(search->stop - 1) : ENDING_FAILED;
    summary->stats = search_stats(search);
    summary->seed = search->info->options.seed;
    for (uint32_t w = 0; w < search->worker_count; w++) {
        for (uint32_t i = 0; i < search->workers[w].count; i++) {
            const Contender *contender = &search->workers[w].contenders[i];
            bool exhaustive = contender->strategy == STRATEGY_EXHAUSTIVE;
            summary->searched |= exhaustive;
            summary->sampled |= !exhaustive;
            summary->complete |= exhaustive && contender->finished;
        }
    }
    add_bounds(search, summary);
    if (summary->ending == ENDING_DIVERGED)
        describe_divergence(search, summary);
}
