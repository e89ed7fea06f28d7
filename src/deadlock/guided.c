/* guided.c - see guided.h
 *
 * Design: a stack of levels, one per step; each branch is executed again from the beginning. The sleep set and the
 * remaining tasks of each level are on stacks of their own, with those of the newest level on top.
 */
#include "deadlock/guided.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "abs/run/waitgraph.h"
#include "deadlock/bits.h"
#include "deadlock/constraint.h"
#include "deadlock/persistent.h"
#include "deadlock/standstill.h"

/* In executions longer than this, sufficient sets with tasks that are relevant to the cycle are preferred to small
 * ones: other tasks may run forever. */
enum { LONG_EXECUTION = 100 };

typedef struct StepTouch {
    uint64_t resource;
    uint8_t lanes;
    uint8_t mode;
} StepTouch;

/* A sleeping task: its next step was explored from an earlier state; with the footprint of that step. */
typedef struct Sleeper {
    AgentId agent;
    uint32_t first, count; /* into touches                            */
    bool alert;            /* its step may differ in any other state  */
} Sleeper;

typedef struct Pick {
    uint32_t taken, options, condition;
    bool flipped;          /* both outcomes of a condition were tried */
} Pick;

typedef struct SearchLevel {
    AgentId taken;
    uint32_t todo;         /* into agents: those to try, up to the next level's first */
    uint32_t todo_end;
    uint32_t sleepers;     /* first                                                   */
    uint32_t label;        /* into touches: of the step taken, in all its outcomes    */
    uint32_t picks;        /* first: decisions inside the step taken                  */
    uint32_t touches;      /* first                                                   */
    uint32_t lost;         /* first: tasks in deadlocks that the step taken closed    */
    bool labelled;         /* the touches of this outcome are recorded                */
    bool alert;
    bool hit;              /* the step taken closed a wanted deadlock                 */
} SearchLevel;

typedef struct Guided {
    Picker picker;
    AbsProgram *program;
    Machine *machine;
    const Analysis *analysis;
    const GuidedOptions *options;
    GuidedStats *stats;
    GuidedFound *found;
    void *context;
    Execution *ex;
    Snapshot snapshot;
    Islands *islands;
    VEC(SearchLevel) levels;
    VEC(AgentId) agents;
    VEC(Sleeper) sleepers;
    VEC(StepTouch) touches;
    VEC(Pick) picks;
    VEC(AgentId) lost;
    bool hit;              /* a wanted deadlock in this execution                      */
    bool stop;
    double begin;
} Guided;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- Deadlocks -------------------------------------------------------------------------- */

static bool is_wanted(const Guided *g, const CycleStep *steps, uint32_t count)
{
    if (g->options->stuck)
        return false;
    if (g->options->unguided || !count)
        return true;
    for (uint32_t i = 0; i < g->options->cycle_count; i++)
        if (alpha_matches(steps, count, g->options->cycles[i]))
            return true;
    return false;
}

/* Does each task of the cycle wait for one task only, the next one? */
static bool is_closed(const Guided *g, const AgentId *cycle, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const Task *task = &g->machine->tasks[cycle[i]];
        uint32_t ways = waitgraph_holder(g->machine, task) != AGENT_NONE;
        ways += task->state == TASK_GET ? 1 : task->state == TASK_AWAIT ? task->guard->future_count : 0;
        if (ways != 1)
            return false;
    }
    return true;
}

static void report(Guided *g, const GuidedDeadlock *deadlock)
{
    g->hit = g->levels.items[g->levels.count - 1].hit = true;
    g->stop = g->options->first;
    if (g->found)
        g->found(g->context, g->program, deadlock);
}

static void note_deadlock(Guided *g, const AbsDeadlock *cycle)
{
    CycleStep *steps = mem_alloc((cycle->task_count + 1u) * sizeof *steps);
    GuidedDeadlock deadlock = {.ex = g->ex, .tasks = cycle->tasks, .task_count = cycle->task_count, .steps = steps};
    deadlock.step_count = alpha_deadlock(g->analysis, g->machine, cycle->tasks, cycle->task_count, steps);
    for (uint32_t i = 0; i < cycle->task_count && is_closed(g, cycle->tasks, cycle->task_count); i++) {
        g->snapshot.lost[cycle->tasks[i]] = 1;
        VEC_PUSH(&g->lost, cycle->tasks[i]);
    }
    if (is_wanted(g, steps, deadlock.step_count))
        report(g, &deadlock);
    free(steps);
}

/* Handles the deadlocks that the last step made final. */
static void find_deadlocks(Guided *g)
{
    AbsDeadlock deadlock;
    uint32_t next = 0;
    while (program_abs_deadlock(g->program, &next, &deadlock))
        if (deadlock.position == g->levels.count)
            note_deadlock(g, &deadlock);
}

/* ---- Labels and sleep --------------------------------------------------------------------- */

/* Records the footprint, choices and deadlocks of the step that the newest level took. */
static void settle(Guided *g)
{
    const Execution *ex = g->ex;
    if (!g->levels.count || ex->event_count < g->levels.count)
        return;
    SearchLevel *level = &g->levels.items[g->levels.count - 1];
    const Event *event = &ex->events[g->levels.count - 1];
    if (level->labelled)
        return;
    level->labelled = true;
    level->alert |= (event->flags & EVENT_RERUN) != 0;
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &ex->accesses[event->first_access + i];
        VEC_PUSH(&g->touches, ((StepTouch){access->resource, access->lanes, access->mode}));
    }
    for (uint32_t i = 0; i < event->choice_count && level->picks + i < g->picks.count; i++)
        g->picks.items[level->picks + i].condition = ex->choices[event->first_choice + i].condition;
    g->stats->states++;
    find_deadlocks(g);
}

static bool conflicts(const Guided *g, const Sleeper *sleeper, const Event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &g->ex->accesses[event->first_access + i];
        for (uint32_t k = 0; k < sleeper->count; k++) {
            const StepTouch *touch = &g->touches.items[sleeper->first + k];
            if (touch->resource == access->resource && (touch->lanes & access->lanes) &&
                modes_conflict((Mode)touch->mode, (Mode)access->mode))
                return true;
        }
    }
    return false;
}

/* Sleeping tasks of the previous level that are independent of its step stay asleep. */
static void inherit_sleep(Guided *g, uint32_t first, uint32_t end, uint32_t position)
{
    const Event *event = &g->ex->events[position];
    for (uint32_t i = first; i < end; i++) {
        Sleeper sleeper = g->sleepers.items[i];
        if (sleeper.agent != event->agent && !sleeper.alert && !conflicts(g, &sleeper, event))
            VEC_PUSH(&g->sleepers, sleeper);
    }
}

static bool sleeps(const Guided *g, uint32_t first, AgentId agent)
{
    for (uint32_t i = first; i < g->sleepers.count; i++)
        if (g->sleepers.items[i].agent == agent)
            return true;
    return false;
}

/* ---- Levels --------------------------------------------------------------------------------- */

static bool may_reach_wait(const Guided *g, const TaskView *view)
{
    for (uint32_t c = 0; c < g->options->cycle_count; c++)
        for (uint32_t k = 0; k < g->options->cycles[c]->count; k++)
            if (bits_has(view->waits, g->options->cycles[c]->steps[k].wait))
                return true;
    return false;
}

/* Tasks that may reach a wanted wait go first: they must block before others finish. */
static void mark_promising(Guided *g)
{
    for (uint32_t i = 0; i < g->snapshot.tasks.count; i++)
        g->snapshot.tasks.items[i].promising = may_reach_wait(g, &g->snapshot.tasks.items[i]);
}

static bool is_promising(const Guided *g, AgentId agent)
{
    for (uint32_t i = 0; i < g->snapshot.tasks.count; i++)
        if (g->snapshot.tasks.items[i].id == agent)
            return g->snapshot.tasks.items[i].promising;
    return false;
}

static uint32_t list_agents(Guided *g, AgentId *agents)
{
    uint32_t count = 0;
    if (g->machine->clock != AGENT_NONE && machine_enabled(g->machine, g->machine->clock)) {
        agents[0] = g->machine->clock; /* nothing else is enabled */
        return 1;
    }
    if (g->options->reduce)
        return persistent_choose(&g->snapshot, g->islands, g->machine, g->levels.count > LONG_EXECUTION, agents);
    for (uint32_t i = 0; i < g->snapshot.tasks.count; i++)
        if (g->snapshot.tasks.items[i].enabled)
            agents[count++] = g->snapshot.tasks.items[i].id;
    return count;
}

/* Adds a level for the current state and answers its first task; AGENT_NONE if all enabled tasks are asleep. */
static AgentId add_level(Guided *g)
{
    AgentId *agents = mem_alloc((g->snapshot.tasks.count + 1u) * sizeof *agents);
    uint32_t before = g->levels.count ? g->levels.items[g->levels.count - 1].sleepers : 0, end = g->sleepers.count;
    SearchLevel level = {.todo = g->agents.count, .sleepers = end, .picks = g->picks.count};
    if (g->levels.count && g->options->reduce)
        inherit_sleep(g, before, end, g->levels.count - 1);
    level.label = level.touches = g->touches.count;
    level.lost = g->lost.count;
    mark_promising(g);
    uint32_t count = list_agents(g, agents);
    for (int promising = 1; promising >= 0; promising--)
        for (uint32_t i = 0; i < count; i++)
            if (!sleeps(g, level.sleepers, agents[i]) && is_promising(g, agents[i]) == (promising == 1))
                VEC_PUSH(&g->agents, agents[i]);
    free(agents);
    level.todo_end = g->agents.count;
    if (level.todo == level.todo_end) {
        g->sleepers.count = end;
        g->stats->asleep++;
        return AGENT_NONE;
    }
    level.taken = g->agents.items[level.todo++];
    VEC_PUSH(&g->levels, level);
    return level.taken;
}

static void drop_level(Guided *g)
{
    SearchLevel *level = &g->levels.items[--g->levels.count];
    g->sleepers.count = level->sleepers;
    g->touches.count = level->touches;
    g->picks.count = level->picks;
    g->lost.count = level->lost;
}

static bool any_satisfiable(Guided *g)
{
    if (g->options->unguided)
        return true;
    for (uint32_t i = 0; i < g->options->cycle_count; i++)
        if (constraint_satisfiable(&g->snapshot, g->options->cycles[i]))
            return true;
    return false;
}

/* ---- While an execution runs ------------------------------------------------------------------ */

static bool out_of_time(const Guided *g)
{
    return g->options->seconds > 0 && now() - g->begin > g->options->seconds;
}

static AgentId pick(Picker *picker, Execution *ex, AgentId current)
{
    Guided *g = (Guided *)picker;
    (void)ex;
    (void)current;
    settle(g);
    if (g->stop || out_of_time(g))
        return AGENT_NONE;
    snapshot_take(&g->snapshot, g->machine);
    g->stats->unknown += g->snapshot.unknown;
    if (!any_satisfiable(g)) {
        g->stats->pruned += !g->hit;
        return AGENT_NONE;
    }
    return add_level(g);
}

static uint32_t choose(Picker *picker, Execution *ex, uint32_t options)
{
    Guided *g = (Guided *)picker;
    (void)ex;
    VEC_PUSH(&g->picks, ((Pick){.taken = 0, .options = options}));
    return 0;
}

/* A decision on inputs: the other outcome is tried later. */
static void branched(Picker *picker, Execution *ex, uint32_t condition, uint32_t taken)
{
    Guided *g = (Guided *)picker;
    (void)ex;
    VEC_PUSH(&g->picks, ((Pick){.taken = taken, .options = 2, .condition = condition}));
}

/* ---- Between executions -------------------------------------------------------------------------- */

static uint32_t picks_end(const Guided *g, uint32_t level)
{
    return level + 1 < g->levels.count ? g->levels.items[level + 1].picks : g->picks.count;
}

static void plan(Guided *g)
{
    Execution *ex = g->ex;
    uint32_t choices = 0;
    for (uint32_t i = 0; i < g->levels.count; i++) {
        const SearchLevel *level = &g->levels.items[i];
        ex->plan[i] = (PlanStep){.agent = level->taken, .first_choice = choices,
                                 .choice_count = (uint16_t)(picks_end(g, i) - level->picks)};
        for (uint32_t k = level->picks; k < picks_end(g, i); k++)
            ex->plan_choices[choices++] =
                (Literal){.condition = g->picks.items[k].condition, .taken = g->picks.items[k].taken};
    }
    ex->plan_length = g->levels.count;
}

static bool plan_feasible(const Guided *g)
{
    Program *program = program_abs_program(g->program);
    VEC(Literal) all = {0};
    if (!program->ops->feasible)
        return true;
    for (uint32_t i = 0; i < g->picks.count; i++)
        if (g->picks.items[i].condition)
            VEC_PUSH(&all, ((Literal){.condition = g->picks.items[i].condition, .taken = g->picks.items[i].taken}));
    bool feasible = program->ops->feasible(program, all.items, all.count, NULL, NULL, 0);
    VEC_FREE(&all);
    return feasible;
}

/* Plans another outcome of the level's step; false if there is none. */
static bool next_outcome(Guided *g, SearchLevel *level)
{
    while (g->picks.count > level->picks) {
        Pick *last = &g->picks.items[g->picks.count - 1];
        bool more = last->condition ? !last->flipped : last->taken + 1 < last->options;
        if (more) {
            last->taken = last->condition ? 1 - last->taken : last->taken + 1;
            last->flipped = true;
            level->labelled = false;
            if (plan_feasible(g))
                return true;
        } else {
            g->picks.count--;
        }
    }
    return false;
}

/* The step taken is explored: its task sleeps while the others are explored. */
static void put_to_sleep(Guided *g, SearchLevel *level)
{
    VEC_PUSH(&g->sleepers, ((Sleeper){level->taken, level->label, g->touches.count - level->label, level->alert}));
    level->label = g->touches.count;
    level->labelled = level->alert = false;
}

/* Changes the levels to the next execution; false if there is none. */
static bool backtrack(Guided *g)
{
    while (g->levels.count) {
        SearchLevel *level = &g->levels.items[g->levels.count - 1];
        g->lost.count = level->lost;
        level->hit = false;
        if (next_outcome(g, level))
            return true;
        if (level->todo < level->todo_end) {
            put_to_sleep(g, level);
            level->taken = g->agents.items[level->todo++];
            return true;
        }
        uint32_t first = g->levels.count > 1 ? g->levels.items[g->levels.count - 2].todo_end : 0;
        drop_level(g);
        g->agents.count = first;
    }
    return false;
}

/* Did a bound cut the execution? */
static bool was_cut(const Guided *g)
{
    return execution_is_cut(g->ex) || g->machine->concretised > 0;
}

static bool has_stuck_task(const Execution *ex)
{
    for (uint32_t i = 0; i < ex->finding_count; i++)
        if (ex->findings[i].kind == BUG_STUCK)
            return true;
    return false;
}

/* Does the execution end with tasks that wait for each other along a wanted cycle with a condition? */
static bool stands_still(Guided *g)
{
    if (g->options->stuck || g->options->unguided || g->ex->end != END_COMPLETE || was_cut(g))
        return false;
    snapshot_take(&g->snapshot, g->machine);
    for (uint32_t i = 0; i < g->options->cycle_count; i++)
        if (standstill_along(&g->snapshot, g->machine, g->options->cycles[i]))
            return true;
    return false;
}

static void account(Guided *g)
{
    const Execution *ex = g->ex;
    GuidedDeadlock deadlock = {.ex = ex};
    settle(g);
    if ((g->options->stuck && ex->end == END_COMPLETE && has_stuck_task(ex)) || (!g->hit && stands_still(g)))
        report(g, &deadlock);
    g->stats->executions++;
    g->stats->bounded += was_cut(g);
    if (ex->event_count > g->stats->depth)
        g->stats->depth = ex->event_count;
    if (ex->agent_count > g->stats->tasks)
        g->stats->tasks = ex->agent_count;
    if (g->hit)
        g->stats->deadlocked++;
    else if (ex->end == END_COMPLETE)
        g->stats->complete++;
}

/* Restores the tasks lost in deadlocks of the planned steps. */
static void recall_deadlocks(Guided *g)
{
    memset(g->snapshot.lost, 0, EXECUTION_MAX_AGENTS);
    for (uint32_t i = 0; i < g->lost.count; i++)
        g->snapshot.lost[g->lost.items[i]] = 1;
    g->hit = false;
    for (uint32_t i = 0; i < g->levels.count; i++)
        g->hit |= g->levels.items[i].hit;
}

static GuidedEnd run_all(Guided *g)
{
    Program *program = program_abs_program(g->program);
    g->stats->states = 1;
    do {
        plan(g);
        execution_reset(g->ex);
        recall_deadlocks(g);
        program->ops->run(program, g->ex);
        account(g);
        if (g->ex->end == END_DIVERGED)
            return GUIDED_DIVERGED;
        if (g->machine->unsupported)
            return GUIDED_STOPPED;
        if (g->stop)
            return GUIDED_FOUND;
        if (out_of_time(g))
            return GUIDED_TIMEOUT;
    } while (backtrack(g));
    return GUIDED_COMPLETE;
}

GuidedEnd guided_search(AbsProgram *program, const Analysis *analysis, const GuidedOptions *options,
                        GuidedFound *found, void *context, GuidedStats *stats)
{
    Guided g = {.picker = {.pick = pick, .choose = choose, .branched = branched}, .program = program,
                .machine = (Machine *)program_abs_machine(program), .analysis = analysis, .options = options,
                .stats = stats, .found = found, .context = context, .begin = now()};
    *stats = (GuidedStats){0};
    g.ex = execution_create(program_abs_program(program));
    g.ex->picker = &g.picker;
    g.ex->max_agent_steps = options->max_agent_steps;
    snapshot_init(&g.snapshot, analysis);
    g.islands = islands_create();
    GuidedEnd end = run_all(&g);
    snapshot_release(&g.snapshot);
    islands_destroy(g.islands);
    execution_destroy(g.ex);
    VEC_FREE(&g.levels);
    VEC_FREE(&g.agents);
    VEC_FREE(&g.sleepers);
    VEC_FREE(&g.touches);
    VEC_FREE(&g.picks);
    VEC_FREE(&g.lost);
    return end;
}
