/* strategy_paths.c - one execution per path of the inputs, in a chosen order
 *
 * For searches that will not end: the other strategies take the newest alternative first; here the oldest come first
 * (breadth), or those of executions that executed new code (coverage). An execution determines its children: each
 * choice behind its own plan, with another outcome, is the end of a child's plan; so every path is planned once.
 * Agents are scheduled by the default policy only: with several agents this is a bound, which is counted.
 */
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "core/strategy.h"

/* A plan to be run later; in the region, followed by its steps and choices. */
typedef struct Waiting Waiting;
struct Waiting {
    Waiting *next;
    uint32_t steps, choices;
    PlanStep *plan;
    Literal *literals;
    size_t size;
};

typedef struct List {
    Waiting *first, *last;
} List;

typedef struct Paths {
    Region *region;
    PathOrder order;
    bool started;
    uint32_t fixed_choices; /* of the current execution: those of its plan        */
    List hot, cold;         /* hot: found by executions that executed new code    */
} Paths;

/* ---- Lifecycle -------------------------------------------------------- */

static void *paths_create(Region *region, const ExploreOptions *options)
{
    Paths *paths = region_alloc(region, sizeof *paths);
    *paths = (Paths){.region = region, .order = options->order};
    return paths;
}

static void drop_all(Paths *paths, List *list)
{
    for (Waiting *plan = list->first, *next; plan; plan = next) {
        next = plan->next;
        region_free(paths->region, plan, plan->size);
    }
}

static void paths_destroy(void *state)
{
    Paths *paths = state;
    drop_all(paths, &paths->hot);
    drop_all(paths, &paths->cold);
    region_free(paths->region, paths, sizeof *paths);
}

static void paths_attach(Search *search) { (void)search; }

/* ---- Planning ------------------------------------------------------------ */

static void append(List *list, Waiting *plan)
{
    plan->next = NULL;
    if (list->last)
        list->last->next = plan;
    else
        list->first = plan;
    list->last = plan;
}

static Waiting *take(List *list)
{
    Waiting *plan = list->first;
    if (plan) {
        list->first = plan->next;
        if (!list->first)
            list->last = NULL;
    }
    return plan;
}

/* False if no plan waits. */
static bool plan_next(Paths *paths, Execution *ex)
{
    Waiting *plan = take(&paths->hot);
    if (!plan)
        plan = take(&paths->cold);
    if (!plan)
        return false;
    memcpy(ex->plan, plan->plan, plan->steps * sizeof *ex->plan);
    memcpy(ex->plan_choices, plan->literals, plan->choices * sizeof *ex->plan_choices);
    ex->plan_length = plan->steps;
    paths->fixed_choices = plan->choices;
    region_free(paths->region, plan, plan->size);
    return true;
}

static Next paths_next(Search *search)
{
    Paths *paths = search->state;
    Execution *ex = search->ex;
    ex->picker = NULL;
    ex->plan_length = 0;
    paths->fixed_choices = 0;
    if (!paths->started) {
        paths->started = true;
        return NEXT_PLANNED;
    }
    while (plan_next(paths, ex)) {
        if (program_solves(search->program, ex))
            return NEXT_PLANNED;
        if (!search_may_continue(search))
            return NEXT_STOPPED;
    }
    return NEXT_NONE;
}

/* ---- Learning -------------------------------------------------------------- */

typedef VEC(Literal) LiteralList;

/* The plan up to choice `choice` of event `event`, which takes `taken`. */
static Waiting *make_plan(Paths *paths, const Execution *ex, uint32_t event, uint32_t choice, uint32_t taken)
{
    uint32_t steps = event + 1, choices = choice + 1;
    size_t size = sizeof(Waiting) + steps * sizeof(PlanStep) + choices * sizeof(Literal);
    Waiting *plan = region_alloc(paths->region, size);
    *plan = (Waiting){.steps = steps, .choices = choices, .size = size};
    plan->plan = (PlanStep *)(plan + 1);
    plan->literals = (Literal *)(plan->plan + steps);
    for (uint32_t i = 0; i < steps; i++) {
        const Event *step = &ex->events[i];
        uint32_t count = i < event ? step->choice_count : choice + 1 - step->first_choice;
        plan->plan[i] =
            (PlanStep){.agent = step->agent, .choice_count = (uint16_t)count, .first_choice = step->first_choice};
    }
    for (uint32_t i = 0; i < choices; i++)
        plan->literals[i] = (Literal){ex->choices[i].condition, i == choice ? taken : ex->choices[i].taken};
    return plan;
}

static bool is_possible(const Search *search, LiteralList *before, Literal literal)
{
    if (!literal.condition || !search->program->ops->feasible)
        return true;
    VEC_PUSH(before, literal);
    bool possible = search->program->ops->feasible(search->program, before->items, before->count, NULL, NULL, 0);
    before->count--;
    return possible;
}

static void add_alternatives(Search *search, LiteralList *before, uint32_t event, uint32_t number, List *list)
{
    const Choice *choice = &search->ex->choices[number];
    for (uint32_t taken = 0; taken < choice->options; taken++)
        if (taken != choice->taken && is_possible(search, before, (Literal){choice->condition, taken}))
            append(list, make_plan(search->state, search->ex, event, number, taken));
}

static void paths_learn(Search *search)
{
    Paths *paths = search->state;
    const Execution *ex = search->ex;
    List *list = paths->order == PATHS_COVERAGE && ex->did_new ? &paths->hot : &paths->cold;
    LiteralList before = {0};
    if (ex->agent_count > 1)
        search->stats->bound_schedules++;
    for (uint32_t e = 0; e < ex->event_count; e++) {
        const Event *event = &ex->events[e];
        for (uint32_t c = event->first_choice; c < event->first_choice + event->choice_count; c++) {
            if (c >= paths->fixed_choices)
                add_alternatives(search, &before, e, c, list);
            if (ex->choices[c].condition)
                VEC_PUSH(&before, ((Literal){ex->choices[c].condition, ex->choices[c].taken}));
        }
    }
    VEC_FREE(&before);
}

const StrategyOps strategy_paths = {
    .create = paths_create,
    .destroy = paths_destroy,
    .attach = paths_attach,
    .detach = paths_attach,
    .next = paths_next,
    .learn = paths_learn,
};
