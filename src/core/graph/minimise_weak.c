/* minimise_weak.c - see minimise_weak.h */
#include "core/graph/minimise_weak.h"

#include <stdlib.h>
#include <string.h>

#include "core/explore.h"
#include "core/graph/linear.h"
#include "core/graph/record.h"

enum { ORDERS = 32, MOST_STEPS = 2000 };

/* ---- The best execution so far --------------------------------------------- */

typedef struct WeakBest {
    Program *program;
    const Finding *wanted;
    Schedule *schedule;
    uint32_t stale, preemptions;
    Execution *ex;     /* to try orders  */
    Rng rng;
} WeakBest;

static uint32_t length_to(const Execution *ex, const Finding *finding)
{
    return finding->position < ex->event_count ? finding->position : ex->event_count;
}

static uint32_t count_stale(const Execution *ex, uint32_t length)
{
    uint32_t stale = 0;
    GraphRecord record;
    graphrecord_init(&record, ex, length);
    for (uint32_t e = 0; e < length; e++)
        stale += graphrecord_missed(&record, e) != GRAPH_NONE;
    graphrecord_release(&record);
    return stale;
}

/* Keeps the execution if it shows the bug and is better. */
static bool consider(WeakBest *best, const Execution *ex)
{
    const Finding *finding = execution_find_bug(ex, best->wanted);
    if (!finding)
        return false;
    uint32_t length = length_to(ex, finding), stale = count_stale(ex, length);
    uint32_t preemptions = execution_preemptions(ex, length);
    if (best->schedule &&
        (stale > best->stale || (stale == best->stale && preemptions > best->preemptions) ||
         (stale == best->stale && preemptions == best->preemptions && length >= best->schedule->length)))
        return false;
    schedule_destroy(NULL, best->schedule);
    best->schedule = schedule_take(NULL, ex, length);
    best->stale = stale;
    best->preemptions = preemptions;
    return true;
}

static void run(WeakBest *best, Execution *ex)
{
    execution_reset(ex);
    best->program->ops->run(best->program, ex);
}

/* ---- Orders ---------------------------------------------------------------- */

/* Which events the agents of the bug need for their last steps. */
static bool *mark_needed(const Graph *graph, const Finding *finding)
{
    bool *keep = mem_alloc(graph->events.count + 1);
    for (uint32_t e = 0; e < graph->events.count; e++) {
        const GraphEvent *event = &graph->events.items[e];
        keep[e] = finding->agent_count == 0;
        for (uint32_t i = 0; i < finding->agent_count && !keep[e]; i++) {
            uint32_t last = graph->last.items[finding->agents[i]];
            keep[e] = last != GRAPH_NONE && graph_clock(graph, last, CLOCK_NEEDED)[event->agent] > event->index;
        }
    }
    return keep;
}

/* Tries orders of the events of an execution that shows the bug. True if it is sequentially consistent. */
static bool try_orders(WeakBest *best, const Execution *ex, const MinimiseBudget *budget)
{
    const Finding *finding = execution_find_bug(ex, best->wanted);
    if (!finding || length_to(ex, finding) > MOST_STEPS)
        return false;
    GraphRecord record;
    graphrecord_init(&record, ex, length_to(ex, finding));
    bool *keep = mark_needed(&record.graph, finding), sequential = graphrecord_is_sequential(&record);
    for (int i = 0; i < ORDERS && best->stale + best->preemptions > 0 && budget->may_continue(); i++) {
        linear_plan(&record.graph, keep, &best->rng, best->ex);
        run(best, best->ex);
        consider(best, best->ex);
    }
    free(keep);
    graphrecord_release(&record);
    return sequential;
}

/* ---- Other executions ------------------------------------------------------- */

typedef struct WeakWatch {
    ExploreObserver observer;
    WeakBest *best;
    const MinimiseBudget *budget;
    Schedule *found;   /* the one with the fewest stale steps */
    uint32_t stale;
} WeakWatch;

static bool watch_ended(ExploreObserver *observer, const Execution *ex)
{
    (void)ex;
    return ((WeakWatch *)observer)->budget->may_continue();
}

/* The program must not be run here: the order is only planned. */
static void watch_found(ExploreObserver *observer, const Execution *ex)
{
    WeakWatch *watch = (WeakWatch *)observer;
    const Finding *finding = execution_find_bug(ex, watch->best->wanted);
    if (!finding || length_to(ex, finding) > MOST_STEPS)
        return;
    GraphRecord record;
    graphrecord_init(&record, ex, length_to(ex, finding));
    bool *keep = mark_needed(&record.graph, finding);
    uint32_t stale = linear_plan(&record.graph, keep, &watch->best->rng, watch->best->ex);
    if (stale < watch->stale) {
        schedule_destroy(NULL, watch->found);
        watch->found = schedule_take_plan(NULL, watch->best->ex);
        watch->stale = stale;
    }
    free(keep);
    graphrecord_release(&record);
}

static bool was_complete(const ExploreStats *stats, ExploreResult result)
{
    return result == EXPLORE_DONE && stats->cut == 0 && stats->crashed == 0;
}

/* Searches graphs that are consistent under the model for the bug, with fewer stale steps than the best has; the best
 * is replaced if there is one. True if all were searched. */
static bool search_graphs(WeakBest *best, MemoryModel memory, bool first, const MinimiseBudget *budget)
{
    Region *region = region_create(1ull << 30);
    ExploreOptions options = {.memory = memory, .graphs = true, .max_preemptions = -1,
                              .max_executions = budget->executions, .keep_going = !first};
    WeakWatch watch = {.observer = {.ended = watch_ended, .found = watch_found}, .best = best, .budget = budget,
                       .stale = best->stale};
    Explore *explore = explore_create(region, best->program, &options);
    ExploreResult result;
    do
        result = explore_run(explore, &watch.observer, 0);
    while (!watch.found && result == EXPLORE_BUG); /* another bug: continue */
    bool complete = was_complete(explore_stats(explore), result);
    explore_destroy(explore);
    region_destroy(region);
    if (watch.found) {
        schedule_plan(watch.found, best->ex);
        run(best, best->ex);
        consider(best, best->ex);
    }
    schedule_destroy(NULL, watch.found);
    return complete;
}

/* ---- All of it ------------------------------------------------------------------ */

static bool has_inputs(const Schedule *schedule)
{
    for (uint32_t i = 0; i < schedule->choice_count; i++)
        if (schedule->choices[i].condition)
            return true;
    return false;
}

/* Replaces the execution by the best one. */
static void repeat_best(WeakBest *best, Execution *ex)
{
    schedule_plan(best->schedule, ex);
    run(best, ex);
}

static Sequential improve(WeakBest *best, Execution *ex, const MinimiseBudget *budget)
{
    if (try_orders(best, ex, budget))
        return SEQUENTIAL_YES;
    uint32_t before = best->stale;
    bool inputs = has_inputs(best->schedule), complete = search_graphs(best, MEMORY_SC, true, budget) && !inputs;
    bool found = best->stale < before;
    if (!found && best->stale > 1)
        search_graphs(best, best->program->memory, false, budget);
    if (best->stale == before)
        return complete ? SEQUENTIAL_NO : SEQUENTIAL_UNKNOWN;
    repeat_best(best, ex);
    return try_orders(best, ex, budget) ? SEQUENTIAL_YES : complete && !found ? SEQUENTIAL_NO : SEQUENTIAL_UNKNOWN;
}

Schedule *minimise_weak(Program *program, const Schedule *failing, const Finding *finding, const MinimiseBudget *budget,
                        Sequential *sequential)
{
    WeakBest best = {.program = program, .wanted = finding, .ex = execution_create(program), .rng = {.state = 1}};
    Execution *ex = execution_create(program);
    ex->stop_at_bug = best.ex->stop_at_bug = true;
    *sequential = SEQUENTIAL_UNKNOWN;
    if (failing->length <= MOST_STEPS) {
        schedule_plan(failing, ex);
        run(&best, ex);
        consider(&best, ex);
    }
    if (best.schedule) {
        *sequential = improve(&best, ex, budget);
    } else { /* it is too long, or did not show the bug again: return it unchanged */
        best.schedule = schedule_create(NULL, failing->length, failing->choice_count);
        memcpy(best.schedule->steps, failing->steps, failing->length * sizeof *failing->steps);
        memcpy(best.schedule->choices, failing->choices, failing->choice_count * sizeof *failing->choices);
    }
    execution_destroy(ex);
    execution_destroy(best.ex);
    return best.schedule;
}
