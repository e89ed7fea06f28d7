/* minimise.c - see minimise.h
 *
 * First the given execution is reordered: only the events that happen before the bug are kept, and each agent
 * runs as long as it can. Then all schedules with fewer preemptions are searched, bound by bound, until the
 * budget runs out.
 */
#include "core/minimise.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "core/explore.h"
#include "core/hb.h"

/* ---- The best schedule so far ------------------------------------------- */

typedef struct Best {
    const Finding *wanted;
    Schedule *schedule;
    uint32_t preemptions;
} Best;

/* Many times as many steps are not worth a preemption less: an agent that runs forever needs none. */
static bool is_far_longer(uint32_t length, uint32_t than) { return length / 10 > than + 10; }

/* Keeps the execution if it shows the bug with fewer preemptions, or with as many in fewer steps. */
static bool consider(Best *best, const Execution *ex)
{
    const Finding *finding = execution_find_bug(ex, best->wanted);
    if (!finding)
        return false;
    uint32_t length = finding->position < ex->event_count ? finding->position : ex->event_count;
    uint32_t preemptions = execution_preemptions(ex, length);
    if (best->schedule && (preemptions > best->preemptions || is_far_longer(length, best->schedule->length) ||
                           (preemptions == best->preemptions && length >= best->schedule->length)))
        return false;
    schedule_destroy(NULL, best->schedule);
    best->schedule = schedule_take(NULL, ex, length);
    best->preemptions = preemptions;
    return true;
}

/* ---- Reordering the given execution --------------------------------------- */

/* Which of the first `length` events happen before the last steps of the agents involved in the bug. */
static void mark_needed(const Hb *hb, const Finding *finding, uint32_t length, bool *needed)
{
    for (uint32_t i = 0; i < length; i++) {
        needed[i] = finding->agent_count == 0;
        for (uint32_t k = 0; k < finding->agent_count && !needed[i]; k++) {
            uint32_t last = HB_NONE;
            for (uint32_t j = 0; j < length; j++)
                if (hb->events.items[j].label.agent == finding->agents[k])
                    last = j;
            needed[i] = last != HB_NONE && hb_reaches(hb, i, last);
        }
    }
}

static bool is_ready(const Hb *hb, const bool *left, uint32_t position)
{
    for (uint32_t i = 0; i < position; i++)
        if (left[i] && hb_reaches(hb, i, position))
            return false;
    return true;
}

/* The first event left that is ready and belongs to `agent`; with `not_it` a random one of any other agent. */
static uint32_t ready_event(const Hb *hb, const bool *left, uint32_t length, AgentId agent, bool not_it, Rng *rng)
{
    uint32_t found = HB_NONE, candidates = 0;
    for (uint32_t i = 0; i < length; i++) {
        bool its = hb->events.items[i].label.agent == agent;
        if (!left[i] || its == not_it || !is_ready(hb, left, i))
            continue;
        if (!not_it)
            return i;
        if (rng_below(rng, ++candidates) == 0)
            found = i;
    }
    return found;
}

/* Plans the needed events so that an agent runs while it can; the next agent is chosen at random. */
static void plan_reordered(Execution *ex, const Hb *hb, const bool *needed, uint32_t length, Rng *rng)
{
    bool *left = mem_alloc(length);
    AgentId current = AGENT_NONE;
    uint32_t choices = 0;
    memcpy(left, needed, length);
    ex->plan_length = 0;
    for (;;) {
        uint32_t next = ready_event(hb, left, length, current, false, rng);
        if (next == HB_NONE)
            next = ready_event(hb, left, length, current, true, rng);
        if (next == HB_NONE)
            break;
        const Label *label = &hb->events.items[next].label;
        left[next] = false;
        current = label->agent;
        ex->plan[ex->plan_length++] =
            (PlanStep){.agent = current, .choice_count = label->choice_count, .first_choice = choices};
        for (uint32_t c = 0; c < label->choice_count; c++)
            ex->plan_choices[choices++] = label->choices[c];
    }
    free(left);
}

enum { REORDERINGS = 32, REORDER_LIMIT = 2000 };

static void try_reorderings(Program *program, Best *best, const Schedule *failing, const Finding *finding,
                            const MinimiseBudget *budget)
{
    Execution *source = execution_create(program), *ex = execution_create(program);
    Rng rng = {.state = 1};
    Hb hb;
    source->stop_at_bug = ex->stop_at_bug = true;
    schedule_plan(failing, source);
    program->ops->run(program, source);
    consider(best, source);
    hb_init(&hb, source);
    hb_extend(&hb);
    uint32_t length = failing->length < hb.count ? failing->length : hb.count;
    if (length > 0 && length <= REORDER_LIMIT) {
        bool *needed = mem_alloc(length);
        mark_needed(&hb, finding, length, needed);
        for (int i = 0; i < REORDERINGS && best->preemptions > 0 && budget->may_continue(); i++) {
            plan_reordered(ex, &hb, needed, length, &rng);
            execution_reset(ex);
            program->ops->run(program, ex);
            consider(best, ex);
        }
        free(needed);
    }
    hb_release(&hb);
    execution_destroy(ex);
    execution_destroy(source);
}

/* ---- Fewer preemptions ------------------------------------------------------ */

typedef struct Watch {
    ExploreObserver observer;
    Best *best;
    const MinimiseBudget *budget;
    bool found;
} Watch;

static bool watch_ended(ExploreObserver *observer, const Execution *ex)
{
    (void)ex;
    return ((Watch *)observer)->budget->may_continue();
}

static void watch_found(ExploreObserver *observer, const Execution *ex)
{
    Watch *watch = (Watch *)observer;
    watch->found = consider(watch->best, ex) || watch->found;
}

/* True if no schedule has fewer preemptions than the best one. */
static bool search_below(Program *program, Best *best, const MinimiseBudget *budget)
{
    uint64_t left = budget->executions;
    for (uint32_t bound = 0; bound < best->preemptions; bound++) {
        if (left == 0 || !budget->may_continue())
            return false;
        Region *region = region_create(1ull << 30);
        ExploreOptions options = {.max_preemptions = (int32_t)bound, .max_executions = left};
        Watch watch = {.observer = {.ended = watch_ended, .found = watch_found}, .best = best, .budget = budget};
        Explore *explore = explore_create(region, program, &options);
        ExploreResult result;
        do
            result = explore_run(explore, &watch.observer, 0);
        while (!watch.found && result == EXPLORE_BUG); /* another bug: continue */
        left -= explore_stats(explore)->executions < left ? explore_stats(explore)->executions : left;
        explore_destroy(explore);
        region_destroy(region);
        if (watch.found)
            return true;
        if (result != EXPLORE_DONE)
            return false;
    }
    return true;
}

Schedule *minimise_preemptions(Program *program, const Schedule *failing, const Finding *finding,
                               const MinimiseBudget *budget, bool *fewest)
{
    Best best = {.wanted = finding, .preemptions = UINT32_MAX};
    try_reorderings(program, &best, failing, finding, budget);
    *fewest = best.schedule && program->memory == MEMORY_SC && search_below(program, &best, budget);
    if (!best.schedule) {
        /* The schedule did not show the bug again: return it unchanged. */
        best.schedule = schedule_create(NULL, failing->length, failing->choice_count);
        memcpy(best.schedule->steps, failing->steps, failing->length * sizeof *failing->steps);
        memcpy(best.schedule->choices, failing->choices, failing->choice_count * sizeof *failing->choices);
    }
    return best.schedule;
}
