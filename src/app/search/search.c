/* search.c - see search.h: creation, and the questions of the supervisor */
#include "app/run/process.h"
#include "app/search/search_internal.h"
#include "core/stats.h"

enum { SAMPLES_BY_DEFAULT = 10000 }; /* sampling without a budget would never end */

/* ---- Lifecycle ------------------------------------------------------------------ */

/* Which steps conflict decides which reduction is possible. */
static Reduction reduction_of(const Options *options)
{
    Reduction reduction = (Reduction)options->reduction;
    return reduction == REDUCTION_OPTIMAL && options->dependence == DEPENDENCE_BY_EXACT ? REDUCTION_EXACT : reduction;
}

/* A model has no memory orders. */
static MemoryModel memory_of(const Options *options)
{
    return options->memory == MEMORY_AUTO ? MEMORY_SC : (MemoryModel)options->memory;
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
        .memory = memory_of(options),
    };
}

static bool only_samples(const StrategyList *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (list->items[i].strategy == STRATEGY_EXHAUSTIVE)
            return false;
    return true;
}

/* Can the exhaustive strategy, if there is one, be divided into jobs? */
static bool can_be_shared(const Options *options)
{
    ExploreOptions wanted = explore_options(options, &(StrategyItem){.strategy = STRATEGY_EXHAUSTIVE});
    return explore_can_be_shared(&wanted);
}

/* Without --jobs, one worker draws all samples: the same seed gives the same samples. */
static uint32_t count_workers(const Options *options)
{
    bool exhaustive = options->strategies.count == 1 && !only_samples(&options->strategies);
    bool share = only_samples(&options->strategies) || can_be_shared(options);
    uint64_t wanted = options->jobs ? options->jobs : exhaustive ? process_count_cores() : 1;
    if (!share || wanted <= 1)
        return 1;
    return wanted < SEARCH_WORKERS ? (uint32_t)wanted : SEARCH_WORKERS;
}

Region *search_reserve(void) { return region_create((size_t)16 << 30); }

/* A worker has its own memory for its part in every strategy: it needs no locks. */
static bool create_worker(RunSearch *search, Program *program, uint32_t number)
{
    const Options *options = &search->info->options;
    SearchWorker *worker = &search->workers[number];
    Region *region = search_reserve();
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

/* The workers share the jobs of exhaustive strategies. */
static bool create_jobs(RunSearch *search)
{
    const StrategyList *list = &search->info->options.strategies;
    for (uint32_t i = 0; i < list->count; i++) {
        if (list->items[i].strategy != STRATEGY_EXHAUSTIVE || !can_be_shared(&search->info->options))
            continue;
        Region *region = search_reserve();
        if (!region)
            return false;
        ExploreOptions wanted = explore_options(&search->info->options, &list->items[i]);
        search->jobs[i] = explore_create_jobs(region, &wanted);
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

/* In memory of their own: a process that is killed while it samples leaves the search as it was. */
static void add_samplers(RunSearch *search, Program *program, uint32_t number)
{
    static const StrategyItem items[SAMPLERS] = {
        {.strategy = STRATEGY_RANDOM},
        {.strategy = STRATEGY_PCT, .pct_depth = 3},
        {.strategy = STRATEGY_POS},
        {.strategy = STRATEGY_TURNS}};
    enum { ROOM = 1 << 28 };
    SearchWorker *worker = &search->workers[number];
    Region *region = region_create(ROOM);
    for (uint32_t i = 0; region && i < SAMPLERS; i++) {
        ExploreOptions wanted = explore_options(&search->info->options, &items[i]);
        wanted.seed += number;
        worker->contenders[worker->count + worker->samplers++] =
            (Contender){.strategy = wanted.strategy, .explore = explore_create(region, program, &wanted)};
    }
}

void search_sample_aside(RunSearch *search, Program *program)
{
    const Options *options = &search->info->options;
    for (uint32_t i = 0; i < search->worker_count && options->sample_after > 0 && options_may_sample(options); i++) {
        add_samplers(search, program, i);
        search->workers[i].next_sample = process_now() + options->sample_after;
    }
}

uint64_t search_samples(const RunSearch *search)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < search->worker_count; w++) {
        const SearchWorker *worker = &search->workers[w];
        for (uint32_t i = 0; i < worker->samplers; i++)
            sum += explore_stats(worker->contenders[worker->count + i].explore)->executions;
    }
    return sum;
}

void search_keep_record(RunSearch *search, SearchRecord *record) { search->record = record; }

bool search_keep_executions(RunSearch *search, const char *directory, Error *error)
{
    uint64_t most = search->info->options.keep_executions;
    return !most || keep_init(&search->keep, directory, most, error);
}

SearchRecord *search_record(const RunSearch *search) { return search->record; }

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
    search->budget = executions == SEARCH_NO_LIMIT ? 0 : search_stats(search).executions + executions;
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

/* With several strategies, samples would count as executions of the tree: there is no estimate. */
void search_estimate(RunSearch *search)
{
    if (search->info->options.strategies.count != 1 || !search->jobs[0])
        return;
    uint64_t executions = search_stats(search).executions;
    double share = jobs_progress(search->jobs[0]);
    if (share < 0)
        return;
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
