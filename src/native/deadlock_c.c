/* deadlock_c.c - `sennit deadlock` for C programs: lock orders of a few runs, a directed search
 * for each cycle of them, then all schedules for what is still open
 *
 * Whatever runs the program is a process of its own: it may die in it. What it learns is in
 * a region.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/cyclerun.h"
#include "app/stage.h"
#include "app/task.h"
#include "base/mem.h"
#include "base/rng.h"
#include "core/explore.h"
#include "native/lockorder.h"
#include "native/native.h"
#include "rt/step.h"

enum { RUNS = 20, ATTEMPTS = 30 };

/* ---- Types --------------------------------------------------------------------------- */

/* In the region. */
typedef struct Shared {
    LockOrder order;
    struct {
        Bug *bug;
        uint64_t executions, steps;
        double seconds;
        bool over;
    } hunts[LOCKORDER_CYCLES];
    uint64_t executions, steps;  /* of all phases                              */
    uint32_t depth, threads;
    double first;                /* seconds until the first deadlock; 0: none  */
    bool recorded, exhausted;    /* the first, the last phase came to its end  */
    bool bounded;
} Shared;

typedef struct CRun {
    RunInfo *info;
    CycleRun end;
    Stage stage;
    Shared *shared;
    Text *texts;                 /* two per cycle: line, details               */
} CRun;

typedef struct Director {
    Picker picker;
    Program *program;
    const LockOrder *order;
    const LockCycle *cycle;
    Rng rng;
    bool random;
} Director;

/* ---- Executions ------------------------------------------------------------------------- */

static bool matches(const LockOrder *order, const LockCycle *cycle, const Finding *finding)
{
    if (finding->kind != BUG_DEADLOCK || finding->agent_count != cycle->count)
        return false;
    for (uint32_t i = 0; i < cycle->count; i++) {
        const LockEdge *edge = &order->edges[cycle->edges[i]];
        bool agent = false, site = false;
        for (uint32_t k = 0; k < finding->agent_count; k++)
            agent |= finding->agents[k] == edge->agent;
        for (uint32_t k = 0; k < finding->site_count; k++)
            site |= finding->sites[k] == edge->site;
        if (!agent || !site)
            return false;
    }
    return true;
}

static void note_first(CRun *run)
{
    if (run->shared->first == 0)
        run->shared->first = process_now() - run->end.begin;
}

/* Keeps the deadlocks of an execution, for the cycles they go along. */
static void keep_findings(CRun *run, const Execution *ex)
{
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        const Finding *finding = &ex->findings[i];
        if (finding->kind != BUG_DEADLOCK)
            continue;
        note_first(run);
        Bug *bug = buglist_add_finding(run->end.bugs, run->info, ex, finding);
        for (uint32_t c = 0; c < run->shared->order.cycle_count; c++)
            if (!run->shared->hunts[c].bug && matches(&run->shared->order, &run->shared->order.cycles[c], finding))
                run->shared->hunts[c].bug = bug;
    }
}

static void count_execution(CRun *run, const Execution *ex)
{
    Shared *shared = run->shared;
    shared->executions++;
    shared->steps += ex->event_count;
    shared->bounded |= ex->bounded_agents > 0 || ex->bounded_waits > 0;
    if (ex->event_count > shared->depth)
        shared->depth = ex->event_count;
    if (ex->agent_count > shared->threads)
        shared->threads = ex->agent_count;
}

static void run_once(CRun *run, Execution *ex, Picker *picker)
{
    execution_reset(ex);
    ex->plan_length = 0;
    ex->picker = picker;
    run->stage.program->ops->run(run->stage.program, ex);
    count_execution(run, ex);
}

static Execution *new_execution(CRun *run)
{
    Execution *ex = execution_create(run->stage.program);
    ex->max_agent_steps = (uint32_t)run->info->options.max_steps;
    return ex;
}

/* ---- Pickers -------------------------------------------------------------------------------- */

static bool is_enabled(const Director *d, AgentId agent)
{
    return d->program->ops->enabled(d->program, agent);
}

/* An enabled agent for which `allowed` holds; the current one first, unless it is random. */
static AgentId pick_where(Director *d, Execution *ex, AgentId current,
                          bool (*allowed)(const Director *d, const Execution *ex, AgentId agent))
{
    AgentId found = AGENT_NONE;
    uint32_t count = 0;
    if (!d->random && current != AGENT_NONE && is_enabled(d, current) && allowed(d, ex, current))
        return current;
    for (AgentId agent = 0; agent < ex->agent_count; agent++)
        if (is_enabled(d, agent) && allowed(d, ex, agent) && (d->random ? rng_below(&d->rng, ++count) == 0 : found == AGENT_NONE))
            found = agent;
    return found;
}

static bool anybody(const Director *d, const Execution *ex, AgentId agent)
{
    (void)d;
    (void)ex;
    (void)agent;
    return true;
}

static AgentId pick_randomly(Picker *picker, Execution *ex, AgentId current)
{
    return pick_where((Director *)picker, ex, current, anybody);
}

static const LockEdge *edge_of(const Director *d, AgentId agent, uint64_t *held)
{
    for (uint32_t i = 0; i < d->cycle->count; i++) {
        const LockEdge *edge = &d->order->edges[d->cycle->edges[i]];
        *held = edge->held[d->cycle->held[i]];
        if (edge->agent == agent)
            return edge;
    }
    return NULL;
}

/* Does the agent stand where its edge of the cycle begins: holding one lock, asking for the next? */
static bool has_arrived(const Director *d, const Execution *ex, AgentId agent)
{
    RtLock locks[LOCKORDER_HELD];
    uint64_t held, lock, site;
    uint16_t op;
    const LockEdge *edge = edge_of(d, agent, &held);
    if (!edge || !rt_pending(agent, &op, &lock, &site) || lock != edge->lock || site != edge->site)
        return false;
    uint32_t count = rt_locks_held(ex, ex->event_count, agent, locks, LOCKORDER_HELD);
    for (uint32_t i = 0; i < count; i++)
        if (locks[i].resource == held)
            return true;
    return false;
}

static bool is_on_its_way(const Director *d, const Execution *ex, AgentId agent)
{
    uint64_t held;
    return edge_of(d, agent, &held) && !has_arrived(d, ex, agent);
}

static bool is_bystander(const Director *d, const Execution *ex, AgentId agent)
{
    (void)ex;
    uint64_t held;
    return !edge_of(d, agent, &held);
}

/* Threads of the cycle go on until they ask for the lock that closes it and wait there for the
 * others; who has nothing to do with it runs when they cannot. */
static AgentId pick_towards(Picker *picker, Execution *ex, AgentId current)
{
    Director *d = (Director *)picker;
    AgentId agent = pick_where(d, ex, current, is_on_its_way);
    if (agent == AGENT_NONE)
        agent = pick_where(d, ex, current, is_bystander);
    return agent != AGENT_NONE ? agent : pick_where(d, ex, current, anybody);
}

/* ---- Phases, each in its process ----------------------------------------------------------------- */

static void record_orders(CRun *run, uint32_t unused)
{
    Execution *ex = new_execution(run);
    Director random = {.picker = {.pick = pick_randomly}, .program = run->stage.program, .random = true,
                       .rng = {run->info->options.seed}};
    (void)unused;
    for (uint32_t i = 0; i < RUNS; i++) {
        run_once(run, ex, i ? &random.picker : NULL);
        lockorder_add(&run->shared->order, ex);
        keep_findings(run, ex);
    }
    lockorder_find_cycles(&run->shared->order);
    run->shared->recorded = true;
}

static void hunt(CRun *run, uint32_t number)
{
    LockOrder *order = &run->shared->order;
    Execution *ex = new_execution(run);
    Director director = {.picker = {.pick = pick_towards}, .program = run->stage.program, .order = order,
                         .cycle = &order->cycles[number], .rng = {run->info->options.seed}};
    double begin = process_now();
    for (uint32_t i = 0; i < ATTEMPTS && !run->shared->hunts[number].bug; i++) {
        director.random = i > 0;
        run_once(run, ex, &director.picker);
        keep_findings(run, ex);
        run->shared->hunts[number].executions++;
        run->shared->hunts[number].steps += ex->event_count;
        if (process_now() - begin > run->info->options.cycle_time)
            break;
    }
    run->shared->hunts[number].seconds = process_now() - begin;
    run->shared->hunts[number].over = true;
}

typedef struct Watch {
    ExploreObserver observer;
    CRun *run;
    double deadline;
} Watch;

static void see_findings(ExploreObserver *self, const Execution *ex)
{
    keep_findings(((Watch *)self)->run, ex);
}

static bool has_time(ExploreObserver *self)
{
    return process_now() < ((Watch *)self)->deadline;
}

static void explore_all(CRun *run, uint32_t unused)
{
    ExploreOptions options = {.reduction = REDUCTION_OPTIMAL, .max_preemptions = -1, .keep_going = true,
                              .max_agent_steps = (uint32_t)run->info->options.max_steps};
    Explore *explore = explore_create(run->stage.region, run->stage.program, &options);
    Watch watch = {.observer = {.found = see_findings, .tick = has_time}, .run = run,
                   .deadline = process_now() + run->info->options.cycle_time};
    (void)unused;
    ExploreResult result = explore_run(explore, &watch.observer, 0);
    const ExploreStats *stats = explore_stats(explore);
    run->shared->executions += stats->executions;
    run->shared->steps += stats->steps;
    run->shared->bounded |= stats->bound_steps || stats->bound_timeouts || stats->crashed || stats->assumed;
    if (stats->depth > run->shared->depth)
        run->shared->depth = stats->depth;
    run->shared->exhausted = result == EXPLORE_DONE;
}

/* Runs a phase in a child process; false if it was not completed. */
static bool run_apart(CRun *run, void (*phase)(CRun *run, uint32_t number), uint32_t number)
{
    fflush(NULL);
    pid_t child = fork();
    int status = 0;
    if (child == 0) {
        process_become_child(&run->end.signals);
        phase(run, number);
        _exit(0);
    }
    double deadline = process_now() + 2 * run->info->options.cycle_time + 10;
    while (child > 0 && waitpid(child, &status, WNOHANG) == 0) {
        signals_wait(&run->end.signals, 20);
        if (run->end.signals.interrupts || process_now() > deadline)
            kill(child, SIGKILL);
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool is_enough(const CRun *run)
{
    bool first = run->info->options.search == SEARCH_FIRST && buglist_count(run->end.bugs) > 0;
    return first || run->end.signals.interrupts > 0;
}

static bool is_open(const CRun *run, uint32_t number)
{
    return run->shared->order.cycles[number].state == LOCKCYCLE_OPEN && !run->shared->hunts[number].bug;
}

static void search(CRun *run)
{
    const LockOrder *order = &run->shared->order;
    bool open = false;
    run_apart(run, record_orders, 0);
    for (uint32_t i = 0; i < order->cycle_count && !is_enough(run); i++)
        if (is_open(run, i))
            run_apart(run, hunt, i);
    for (uint32_t i = 0; i < order->cycle_count; i++)
        open |= is_open(run, i);
    if (!is_enough(run) && (open || !buglist_count(run->end.bugs) || run->info->options.search == SEARCH_ALL))
        run_apart(run, explore_all, 0);
}

/* ---- Views ------------------------------------------------------------------------------------------ */

static void add_lock_name(const CRun *run, uint64_t lock, Text *text)
{
    char name[128];
    run->stage.program->ops->resource_name(run->stage.program, lock, LANES_ALL, name, sizeof name);
    text_add_string(text, name);
}

static void add_agent_name(const CRun *run, AgentId agent, Text *text)
{
    char name[128];
    run->stage.program->ops->agent_name(run->stage.program, agent, name, sizeof name);
    text_add_string(text, name);
}

static void describe_edge(const CRun *run, const LockCycle *cycle, uint32_t number, CycleView *view, Text *texts)
{
    const LockEdge *edge = &run->shared->order.edges[cycle->edges[number]];
    Place place = {0}, taken = {0};
    run->stage.program->ops->place(run->stage.program, edge->site, &place);
    run->stage.program->ops->place(run->stage.program, edge->held_sites[cycle->held[number]], &taken);
    add_lock_name(run, edge->held[cycle->held[number]], &texts[0]);
    text_add(&texts[0], " -%u:", place.line);
    add_agent_name(run, edge->agent, &texts[0]);
    text_add_string(&texts[0], "-> ");
    text_add(&texts[1], "    %s:%u: ", place.file ? place.file : "?", place.line);
    add_agent_name(run, edge->agent, &texts[1]);
    text_add_string(&texts[1], " asks for ");
    add_lock_name(run, edge->lock, &texts[1]);
    text_add_string(&texts[1], " and holds ");
    add_lock_name(run, edge->held[cycle->held[number]], &texts[1]);
    text_add(&texts[1], " since line %u\n", taken.line);
    if (view->place_count < CYCLE_PLACES)
        view->places[view->place_count++] =
            (TracePlace){.file = place.file, .function = place.function, .line = place.line, .column = place.column};
}

static void describe_cycle(CRun *run, uint32_t number)
{
    const LockCycle *cycle = &run->shared->order.cycles[number];
    CycleView *view = &run->end.cycles[number];
    Text *texts = &run->texts[3 * number];
    for (uint32_t i = 0; i < cycle->count; i++)
        describe_edge(run, cycle, i, view, texts);
    add_lock_name(run, run->shared->order.edges[cycle->edges[0]].held[cycle->held[0]], &texts[0]);
    if (cycle->state == LOCKCYCLE_GATED) {
        text_add_string(&texts[2], "always under ");
        add_lock_name(run, cycle->gate, &texts[2]);
    }
    view->line = text_borrow(&texts[0]);
    view->details = text_borrow(&texts[1]);
    cycleview_name(view);
}

static void judge_cycle(CRun *run, uint32_t number)
{
    const LockCycle *cycle = &run->shared->order.cycles[number];
    CycleView *view = &run->end.cycles[number];
    view->executions = run->shared->hunts[number].executions;
    view->states = run->shared->hunts[number].steps;
    view->seconds = run->shared->hunts[number].seconds;
    view->bounded = run->shared->bounded;
    run->end.bug_of[number] = run->shared->hunts[number].bug;
    if (run->end.bug_of[number])
        view->result = CYCLE_CONFIRMED;
    else if (cycle->state != LOCKCYCLE_OPEN || run->shared->exhausted)
        view->result = CYCLE_DISCARDED;
    else
        view->result = is_enough(run) ? CYCLE_UNCHECKED : CYCLE_TIMEOUT;
    view->deadlocks = run->end.bug_of[number] ? run->end.bug_of[number]->seen : 0;
    if (view->result == CYCLE_DISCARDED && cycle->state == LOCKCYCLE_GATED)
        view->note = text_borrow(&run->texts[3 * number + 2]);
    else if (view->result == CYCLE_DISCARDED && cycle->state == LOCKCYCLE_ORDERED)
        view->note = "its parts never happen at the same time";
}

static void fill_summary(CRun *run)
{
    Summary *summary = &run->end.summary;
    const Shared *shared = run->shared;
    summary->stats.executions = shared->executions;
    summary->stats.steps = shared->steps;
    summary->stats.depth = shared->depth;
    summary->stats.agents = shared->threads;
    if (!shared->exhausted && !is_enough(run) && !buglist_count(run->end.bugs))
        summary->ending = ENDING_TIME;
    if (shared->bounded)
        summary_add_bound(summary, "max-steps", (double)run->info->options.max_steps, 1, "threads stopped by a bound");
    if (shared->order.other_waits)
        run->end.scope = "condition variables, semaphores and barriers: only what the explored schedules show";
}

/* ---- The task -------------------------------------------------------------------------------------------- */

static bool open_run(CRun *run, RunInfo *info, Error *error)
{
    *run = (CRun){.info = info};
    if (!stage_open(&run->stage, info, STAGE_SEARCH, false, error) || !cyclerun_open(&run->end, info, error))
        return false;
    run->shared = region_alloc(run->stage.region, sizeof *run->shared);
    run->end.bugs = buglist_create(run->stage.region);
    return true;
}

int task_deadlock(RunInfo *info)
{
    CRun run;
    Error error = {.code = EXIT_USAGE};
    if (!open_run(&run, info, &error))
        return task_fail(&error);
    search(&run);
    run.end.count = run.shared->order.cycle_count;
    run.end.cycles = mem_alloc((run.end.count + 1) * sizeof *run.end.cycles);
    run.end.bug_of = mem_alloc((run.end.count + 1) * sizeof *run.end.bug_of);
    run.texts = mem_alloc((3 * run.end.count + 3) * sizeof *run.texts);
    for (uint32_t i = 0; i < run.end.count; i++) {
        describe_cycle(&run, i);
        judge_cycle(&run, i);
    }
    fill_summary(&run);
    ExitCode code = cyclerun_conclude(&run.end);
    if (run.shared->first > 0 && info->options.verbose)
        fprintf(stderr, "sennit: first deadlock after %.1f ms\n", 1000 * run.shared->first);
    cyclerun_release(&run.end);
    for (uint32_t i = 0; i < 3 * run.end.count; i++)
        text_release(&run.texts[i]);
    free(run.texts);
    free(run.end.cycles);
    free(run.end.bug_of);
    return code;
}
