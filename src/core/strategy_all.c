/* strategy_all.c - every interleaving, depth first; optionally within a bound on preemptions
 *
 * The stack of decisions taken, each with the alternatives still to try. It is what
 * the reductions are compared with, and the search that a bound on preemptions means.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "base/vec.h"
#include "core/strategy.h"

enum { MAX_DECISIONS = 1 << 22, MAX_ALTERNATIVES = 1 << 24 };

typedef struct Decision {
    uint32_t taken;             /* an agent, or the value of a choice                */
    uint32_t first_alternative; /* of those not tried yet; the newest decision's end
                                   is the top of the stack                           */
    uint32_t preemptions;       /* before it                                         */
    uint32_t condition;         /* of a choice that the inputs took, else 0          */
    bool is_choice;
    AgentId preempted;          /* agent that ran before and is still enabled, or NONE */
} Decision;

typedef struct AllState {
    Region *region;
    Decision *decisions;
    uint32_t *alternatives;
    uint32_t decision_count, alternative_count;
    bool started;
} AllState;

typedef struct All {
    Picker picker;
    Search *search;
    AllState *state;
    VEC(Literal) literals;
} All;

/* ---- Lifecycle -------------------------------------------------------- */

static void *reserve(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        mem_exhausted(size);
    return block;
}

static void *all_create(Region *region, const ExploreOptions *options)
{
    (void)options;
    AllState *state = region_alloc(region, sizeof *state);
    *state = (AllState){.region = region,
                        .decisions = reserve(MAX_DECISIONS * sizeof *state->decisions),
                        .alternatives = reserve(MAX_ALTERNATIVES * sizeof *state->alternatives)};
    return state;
}

static void all_destroy(void *memory)
{
    AllState *state = memory;
    munmap(state->decisions, MAX_DECISIONS * sizeof *state->decisions);
    munmap(state->alternatives, MAX_ALTERNATIVES * sizeof *state->alternatives);
    region_free(state->region, state, sizeof *state);
}

static AgentId pick_first(Picker *picker, Execution *ex, AgentId current);
static uint32_t choose_first(Picker *picker, Execution *ex, uint32_t options);
static void note_branch(Picker *picker, Execution *ex, uint32_t condition, uint32_t taken);

static void all_attach(Search *search)
{
    All *all = mem_alloc(sizeof *all);
    all->picker = (Picker){.pick = pick_first, .choose = choose_first, .branched = note_branch};
    all->search = search;
    all->state = search->state;
    search->local = all;
}

static void all_detach(Search *search)
{
    All *all = search->local;
    VEC_FREE(&all->literals);
    free(all);
}

/* ---- While an execution runs ------------------------------------------- */

static Decision *add_decision(AllState *state, uint32_t taken)
{
    Decision *decision = &state->decisions[state->decision_count++];
    *decision = (Decision){.taken = taken, .first_alternative = state->alternative_count, .preempted = AGENT_NONE};
    return decision;
}

static uint32_t preemptions_so_far(const AllState *state)
{
    for (uint32_t i = state->decision_count; i-- > 0;) {
        const Decision *decision = &state->decisions[i];
        if (!decision->is_choice)
            return decision->preemptions + (decision->preempted != AGENT_NONE && decision->preempted != decision->taken);
    }
    return 0;
}

static AgentId pick_first(Picker *picker, Execution *ex, AgentId current)
{
    All *all = (All *)picker;
    Program *program = all->search->program;
    int32_t bound = all->search->options->max_preemptions;
    uint32_t preemptions = preemptions_so_far(all->state);
    bool stays = current != AGENT_NONE && program->ops->enabled(program, current);
    Decision *decision = add_decision(all->state, AGENT_NONE);
    decision->preemptions = preemptions;
    decision->preempted = stays ? current : AGENT_NONE;
    if (stays)
        decision->taken = current;
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        if (agent == decision->taken || !program->ops->enabled(program, agent))
            continue;
        if (decision->taken == AGENT_NONE)
            decision->taken = agent;
        else if (stays && bound >= 0 && preemptions >= (uint32_t)bound)
            all->search->stats->bound_preemptions++;
        else
            all->state->alternatives[all->state->alternative_count++] = agent;
    }
    return decision->taken;
}

static uint32_t choose_first(Picker *picker, Execution *ex, uint32_t options)
{
    (void)ex;
    AllState *state = ((All *)picker)->state;
    add_decision(state, 0)->is_choice = true;
    for (uint32_t value = options; value-- > 1;)
        state->alternatives[state->alternative_count++] = value;
    return 0;
}

static void note_branch(Picker *picker, Execution *ex, uint32_t condition, uint32_t taken)
{
    (void)ex;
    AllState *state = ((All *)picker)->state;
    Decision *decision = add_decision(state, taken);
    decision->is_choice = true;
    decision->condition = condition;
    state->alternatives[state->alternative_count++] = !taken;
}

/* ---- Between executions ------------------------------------------------- */

static void plan_decisions(const AllState *state, Execution *ex)
{
    uint32_t choices = 0;
    ex->plan_length = 0;
    for (uint32_t i = 0; i < state->decision_count; i++) {
        const Decision *decision = &state->decisions[i];
        if (decision->is_choice) {
            ex->plan[ex->plan_length - 1].choice_count++;
            ex->plan_choices[choices++] = (Literal){.condition = decision->condition, .taken = decision->taken};
        } else {
            ex->plan[ex->plan_length++] = (PlanStep){.agent = decision->taken, .first_choice = choices};
        }
    }
}

/* Takes the next alternative of the newest decision that has one. */
static bool next_alternative(AllState *state)
{
    while (state->decision_count > 0 &&
           state->decisions[state->decision_count - 1].first_alternative == state->alternative_count)
        state->decision_count--;
    if (state->decision_count == 0)
        return false;
    state->decisions[state->decision_count - 1].taken = state->alternatives[--state->alternative_count];
    return true;
}

/* Are there inputs for what was decided? It can fail only where the newest decision was the inputs'. */
static bool is_feasible(All *all)
{
    const AllState *state = all->state;
    Program *program = all->search->program;
    if (!program->ops->feasible || state->decision_count == 0 || !state->decisions[state->decision_count - 1].condition)
        return true;
    all->literals.count = 0;
    for (uint32_t i = 0; i < state->decision_count; i++)
        if (state->decisions[i].condition)
            VEC_PUSH(&all->literals, ((Literal){.condition = state->decisions[i].condition, .taken = state->decisions[i].taken}));
    return program->ops->feasible(program, all->literals.items, all->literals.count, NULL, NULL, 0);
}

static Next all_next(Search *search)
{
    All *all = search->local;
    AllState *state = all->state;
    search->ex->picker = &all->picker;
    bool more = !state->started || next_alternative(state);
    while (more && !is_feasible(all))
        more = next_alternative(state);
    if (!more)
        return NEXT_NONE;
    state->started = true;
    plan_decisions(state, search->ex);
    return NEXT_PLANNED;
}

static void all_learn(Search *search) { (void)search; }

const StrategyOps strategy_all = {
    .create = all_create,
    .destroy = all_destroy,
    .attach = all_attach,
    .detach = all_detach,
    .next = all_next,
    .learn = all_learn,
};
