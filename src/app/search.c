/* search.c - see search.h */
#include "app/search.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    TURN = 1000,              /* executions of one strategy before it is the next one's turn */
    SAMPLES_BY_DEFAULT = 10000 /* sampling without a budget would never end                  */
};

typedef struct Contender {
    Explore *explore;
    Strategy strategy;
    bool finished;            /* nothing is left for it */
} Contender;

struct Search {
    ExploreObserver observer; /* first: callbacks get the search from it */
    const RunInfo *info;
    BugList *bugs;
    uint32_t count;
    uint32_t current;
    uint64_t budget;          /* executions in all, 0: no limit          */
    Contender contenders[STRATEGIES_MAX];
    _Atomic int stop;         /* Ending + 1, or 0                        */
    _Atomic bool ended;
    Ending ending;
    char phrases[4][96];      /* of bounds, for the summary              */
    char note[400];
};

/* ---- Callbacks of the engine -------------------------------------------------- */

static void on_found(ExploreObserver *self, const Execution *ex)
{
    Search *search = (Search *)self;
    buglist_add(search->bugs, search->info, ex);
}

static bool on_tick(ExploreObserver *self)
{
    return atomic_load_explicit(&((Search *)self)->stop, memory_order_relaxed) == 0;
}

/* ---- Lifecycle ------------------------------------------------------------------ */

static ExploreOptions explore_options(const Options *options, const StrategyItem *item)
{
    return (ExploreOptions){
        .strategy = item->strategy,
        .reduction = (Reduction)options->reduction,
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

Search *search_create(Region *region, Program *program, const RunInfo *info)
{
    Search *search = region_alloc(region, sizeof *search);
    const Options *options = &info->options;
    search->observer = (ExploreObserver){.found = on_found, .tick = on_tick};
    search->info = info;
    search->bugs = buglist_create(region);
    search->count = options->strategies.count;
    search->budget = options->max_execs;
    if (!search->budget && options->max_time <= 0 && only_samples(&options->strategies))
        search->budget = SAMPLES_BY_DEFAULT;
    for (uint32_t i = 0; i < search->count; i++) {
        ExploreOptions wanted = explore_options(options, &options->strategies.items[i]);
        search->contenders[i].strategy = wanted.strategy;
        search->contenders[i].explore = explore_create(region, program, &wanted);
    }
    return search;
}

/* ---- In the worker ---------------------------------------------------------------- */

static void end_search(Search *search, Ending ending)
{
    search->ending = ending;
    atomic_store_explicit(&search->ended, true, memory_order_release);
}

/* Executions the current strategy may do now; 0: as many as it likes. */
static uint64_t next_slice(const Search *search)
{
    uint64_t slice = search->count > 1 ? TURN : 0;
    if (search->budget) {
        uint64_t left = search->budget - search_stats(search).executions;
        if (!slice || left < slice)
            slice = left;
    }
    return slice;
}

static bool budget_used_up(const Search *search)
{
    return search->budget && search_stats(search).executions >= search->budget;
}

/* Nothing is left for the current strategy: an exhaustive one has seen everything. */
static void finish_contender(Search *search)
{
    Contender *contender = &search->contenders[search->current];
    contender->finished = true;
    if (contender->strategy == STRATEGY_EXHAUSTIVE)
        end_search(search, ENDING_DONE);
}

static void next_turn(Search *search)
{
    for (uint32_t i = 0; i < search->count; i++) {
        search->current = (search->current + 1) % search->count;
        if (!search->contenders[search->current].finished)
            return;
    }
    end_search(search, ENDING_DONE);
}

static void take_turn(Search *search)
{
    Contender *contender = &search->contenders[search->current];
    switch (explore_run(contender->explore, &search->observer, next_slice(search))) {
    case EXPLORE_DONE:
        finish_contender(search);
        break;
    case EXPLORE_PAUSED:
    case EXPLORE_BUDGET:
        if (budget_used_up(search))
            end_search(search, ENDING_EXECUTIONS);
        break;
    case EXPLORE_BUG:
        end_search(search, ENDING_BUG);
        break;
    case EXPLORE_STOPPED:
        end_search(search, (Ending)(search->stop - 1));
        break;
    case EXPLORE_DIVERGED:
        end_search(search, ENDING_DIVERGED);
        break;
    default: /* other workers have all the work */
        usleep(500);
    }
}

void search_work(Search *search)
{
    while (!search->ended) {
        take_turn(search);
        if (!search->ended && search->stop)
            end_search(search, (Ending)(search->stop - 1));
        if (!search->ended)
            next_turn(search);
    }
}

/* ---- For the supervisor --------------------------------------------------------------- */

void search_stop(Search *search, Ending ending)
{
    int none = 0;
    atomic_compare_exchange_strong(&search->stop, &none, (int)ending + 1);
}

bool search_ended(const Search *search)
{
    return atomic_load_explicit(&search->ended, memory_order_acquire);
}

ExploreStats search_stats(const Search *search)
{
    ExploreStats sum = {0};
    for (uint32_t i = 0; i < search->count; i++) {
        const ExploreStats *stats = explore_stats(search->contenders[i].explore);
        sum.executions += stats->executions;
        sum.redundant += stats->redundant;
        sum.probes += stats->probes;
        sum.blocked += stats->blocked;
        sum.failing += stats->failing;
        sum.crashed += stats->crashed;
        sum.steps += stats->steps;
        sum.bound_steps += stats->bound_steps;
        sum.bound_timeouts += stats->bound_timeouts;
        sum.bound_preemptions += stats->bound_preemptions;
        sum.assumed += stats->assumed;
        sum.depth = stats->depth > sum.depth ? stats->depth : sum.depth;
        sum.agents = stats->agents > sum.agents ? stats->agents : sum.agents;
        if (stats->total_estimate > sum.total_estimate)
            sum.total_estimate = stats->total_estimate;
    }
    return sum;
}

BugList *search_bugs(Search *search) { return search->bugs; }

Execution *search_execution(Search *search)
{
    return explore_execution(search->contenders[search->current].explore);
}

/* ---- Summary ------------------------------------------------------------------------------ */

static void add_bounds(Search *search, Summary *summary)
{
    const Options *options = &search->info->options;
    const ExploreStats *stats = &summary->stats;
    if (options->preemptions >= 0) {
        snprintf(search->phrases[0], sizeof search->phrases[0], "at most %lld preemptions", (long long)options->preemptions);
        summary_add_bound(summary, "preemptions", (double)options->preemptions, stats->bound_preemptions, search->phrases[0]);
    }
    if (options->max_steps) {
        snprintf(search->phrases[1], sizeof search->phrases[1], "at most %llu steps per thread",
                 (unsigned long long)options->max_steps);
        summary_add_bound(summary, "max-steps", (double)options->max_steps, stats->bound_steps, search->phrases[1]);
    }
    if (stats->bound_timeouts) {
        snprintf(search->phrases[2], sizeof search->phrases[2], "at most %llu time-outs per thread",
                 (unsigned long long)options->timeouts);
        summary_add_bound(summary, "timeouts", (double)options->timeouts, stats->bound_timeouts, search->phrases[2]);
    }
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

/* Where the program left the plan, in words. */
static void describe_divergence(Search *search, Summary *summary)
{
    const Execution *ex = search_execution(search);
    snprintf(search->note, sizeof search->note,
             "step %u of a schedule that had been possible before was not possible again: the program depends on "
             "something besides its schedule (time, random numbers, addresses, outside state); --isolate=fork may help",
             ex->diverged_at + 1);
    summary->note = search->note;
}

void search_summarise(Search *search, Summary *summary)
{
    summary->ending = search_ended(search) ? search->ending : ENDING_FAILED;
    summary->stats = search_stats(search);
    summary->seed = search->info->options.seed;
    for (uint32_t i = 0; i < search->count; i++) {
        bool exhaustive = search->contenders[i].strategy == STRATEGY_EXHAUSTIVE;
        summary->searched |= exhaustive;
        summary->sampled |= !exhaustive;
        summary->complete |= exhaustive && search->contenders[i].finished;
    }
    add_bounds(search, summary);
    if (summary->ending == ENDING_DIVERGED)
        describe_divergence(search, summary);
}
