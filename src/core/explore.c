/* explore.c - see explore.h
 *
 *     while the strategy plans another execution:
 *         run the program along the plan, and freely behind it
 *         account for its outcome and findings
 *         let the strategy learn from it
 */
#include "core/explore.h"

#include <stdlib.h>
#include <string.h>

#include "core/strategy.h"

struct Explore {
    Region *region;
    Program *program;
    ExploreOptions options;
    ExploreStats stats;
    const StrategyOps *strategy;
    void *state;
    Execution *ex;
    Execution *probe;
    bool running;  /* an execution was begun; the strategy has not learnt from it yet  */
    bool counted;  /* it has been accounted for                                       */
};

enum { STEPS_PER_TICK = 1 << 14 };

/* ---- Lifecycle -------------------------------------------------------- */

static const StrategyOps *strategy_for(const ExploreOptions *options)
{
    switch (options->strategy) {
    case STRATEGY_RANDOM: return &strategy_random;
    case STRATEGY_PCT: return &strategy_pct;
    case STRATEGY_POS: return &strategy_pos;
    case STRATEGY_TURNS: return &strategy_turns;
    case STRATEGY_EXHAUSTIVE: break;
    }
    bool everything = options->reduction == REDUCTION_NONE || options->max_preemptions >= 0;
    if (options->memory != MEMORY_SC || options->graphs || options->reduction == REDUCTION_GRAPHS)
        return everything ? &strategy_all : &strategy_graph;
    if (options->order != PATHS_DEPTH)
        return &strategy_paths;
    if (options->reduction == REDUCTION_DCUTE)
        return &strategy_dcute;
    if (options->reduction == REDUCTION_EXACT)
        return &strategy_exact;
    if (options->reduction == REDUCTION_STATES)
        return &strategy_states;
    if (options->reduction == REDUCTION_PERSISTENT)
        return &strategy_persistent;
    return everything ? &strategy_all : &strategy_dpor;
}

bool explore_can_be_shared(const ExploreOptions *options) { return strategy_for(options)->create_jobs != NULL; }

struct Jobs *explore_create_jobs(Region *region, const ExploreOptions *options)
{
    return strategy_for(options)->create_jobs(region);
}

Explore *explore_create(Region *region, Program *program, const ExploreOptions *options)
{
    Explore *explore = region_alloc(region, sizeof *explore);
    *explore = (Explore){.region = region, .program = program, .options = *options, .strategy = strategy_for(options)};
    explore->ex = execution_create(program);
    explore->probe = execution_create(program);
    explore->probe->end = END_COMPLETE; /* no partial run yet */
    explore->ex->max_agent_steps = options->max_agent_steps;
    /* To programs all weak memory is the same: which of its executions are consistent is not their concern. */
    if (options->graphs)
        explore->ex->memory = explore->probe->memory = MEMORY_RC11;
    explore->ex->stop_at_bug = !options->keep_going;
    explore->ex->stops_detours = explore->probe->stops_detours =
        explore->strategy == &strategy_dpor || explore->strategy == &strategy_graph;
    explore->state = explore->strategy->create(region, &explore->options);
    return explore;
}

void explore_destroy(Explore *explore)
{
    if (!explore)
        return;
    explore->strategy->destroy(explore->state);
    execution_destroy(explore->ex);
    execution_destroy(explore->probe);
    region_free(explore->region, explore, sizeof *explore);
}

const ExploreStats *explore_stats(const Explore *explore) { return &explore->stats; }
bool explore_is_begun(const Explore *explore) { return explore->running; }
Execution *explore_execution(Explore *explore) { return explore->ex; }

/* ---- One execution ---------------------------------------------------- */

static void run_execution(Explore *explore)
{
    explore->counted = false;
    explore->running = true;
    execution_reset(explore->ex);
    explore->program->ops->run(explore->program, explore->ex);
}

static void count_cuts(ExploreStats *stats, const Execution *ex)
{
    stats->cut++;
    for (uint32_t kind = CUT_NONE + 1; kind < CUT_COUNT; kind++)
        stats->cuts[kind] += ex->cuts[kind] > 0;
}

/* False if the observer stops the search. */
static bool account(Explore *explore, ExploreObserver *observer)
{
    Execution *ex = explore->ex;
    ExploreStats *stats = &explore->stats;
    if (ex->end == END_RUNNING)
        ex->end = END_CRASHED; /* its process died */
    if (ex->end == END_DIVERGED)
        return true;
    bool redundant = ex->end == END_ABANDONED && ex->finding_count == 0;
    stats->redundant += redundant;
    stats->executions += !redundant;
    stats->steps += ex->event_count;
    stats->restored += ex->restored;
    stats->blocked += ex->blocked_count > ex->idle_count;
    stats->failing += ex->finding_count > 0;
    stats->crashed += ex->end == END_CRASHED && !ex->cuts[CUT_STEP_TIME];
    if (execution_is_cut(ex))
        count_cuts(stats, ex);
    stats->assumed += ex->assumed_away > 0;
    if (ex->event_count > stats->depth)
        stats->depth = ex->event_count;
    if (ex->agent_count > stats->agents)
        stats->agents = ex->agent_count;
    bool enough = observer && observer->ended && !observer->ended(observer, ex);
    if (ex->finding_count > 0 && observer && observer->found)
        observer->found(observer, ex);
    return !enough;
}

/* ---- The search --------------------------------------------------------- */

static bool budget_left(const Explore *explore)
{
    return explore->options.max_executions == 0 || explore->stats.executions < explore->options.max_executions;
}

static ExploreResult result_of(Next next)
{
    switch (next) {
    case NEXT_WAIT: return EXPLORE_WAITING;
    case NEXT_LOST: return EXPLORE_LOST;
    case NEXT_STOPPED: return EXPLORE_STOPPED;
    default: return EXPLORE_DONE;
    }
}

static ExploreResult continue_search(Explore *explore, Search *search, ExploreObserver *observer, uint64_t slice)
{
    uint64_t next_tick = explore->stats.steps + STEPS_PER_TICK;
    for (uint64_t n = 0; slice == 0 || n < slice; n++) {
        if (!explore->running) {
            if (!budget_left(explore))
                return EXPLORE_BUDGET;
            Next next = explore->strategy->next(search);
            if (next != NEXT_PLANNED)
                return result_of(next);
            run_execution(explore);
            if (explore->strategy->ended)
                explore->strategy->ended(search);
        }
        bool more = explore->counted || account(explore, observer);
        explore->counted = true; /* learning runs the program too, which may kill the process */
        if (explore->ex->end != END_DIVERGED)
            explore->strategy->learn(search);
        explore->running = false;
        if (explore->ex->end == END_DIVERGED)
            return EXPLORE_DIVERGED;
        if (explore->ex->finding_count > 0 && !explore->options.keep_going)
            return EXPLORE_BUG;
        if (!more)
            return EXPLORE_STOPPED;
        if (explore->stats.steps >= next_tick) {
            next_tick = explore->stats.steps + STEPS_PER_TICK;
            if (explore->strategy->note_progress)
                explore->strategy->note_progress(search);
            if (observer && observer->tick && !observer->tick(observer))
                return EXPLORE_STOPPED;
        }
    }
    return EXPLORE_PAUSED;
}

static Search make_search(Explore *explore)
{
    return (Search){.program = explore->program, .options = &explore->options, .stats = &explore->stats,
                    .ex = explore->ex, .probe = explore->probe, .state = explore->state};
}

bool explore_suspend(Explore *explore)
{
    Search search = make_search(explore);
    if (explore->running || !explore->strategy->suspend)
        return false;
    explore->strategy->attach(&search);
    bool done = explore->strategy->suspend(&search);
    explore->strategy->detach(&search);
    return done;
}

bool explore_restart(Explore *explore, Region *fresh)
{
    const StrategyOps *strategy = explore->strategy;
    void *state =
        strategy->restart ? strategy->restart(explore->state, fresh, &explore->options, &explore->stats) : NULL;
    if (!state)
        return false;
    explore->state = state;
    explore->running = false;
    return true;
}

ExploreResult explore_run(Explore *explore, ExploreObserver *observer, uint64_t slice)
{
    Search search = make_search(explore);
    search.observer = observer;
    explore->strategy->attach(&search);
    ExploreResult result = continue_search(explore, &search, observer, slice);
    explore->strategy->detach(&search);
    return result;
}

void explore_repeat(Explore *explore, uint64_t repeats)
{
    explore->ex->plan_length = 0;
    explore->ex->picker = NULL;
    for (uint64_t i = 0; i < repeats; i++) {
        execution_reset(explore->ex);
        explore->program->ops->run(explore->program, explore->ex);
    }
}
