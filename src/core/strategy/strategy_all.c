/* strategy_all.c - every interleaving, depth first; optionally within a bound on preemptions
 *
 * The reference for the reductions, and the search within a bound on preemptions. Under weak memory every interleaving
 * with every consistent choice of writes.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/vec.h"
#include "core/graph/choices.h"
#include "core/strategy.h"
#include "core/strategy/decisions.h"

typedef struct AllState {
    Region *region;
    Decisions *decisions;
} AllState;

typedef struct All {
    Picker picker;
    Search *search;
    Decisions *decisions;
    WeakChoices weak;
    VEC(uint32_t) values; /* of a choice */
} All;

/* ---- Lifecycle -------------------------------------------------------- */

static void *all_create(Region *region, const ExploreOptions *options)
{
    AllState *state = region_alloc(region, sizeof *state);
    *state = (AllState){.region = region, .decisions = decisions_create(region)};
    if (options->begun)
        decisions_begin(state->decisions, options->begun, options->begun_length);
    return state;
}

static void all_destroy(void *memory)
{
    AllState *state = memory;
    decisions_destroy(state->decisions);
    region_free(state->region, state, sizeof *state);
}

static AgentId pick_first(Picker *picker, Execution *ex, AgentId current);
static uint32_t choose_first(Picker *picker, Execution *ex, uint32_t options);
static void note_branch(Picker *picker, Execution *ex, uint32_t condition, uint32_t taken);
static void restart(Picker *picker);

static void all_attach(Search *search)
{
    All *all = mem_alloc(sizeof *all);
    all->picker = (Picker){.pick = pick_first, .choose = choose_first, .branched = note_branch,
                             .restarted = restart};
    all->search = search;
    all->decisions = ((AllState *)search->state)->decisions;
    weakchoices_init(&all->weak, search->options->memory);
    search->local = all;
}

static void all_detach(Search *search)
{
    All *all = search->local;
    weakchoices_release(&all->weak);
    VEC_FREE(&all->values);
    free(all);
}

/* ---- While an execution runs ------------------------------------------- */

/* An agent that waits can be an alternative, if it reads an older write; so can be that all wait to the end. */
static AgentId pick_first(Picker *picker, Execution *ex, AgentId current)
{
    All *all = (All *)picker;
    Program *program = all->search->program;
    int32_t bound = all->search->options->max_preemptions;
    bool stays = current != AGENT_NONE && program->ops->enabled(program, current);
    Decision *decision = decisions_add_step(all->decisions, ex, (Alternative){.value = stays ? current : AGENT_NONE});
    decision->preempted = stays ? current : AGENT_NONE;
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        bool enabled = program->ops->enabled(program, agent);
        if (agent == decision->taken.value || (!enabled && !weakchoices_end_wait(&all->weak, ex, agent)))
            continue;
        if (enabled && decision->taken.value == AGENT_NONE)
            decision->taken.value = agent;
        else if (stays && bound >= 0 && decision->preemptions >= (uint32_t)bound)
            all->search->stats->bound_preemptions++;
        else
            decisions_add_alternative(all->decisions, (Alternative){.value = agent});
    }
    return decision->taken.value;
}

static uint32_t choose_first(Picker *picker, Execution *ex, uint32_t options)
{
    All *all = (All *)picker;
    if (options == 1 || !weakchoices_apply(ex)) {
        decisions_add_choice(all->decisions, ex, options);
        return 0;
    }
    all->values.count = 0;
    for (uint32_t k = 0; k < options; k++)
        if (weakchoices_allow(&all->weak, ex, k))
            VEC_PUSH(&all->values, k);
    decisions_add_choice_of(all->decisions, ex, all->values.items, all->values.count);
    return all->values.items[0];
}

static void note_branch(Picker *picker, Execution *ex, uint32_t condition, uint32_t taken)
{
    decisions_add_branch(((All *)picker)->decisions, ex, condition, taken);
}

static void restart(Picker *picker)
{
    decisions_restart(((All *)picker)->decisions);
    weakchoices_begin(&((All *)picker)->weak);
}

/* ---- Between executions ------------------------------------------------- */

/* Takes the next alternative of the newest decision that has one. */
static bool next_alternative(Decisions *decisions)
{
    while (decisions_top(decisions) && decisions_left(decisions) == 0)
        decisions_drop(decisions);
    if (!decisions_top(decisions))
        return false;
    decisions_advance(decisions);
    return true;
}

static Next all_next(Search *search)
{
    All *all = search->local;
    Decisions *decisions = all->decisions;
    search->ex->picker = &all->picker;
    bool more = !decisions->started || next_alternative(decisions);
    while (more && !decisions_plan(decisions, search->ex)) {
        if (!search_may_continue(search))
            return NEXT_STOPPED;
        more = next_alternative(decisions);
    }
    if (!more)
        return NEXT_NONE;
    decisions->started = true;
    weakchoices_begin(&all->weak);
    return NEXT_PLANNED;
}

static void all_learn(Search *search) { decisions_end(((All *)search->local)->decisions, search->ex); }

const StrategyOps strategy_all = {
    .create = all_create,
    .destroy = all_destroy,
    .attach = all_attach,
    .detach = all_detach,
    .next = all_next,
    .learn = all_learn,
};
