/* oracle.c - the deadlock analysis and the guided search against brute force
 *
 *     deadlock_oracle FIRST LAST     models with seeds FIRST..LAST-1
 *     deadlock_oracle --show SEED    prints a model
 *
 * For each model: plain enumeration of all schedules finds all deadlocks. The analysis must
 * have a cycle for each of them; the guided search for all deadlocks must find exactly
 * these, with and without reduction; and the search for a single cycle must find one
 * exactly if there is one along it. The search for tasks that wait for a condition must find
 * one exactly if enumeration does; and searches with small bounds must find no other deadlocks. Cycles through a
 * condition are matched with the last state of every enumerated execution; a last state in which tasks wait in a circle,
 * one of them for a condition, must be along a listed cycle.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "core/explore.h"
#include "deadlock/guided.h"
#include "deadlock/killers.h"
#include "deadlock/standstill.h"
#include "deadlock/helpers.h"
#include "abs/run/guard.h"
#include "../abs/standing.h"
#include "generate.h"

enum { MOST_EXECUTIONS = 3000, MOST_SINGLE = 6 };

typedef struct Totals {
    uint64_t models, too_large, deadlocked, stuck, cycles, confirmed, deadlocks, states, plain, mismatches, still, circles;
} Totals;

/* ---- Names of deadlocks ---------------------------------------------------------------- */

/* The same for all executions with the same tasks waiting at the same places. */
static uint64_t name_of(const Machine *machine, const AgentId *tasks, uint32_t count)
{
    uint64_t name = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Task *task = &machine->tasks[tasks[i]];
        uint64_t one = map_mix(names_task_name(machine->names, tasks[i])->hash, task->state);
        name += task->state == TASK_NEW ? one : map_mix(one, task->site);
    }
    return name >> 1;
}

/* ---- Brute force -------------------------------------------------------------------------- */

typedef struct Truth {
    AbsObserver observer;
    Map deadlocks;
    uint64_t steps;
    bool too_large, stuck;
    const char *problem;
    const Analysis *analysis;
    Snapshot snapshot;
    uint64_t still;   /* cycles of the first 64 along which an execution stands still */
    uint64_t circles; /* executions that end in a circle with a condition             */
} Truth;

/* ---- Circles in a last state, without the abstraction ------------------------------------ */

static bool reaches(const Snapshot *s, Machine *machine, AgentId from, AgentId to, uint8_t *seen)
{
    if (from == to)
        return true;
    if (seen[from])
        return false;
    seen[from] = 1;
    for (uint32_t i = 0; i < s->waits.count + s->hopes.count; i++) {
        bool hope = i >= s->waits.count;
        const WaitView *view = hope ? &s->hopes.items[i - s->waits.count] : &s->waits.items[i];
        if (hope && guard_holds_now(machine, &machine->tasks[view->task], NULL))
            continue;
        if (view->task == from && reaches(s, machine, view->wanted, to, seen))
            return true;
        if (view->task != from && view->cog == machine->tasks[from].cog && machine->tasks[view->task].state == TASK_GET &&
            reaches(s, machine, view->task, to, seen))
            return true;
    }
    return false;
}

/* Is there a task that waits for a condition, and for whom one waits that is at its only wait and could help? */
static bool has_circle(const Snapshot *s, Machine *machine)
{
    const DepGraph *graph = s->analysis->graph;
    for (uint32_t i = 0; i < s->hopes.count; i++) {
        const WaitView *hope = &s->hopes.items[i];
        if (guard_holds_now(machine, &machine->tasks[hope->task], NULL))
            continue;
        for (uint32_t k = 0; k < s->waits.count; k++) {
            const WaitView *next = &s->waits.items[k];
            uint8_t *seen = mem_alloc(machine->task_count + 1u);
            bool circle = next->task == hope->wanted &&
                          helpers_still_help(graph, &graph->waits.items[hope->wait], &graph->waits.items[next->wait]) &&
                          next->wanted == hope->task;
            circle = circle || (next->task == hope->wanted && s->waits.count < 3 &&
                                helpers_still_help(graph, &graph->waits.items[hope->wait], &graph->waits.items[next->wait]) &&
                                s->hopes.count == 1 && reaches(s, machine, next->wanted, hope->task, seen));
            free(seen);
            if (circle)
                return true;
        }
    }
    return false;
}

static void match_last_state(Truth *truth, Machine *machine)
{
    const Cycles *cycles = truth->analysis->cycles;
    bool any = cycles->cut;
    snapshot_take(&truth->snapshot, machine);
    for (uint32_t i = 0; i < cycles->list.count; i++)
        if (standstill_along(&truth->snapshot, machine, &cycles->list.items[i])) {
            any = true;
            if (i < 64)
                truth->still |= (uint64_t)1 << i;
        }
    bool circle = has_circle(&truth->snapshot, machine);
    truth->circles += circle;
    if (circle && !any)
        truth->problem = "tasks wait in a circle through a condition, along no cycle";
}

static void record(AbsObserver *observer, AbsProgram *program, const Execution *ex)
{
    Truth *truth = (Truth *)observer;
    const Machine *machine = program_abs_machine(program);
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        const Finding *finding = &ex->findings[i];
        truth->stuck |= finding->kind == BUG_STUCK;
        if (finding->kind != BUG_DEADLOCK)
            continue;
        *map_insert(&truth->deadlocks, name_of(machine, finding->agents, finding->agent_count), NULL) = 1;
        if (!still_stands(machine, finding))
            truth->problem = "a deadlock is reported that resolves";
    }
    truth->steps += ex->event_count;
    if (ex->end == END_COMPLETE && !execution_is_cut(ex))
        match_last_state(truth, (Machine *)machine);
}

static void enumerate(AbsProgram *program, Truth *truth)
{
    Region *region = region_create((size_t)1 << 32);
    ExploreOptions options = {.reduction = REDUCTION_NONE, .max_preemptions = -1, .keep_going = true,
                              .max_executions = MOST_EXECUTIONS, .max_agent_steps = 30};
    Explore *explore = explore_create(region, program_abs_program(program), &options);
    program_abs_observe(program, &truth->observer);
    truth->too_large = explore_run(explore, NULL, 0) != EXPLORE_DONE;
    program_abs_observe(program, NULL);
    explore_destroy(explore);
    region_destroy(region);
}

/* ---- Guided searches ------------------------------------------------------------------------ */

typedef struct Result {
    const Analysis *analysis;
    Map deadlocks;
    uint64_t stuck;   /* executions that leave a task waiting for a condition */
    uint64_t matched; /* cycles of the first 64 that a deadlock goes along */
    const char *problem;
} Result;

static void found(void *context, AbsProgram *program, const GuidedDeadlock *deadlock)
{
    Result *result = context;
    const Cycles *cycles = result->analysis->cycles;
    bool any = false;
    if (!deadlock->task_count) {
        result->stuck++;
        return;
    }
    *map_insert(&result->deadlocks, name_of(program_abs_machine(program), deadlock->tasks, deadlock->task_count), NULL) = 1;
    for (uint32_t i = 0; i < cycles->list.count; i++)
        if (alpha_matches(deadlock->steps, deadlock->step_count, &cycles->list.items[i])) {
            any = true;
            if (i < 64)
                result->matched |= (uint64_t)1 << i;
        }
    if (!any && !cycles->cut)
        result->problem = "a deadlock without a cycle";
}

static bool same(const Map *a, const Map *b)
{
    for (uint32_t i = 0; i < a->room; i++)
        if (a->entries[i].key != MAP_NO_KEY && !map_find(b, a->entries[i].key))
            return false;
    return a->count == b->count;
}

static Result search(AbsProgram *program, const Analysis *analysis, GuidedOptions options, Totals *totals)
{
    Result result = {.analysis = analysis};
    GuidedStats stats;
    options.max_agent_steps = options.max_agent_steps ? options.max_agent_steps : 30;
    options.seconds = 20;
    GuidedEnd end = guided_search(program, analysis, &options, found, &result, &stats);
    if (end != GUIDED_COMPLETE && end != GUIDED_FOUND)
        result.problem = "the search did not end";
    else if (stats.unknown)
        result.problem = "the analysis does not know a state";
    totals->states += stats.states;
    return result;
}

static const char *check_all(AbsProgram *program, const Analysis *analysis, const Truth *truth, bool reduce,
                             uint64_t *matched, Totals *totals)
{
    const ModelCycle *cycles[CYCLES_MOST];
    for (uint32_t i = 0; i < analysis->cycles->list.count; i++)
        cycles[i] = &analysis->cycles->list.items[i];
    GuidedOptions options = {.cycles = cycles, .cycle_count = analysis->cycles->list.count, .reduce = reduce,
                             .unguided = analysis->cycles->cut};
    Result result = search(program, analysis, options, totals);
    *matched = result.matched;
    if (!result.problem && !same(&truth->deadlocks, &result.deadlocks))
        result.problem = result.deadlocks.count < truth->deadlocks.count ? "deadlocks are missed" : "other deadlocks";
    map_release(&result.deadlocks);
    return result.problem;
}

static const char *check_cycle(AbsProgram *program, const Analysis *analysis, uint32_t number, bool expected,
                               Totals *totals)
{
    const ModelCycle *cycle = &analysis->cycles->list.items[number];
    Result result = search(program, analysis, (GuidedOptions){.cycles = &cycle, .cycle_count = 1, .first = true, .reduce = true},
                           totals);
    if (!result.problem && (result.deadlocks.count + result.stuck > 0) != expected)
        result.problem = expected ? "the search for a cycle misses it" : "the search for a cycle finds another one";
    map_release(&result.deadlocks);
    return result.problem;
}

static const char *check_conditions(AbsProgram *program, const Analysis *analysis, const Truth *truth, Totals *totals)
{
    Result result =
        search(program, analysis, (GuidedOptions){.unguided = true, .stuck = true, .first = true, .reduce = true}, totals);
    if (!result.problem && truth->stuck && !analysis->graph->conditions.count)
        return "the analysis misses a wait for a condition";
    if (!result.problem && (result.stuck > 0) != truth->stuck)
        return truth->stuck ? "a task that waits for a condition is missed" : "a task waits for a condition";
    return result.problem;
}

/* With bounds of 1 to 3 there may be fewer deadlocks, but no others. */
static const char *check_bounds(AbsProgram *program, const Analysis *analysis, const Truth *truth, uint64_t random,
                                Totals *totals)
{
    AbsOptions options = {.await = program_abs_machine(program)->options.await, .dependence = DEPENDENCE_FIELDS};
    AbsOptions bounded = options;
    GuidedOptions guided = {.unguided = true, .reduce = true, .max_agent_steps = 1 + (uint32_t)(random / 4 % 3)};
    const char *problem = NULL;
    bounded.max_loop = random % 4 ? 1 + random / 16 % 3 : 0;
    bounded.max_switches = random / 64 % 4 == 0 ? 1 + random / 256 % 3 : 0;
    program_abs_configure(program, &bounded);
    Result result = search(program, analysis, guided, totals);
    for (uint32_t i = 0; i < result.deadlocks.room; i++)
        if (result.deadlocks.entries[i].key != MAP_NO_KEY && !map_find(&truth->deadlocks, result.deadlocks.entries[i].key))
            problem = "a deadlock that does not exist without bounds";
    guided.stuck = true;
    result = search(program, analysis, guided, totals);
    if (result.stuck && !truth->stuck)
        problem = "a task waits for a condition because of a bound";
    program_abs_configure(program, &options);
    return result.problem ? result.problem : problem;
}

/* ---- One model --------------------------------------------------------------------------------- */

static const char *check_model(AbsProgram *program, uint64_t seed, Totals *totals, bool *too_large)
{
    Analysis *analysis = analysis_create(program_abs_machine(program)->image, 1);
    Truth truth = {.observer = {.ended = record}, .analysis = analysis};
    snapshot_init(&truth.snapshot, analysis);
    enumerate(program, &truth);
    snapshot_release(&truth.snapshot);
    *too_large = truth.too_large;
    if (truth.too_large) {
        map_release(&truth.deadlocks);
        analysis_destroy(analysis);
        return NULL;
    }
    uint64_t matched = 0;
    const char *problem = truth.problem;
    if (!problem)
        problem = check_all(program, analysis, &truth, false, &matched, totals);
    if (!problem)
        problem = check_all(program, analysis, &truth, true, &matched, totals);
    for (uint32_t i = 0; !problem && i < analysis->cycles->list.count && i < MOST_SINGLE; i++)
        problem = check_cycle(program, analysis, i, (matched | truth.still) >> i & 1, totals);
    if (!problem)
        problem = check_conditions(program, analysis, &truth, totals);
    if (!problem)
        problem = check_bounds(program, analysis, &truth, map_mix(seed, 5), totals);
    totals->stuck += truth.stuck;
    totals->deadlocked += truth.deadlocks.count > 0;
    totals->deadlocks += truth.deadlocks.count;
    totals->cycles += analysis->cycles->list.count;
    totals->confirmed += (uint64_t)__builtin_popcountll(matched | truth.still);
    totals->still += (uint64_t)__builtin_popcountll(truth.still);
    totals->circles += truth.circles > 0;
    totals->plain += truth.steps;
    analysis_destroy(analysis);
    map_release(&truth.deadlocks);
    return problem;
}

static void test_model(uint64_t seed, Totals *totals)
{
    Text text = {0}, diagnostics = {0};
    Error error = {0};
    AbsOptions options = {.await = seed % 4 == 3 ? AWAIT_RELEASE : AWAIT_CONTINUE, .dependence = DEPENDENCE_FIELDS};
    bool too_large = false;
    generate_model(seed, &text);
    AbsProgram *program = program_abs_create_text("generated.abs", text.data, text.length, &options, &diagnostics, &error);
    if (!program) {
        fprintf(stderr, "seed %llu: %s%s\n", (unsigned long long)seed, text_borrow(&diagnostics), error.text);
        exit(2);
    }
    program_abs_set_killers(program, killers_create(program_abs_machine(program)->image));
    const char *problem = check_model(program, seed, totals, &too_large);
    totals->models++;
    totals->too_large += too_large;
    if (problem) {
        printf("seed %llu: %s\n", (unsigned long long)seed, problem);
        totals->mismatches++;
    }
    program_abs_destroy(program);
    text_release(&text);
    text_release(&diagnostics);
}

int main(int argc, char **argv)
{
    Totals totals = {0};
    if (argc == 3 && strcmp(argv[1], "--show") == 0) {
        Text text = {0};
        generate_model(strtoull(argv[2], NULL, 10), &text);
        fputs(text_borrow(&text), stdout);
        text_release(&text);
        return 0;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: deadlock_oracle FIRST LAST | --show SEED\n");
        return 2;
    }
    for (uint64_t seed = strtoull(argv[1], NULL, 10), last = strtoull(argv[2], NULL, 10); seed < last; seed++)
        test_model(seed, &totals);
    printf("%llu models (%llu too large, %llu with deadlocks, %llu with tasks that wait for a condition), %llu deadlocks, %llu of %llu cycles real, %llu of them through a condition (%llu models with plain circles); %llu states "
           "where plain search takes %llu steps; %llu mismatches\n",
           (unsigned long long)totals.models, (unsigned long long)totals.too_large, (unsigned long long)totals.deadlocked, (unsigned long long)totals.stuck,
           (unsigned long long)totals.deadlocks, (unsigned long long)totals.confirmed, (unsigned long long)totals.cycles,
           (unsigned long long)totals.still, (unsigned long long)totals.circles,
           (unsigned long long)totals.states, (unsigned long long)totals.plain, (unsigned long long)totals.mismatches);
    return totals.mismatches > 0;
}
