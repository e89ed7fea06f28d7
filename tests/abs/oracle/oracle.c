/* oracle.c - the exploration of ABS models against brute force
 *
 *     abs_oracle FIRST END           models of the seeds from FIRST up to END
 *     abs_oracle --bounds FIRST END   the same, each with random small bounds
 *     abs_oracle --schedulers FIRST END   the same, each with a scheduler
 *     abs_oracle [--schedulers] --show SEED   prints a model
 *     abs_oracle --file FILE ...     the model in these files, however large
 *
 * For each model plain enumeration finds all classes and outcomes (final states with what
 * was found). Two executions of one class must have one outcome; the optimal reduction
 * must run exactly one execution per class; the literal reading of `await` must have the same
 * outcomes; the exact level must run exactly one execution per final state; policies must have
 * some of them. With inputs, the executions that some plain values belong to must have the
 * outcomes that enumeration with these values finds. A deadlock must be reported when it arises,
 * and its tasks must take no further step; a cycle at the end must have been reported. With bounds
 * there must be no bug that enumeration without bounds does not have. With a scheduler that takes the oldest or the
 * newest task there must be the outcomes of that policy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/program/program_abs.h"
#include "base/map.h"
#include "core/explore.h"
#include "concrete.h"
#include "../standing.h"
#include "generate.h"
#include "trace_class.h"

enum { MOST_EXECUTIONS = 1000 };

/* ---- Deadlocks ------------------------------------------------------------------------ */

static uint32_t end_of_agent(const Execution *ex, AgentId agent)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < ex->event_count; i++)
        if (ex->events[i].agent == agent)
            end = i + 1;
    return end;
}

static uint32_t last_step(const Execution *ex, const Finding *finding)
{
    uint32_t end = 0;
    for (uint32_t i = 0; i < finding->agent_count; i++) {
        uint32_t last = end_of_agent(ex, finding->agents[i]);
        end = last > end ? last : end;
    }
    return end;
}

static bool has_suspended(const Machine *machine, const Finding *finding)
{
    for (uint32_t i = 0; i < finding->agent_count; i++)
        if (machine->tasks[finding->agents[i]].state == TASK_AWAIT)
            return true;
    return false;
}

/* It is reported after the last step that any of its tasks takes; later only if one of them is
 * suspended, so that its object might have died. */
static bool reported_in_time(const Machine *machine, const Execution *ex, const Finding *finding)
{
    uint32_t last = last_step(ex, finding);
    return last == finding->position || (last < finding->position && has_suspended(machine, finding));
}

/* Does a task that will not be over stand in the way of this one? Tasks that cannot go on and
 * do not wait for another are the ends of all chains. */
static bool is_hopeless(const Machine *machine, const Task *task, const bool *free_tasks)
{
    AgentId holder = machine->objects[task->cog].holder;
    if (task->state == TASK_GET)
        return !task_is_over(&machine->tasks[task->wanted]) && !free_tasks[task->wanted];
    if (holder != AGENT_NONE && holder != task->id && !free_tasks[holder])
        return true;
    for (uint32_t i = 0; task->state == TASK_AWAIT && i < task->guard->future_count; i++) {
        AgentId wanted = value_number(task->frame->registers[task->guard->futures[i]]);
        if (!task_is_over(&machine->tasks[wanted]) && !free_tasks[wanted])
            return true;
    }
    return false;
}

/* Tasks from which every chain of waits ends in a task that does not wait: by a fixed point,
 * independent of the search for cycles under test. */
static bool has_cycle(const Machine *machine)
{
    bool *free_tasks = calloc(machine->task_count + 1, sizeof *free_tasks), changed = true, cycle = false;
    while (changed) {
        changed = false;
        for (AgentId agent = 0; agent < machine->task_count; agent++)
            if (!free_tasks[agent] && !is_hopeless(machine, &machine->tasks[agent], free_tasks))
                changed = free_tasks[agent] = true;
    }
    for (AgentId agent = 0; agent < machine->task_count; agent++)
        cycle = cycle || (!free_tasks[agent] && machine->tasks[agent].state != TASK_ABSENT);
    free(free_tasks);
    return cycle;
}

/* The next step of a stopped task might have broken a cycle, or it is part of one. */
static bool was_stopped(const Machine *machine)
{
    for (AgentId agent = 0; agent < machine->task_count; agent++)
        if (machine->tasks[agent].state == TASK_STOPPED)
            return true;
    return false;
}

static const char *check_deadlocks(AbsProgram *program, const Execution *ex)
{
    const Machine *machine = program_abs_machine(program);
    bool reported = false;
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        if (ex->findings[i].kind != BUG_DEADLOCK)
            continue;
        reported = true;
        if (!reported_in_time(machine, ex, &ex->findings[i]))
            return "a deadlock is reported too early or too late";
        if (!still_stands(machine, &ex->findings[i]))
            return "a deadlock is reported that resolves";
    }
    if (ex->end != END_COMPLETE || reported == has_cycle(machine) || was_stopped(machine))
        return NULL;
    return reported ? "a deadlock is reported that is none" : "a deadlock is not reported";
}

/* ---- One search ----------------------------------------------------------------------- */

typedef struct Result {
    AbsObserver observer;
    Map classes;  /* class -> outcome */
    Map outcomes;
    Map bugs;     /* kind and places  */
    Map states;   /* the same with the variables of tasks that wait forever (exact) */
    uint64_t executions, cut;
    const char *problem;
    bool too_large;
} Result;

static uint64_t hash_finding(const Finding *finding)
{
    uint64_t hash = trace_mix(finding->kind);
    for (uint32_t k = 0; k < finding->site_count; k++)
        hash += trace_mix(finding->sites[k]);
    return trace_mix(hash);
}

static uint64_t outcome_of(AbsProgram *program, const Execution *ex)
{
    uint64_t hash = program_abs_state_hash(program);
    for (uint32_t i = 0; i < ex->finding_count; i++)
        hash += hash_finding(&ex->findings[i]);
    return hash >> 1;
}

/* Read to the letter, an await looks at whether a task is over without that being part of its
 * footprint: only outcomes mean something then. */
static bool has_classes(AbsProgram *program)
{
    const MachineOptions *options = &program_abs_machine(program)->options;
    return options->await != AWAIT_LITERAL && options->dependence != DEPENDENCE_EXACT;
}

static void record(AbsObserver *observer, AbsProgram *program, const Execution *ex)
{
    Result *result = (Result *)observer;
    bool added;
    for (uint32_t i = 0; i < ex->finding_count; i++)
        *map_insert(&result->bugs, hash_finding(&ex->findings[i]) >> 1, NULL) = ex->findings[i].kind;
    if (ex->end == END_ABANDONED)
        return; /* it came to a state that is known */
    uint64_t outcome = outcome_of(program, ex), *place = map_insert(&result->classes, trace_class(program, ex), &added);
    if (added)
        *place = outcome;
    else if (*place != outcome && has_classes(program))
        result->problem = "two executions of one class have different outcomes";
    *map_insert(&result->outcomes, outcome, NULL) = 1;
    result->cut += execution_is_cut(ex);
    if (program_abs_machine(program)->options.dependence == DEPENDENCE_EXACT)
        *map_insert(&result->states, ex->program->ops->state(ex->program) >> 1, NULL) = 1;
    result->executions++;
    const char *problem = check_deadlocks(program, ex);
    result->problem = problem ? problem : result->problem;
}

enum { MOST_STEPS = 30 };

static Result search_steps(AbsProgram *program, AbsOptions options, Reduction reduction, uint64_t most_executions,
                           uint32_t steps)
{
    Result result = {.observer = {.ended = record}};
    program_abs_configure(program, &options);
    program_abs_observe(program, &result.observer);
    Region *region = region_create((size_t)1 << 30);
    ExploreOptions explore_options = {.reduction = reduction, .max_preemptions = -1, .keep_going = true,
                                      .max_executions = most_executions, .max_agent_steps = steps};
    Explore *explore = explore_create(region, program_abs_program(program), &explore_options);
    ExploreResult outcome = explore_run(explore, NULL, 0);
    if (outcome == EXPLORE_DIVERGED)
        result.problem = "the search diverged";
    if (explore_stats(explore)->redundant && reduction != REDUCTION_STATES)
        result.problem = "an execution was cut off";
    result.too_large = outcome == EXPLORE_BUDGET;
    explore_destroy(explore);
    region_destroy(region);
    return result;
}

static Result search_up_to(AbsProgram *program, AbsOptions options, Reduction reduction, uint64_t most_executions)
{
    return search_steps(program, options, reduction, most_executions, MOST_STEPS);
}

static Result search(AbsProgram *program, AbsOptions options, Reduction reduction)
{
    return search_up_to(program, options, reduction, MOST_EXECUTIONS);
}

static void release(Result *result)
{
    map_release(&result->classes);
    map_release(&result->outcomes);
    map_release(&result->bugs);
    map_release(&result->states);
}

static bool includes(const Map *whole, const Map *part, bool with_values)
{
    for (uint32_t i = 0; i < part->room; i++) {
        if (part->entries[i].key == MAP_NO_KEY)
            continue;
        const uint64_t *value = map_find(whole, part->entries[i].key);
        if (!value || (with_values && *value != part->entries[i].value))
            return false;
    }
    return true;
}

/* ---- One model --------------------------------------------------------------------------- */

typedef struct Totals {
    uint64_t models, too_large, classes, outcomes, naive, mismatches, bounded, cut, bugs;
} Totals;

typedef struct Test {
    uint64_t seed;
    AbsProgram *program;
    Totals *totals;
    AwaitMode await;
    Result all;  /* enumeration */
} Test;

static void expect(Test *test, const char *search, const char *problem)
{
    if (!problem)
        return;
    printf("seed %llu, %s, %s: %s\n", (unsigned long long)test->seed,
           test->await == AWAIT_RELEASE ? "release" : "continue", search, problem);
    test->totals->mismatches++;
}

static const char *compare_classes(const Result *all, const Result *found)
{
    if (found->problem)
        return found->problem;
    if (!includes(&all->classes, &found->classes, true))
        return "the reduction reaches a class that enumeration does not";
    if (!includes(&found->classes, &all->classes, true))
        return "the reduction misses a class";
    return found->executions != found->classes.count ? "the reduction repeats a class" : NULL;
}

static const char *compare_outcomes(const Result *all, const Result *found)
{
    if (found->problem)
        return found->problem;
    if (!includes(&all->outcomes, &found->outcomes, false))
        return "an outcome that enumeration does not have";
    return includes(&found->outcomes, &all->outcomes, false) ? NULL : "an outcome is missing";
}

/* One execution per class of the level. */
static void test_level(Test *test, DependenceLevel level, const char *name)
{
    AbsOptions options = {.await = test->await, .dependence = level};
    Result all = search(test->program, options, REDUCTION_NONE);
    if (!all.too_large) {
        Result found = search(test->program, options, REDUCTION_OPTIMAL);
        expect(test, name, all.problem ? all.problem : compare_classes(&all, &found));
        test->totals->classes += all.classes.count;
        release(&found);
    }
    release(&test->all);
    test->all = all;
}

/* Limits are the same for all members of a class. */
static void test_bound_and_steps(Test *test, AbsOptions options, uint32_t steps, const char *name)
{
    Result all = search_steps(test->program, options, REDUCTION_NONE, MOST_EXECUTIONS, steps);
    if (!all.too_large) {
        Result found = search_steps(test->program, options, REDUCTION_OPTIMAL, MOST_EXECUTIONS, steps);
        expect(test, name, all.problem ? all.problem : compare_classes(&all, &found));
        release(&found);
    }
    if (!includes(&test->all.bugs, &all.bugs, false))
        expect(test, name, "a bug that does not exist without bounds");
    test->totals->bounded++;
    test->totals->cut += all.cut;
    test->totals->bugs += all.bugs.count;
    release(&all);
}

static void test_bound(Test *test, AbsOptions options, const char *name)
{
    test_bound_and_steps(test, options, MOST_STEPS, name);
}

/* Bounds of 1 to 3, in all combinations. */
static void test_random_bounds(Test *test, uint64_t random)
{
    AbsOptions options = {.await = test->await, .dependence = DEPENDENCE_FIELDS};
    uint64_t which = 1 + random % 15;
    options.max_loop = which & 1 ? 1 + random / 16 % 3 : 0;
    options.max_switches = which & 2 ? 1 + random / 64 % 3 : 0;
    options.max_objects = which & 4 ? 1 + random / 256 % 3 : 0;
    uint64_t steps = which & 8 ? 1 + random / 1024 % 3 : MOST_STEPS;
    test_bound_and_steps(test, options, (uint32_t)steps, "bounds");
}

static void test_bounds(Test *test, uint64_t limit)
{
    AbsOptions options = {.await = test->await, .dependence = DEPENDENCE_FIELDS};
    options.max_switches = limit;
    test_bound(test, options, "switches");
    options.max_switches = 0;
    options.max_objects = limit;
    test_bound(test, options, "objects");
    options.max_loop = limit;
    options.max_objects = 0;
    test_bound(test, options, "loop");
}

static void test_outcomes(Test *test, AbsOptions options, Reduction reduction, const char *name)
{
    Result found = search(test->program, options, reduction);
    if (!found.too_large) {
        expect(test, name, compare_outcomes(&test->all, &found));
        if (reduction == REDUCTION_EXACT)
            expect(test, name, found.executions == found.states.count ? NULL : "a state is repeated");
    }
    release(&found);
}

/* Which bugs an execution with a final state had before is no part of it. */
static void test_states(Test *test)
{
    AbsOptions options = {.await = test->await, .dependence = DEPENDENCE_EXACT};
    if (program_abs_machine(test->program)->has_inputs)
        return;
    Result exact = search(test->program, options, REDUCTION_EXACT);
    Result found = search(test->program, options, REDUCTION_STATES);
    if (!exact.too_large) {
        bool same = exact.states.count == found.states.count && includes(&exact.states, &found.states, false) &&
                    exact.bugs.count == found.bugs.count && includes(&exact.bugs, &found.bugs, false);
        expect(test, "states", found.problem ? found.problem : same ? NULL : "other final states or bugs");
    }
    release(&exact);
    release(&found);
}

static void test_policy(Test *test, AbsOptions options, const char *name)
{
    Result found = search(test->program, options, REDUCTION_NONE);
    if (!includes(&test->all.outcomes, &found.outcomes, false))
        expect(test, name, "an outcome that enumeration does not have");
    if (found.executions == 0 || found.executions > test->all.executions)
        expect(test, name, "no execution, or more than without the policy");
    release(&found);
}

static void test_policies(Test *test)
{
    test_policy(test, (AbsOptions){.await = test->await, .dependence = DEPENDENCE_FIELDS, .tasks = TASKS_FIFO}, "fifo");
    test_policy(test, (AbsOptions){.await = test->await, .dependence = DEPENDENCE_FIELDS, .tasks = TASKS_LIFO}, "lifo");
    test_policy(test, (AbsOptions){.await = test->await, .dependence = DEPENDENCE_FIELDS, .objects = OBJECTS_ROUND_ROBIN},
                "round-robin");
}

/* Releases the text. */
static AbsProgram *create_from(Text *text)
{
    Text diagnostics = {0};
    Error error = {0};
    AbsOptions options = {0};
    AbsProgram *program =
        program_abs_create_text("generated.abs", text->data, text->length, &options, &diagnostics, &error);
    if (!program) {
        fprintf(stderr, "%s%s\n", text_borrow(&diagnostics), error.text);
        exit(2);
    }
    text_release(text);
    text_release(&diagnostics);
    return program;
}

static AbsProgram *create(uint64_t seed)
{
    Text text = {0};
    generate_model(seed, &text);
    return create_from(&text);
}

static void test_model(uint64_t seed, Totals *totals)
{
    Test test = {.seed = seed, .totals = totals, .program = create(seed), .await = seed % 3 == 2 ? AWAIT_RELEASE : AWAIT_CONTINUE};
    if (seed % 4 == 3)
        test_level(&test, DEPENDENCE_ACTOR, "actor");
    test_level(&test, DEPENDENCE_FIELDS, "fields");
    if (!test.all.too_large) {
        if (test.await == AWAIT_CONTINUE)
            test_outcomes(&test, (AbsOptions){.await = AWAIT_LITERAL, .dependence = DEPENDENCE_FIELDS}, REDUCTION_NONE, "literal");
        test_outcomes(&test, (AbsOptions){.await = test.await, .dependence = DEPENDENCE_EXACT}, REDUCTION_EXACT, "exact");
        test_states(&test);
        if (program_abs_machine(test.program)->has_inputs && seed % 4 == 1)
            expect(&test, "inputs", concrete_check(test.program, test.await, seed));
        if (seed % 8 == 5)
            test_policies(&test);
        if (seed % 8 == 1)
            test_bounds(&test, 1 + seed / 8 % 3);
    }
    totals->models += !test.all.too_large;
    totals->too_large += test.all.too_large;
    totals->naive += test.all.executions;
    totals->outcomes += test.all.outcomes.count;
    release(&test.all);
    program_abs_destroy(test.program);
}

static void test_bounded_model(uint64_t seed, Totals *totals)
{
    Test test = {.seed = seed, .totals = totals, .program = create(seed), .await = seed % 3 == 2 ? AWAIT_RELEASE : AWAIT_CONTINUE};
    AbsOptions options = {.await = test.await, .dependence = DEPENDENCE_FIELDS};
    test.all = search(test.program, options, REDUCTION_NONE);
    for (uint64_t i = 0; !test.all.too_large && i < 3; i++)
        test_random_bounds(&test, trace_mix(3 * seed + i));
    totals->models += !test.all.too_large;
    totals->too_large += test.all.too_large;
    release(&test.all);
    program_abs_destroy(test.program);
}

static int test_bounded_models(uint64_t seed, uint64_t end)
{
    Totals totals = {0};
    for (; seed < end; seed++)
        test_bounded_model(seed, &totals);
    printf("%llu models (and %llu too large), %llu searches with bounds, %llu executions cut, %llu bugs, "
           "%llu mismatches\n",
           (unsigned long long)totals.models, (unsigned long long)totals.too_large, (unsigned long long)totals.bounded,
           (unsigned long long)totals.cut, (unsigned long long)totals.bugs, (unsigned long long)totals.mismatches);
    return totals.mismatches > 0;
}

/* Policies are another implementation of what two of the schedulers do, if all cogs have one. A loop that polls is
 * endless only without them: such models are cut. */
static void test_same_policy(Test *test, uint32_t scheduler)
{
    AbsOptions options = {.await = test->await == AWAIT_CONTINUE ? AWAIT_LITERAL : test->await,
                          .dependence = DEPENDENCE_FIELDS,
                          .tasks = scheduler ? TASKS_LIFO : TASKS_FIFO};
    Result found = search(test->program, options, REDUCTION_NONE);
    if (!found.too_large && !found.cut)
        expect(test, "policy", compare_outcomes(&found, &test->all));
    release(&found);
}

static void test_scheduled_model(uint64_t seed, Totals *totals)
{
    uint32_t scheduler = (uint32_t)(seed % GENERATED_SCHEDULER_COUNT);
    Text text = {0};
    generate_scheduled_model(seed, scheduler, &text);
    bool everywhere = !strstr(text_borrow(&text), "new local"); /* which in the main block joins a cog without one */
    Test test = {.seed = seed,
                 .totals = totals,
                 .program = create_from(&text),
                 .await = seed % 3 == 2 ? AWAIT_RELEASE : AWAIT_CONTINUE};
    test_level(&test, seed % 4 == 3 ? DEPENDENCE_ACTOR : DEPENDENCE_FIELDS, "scheduled");
    if (!test.all.too_large && !test.all.cut) { /* the number of steps is not part of a state */
        test_outcomes(&test, (AbsOptions){.await = test.await, .dependence = DEPENDENCE_EXACT}, REDUCTION_EXACT,
                      "exact");
        test_states(&test);
        if (scheduler < 2 && everywhere)
            test_same_policy(&test, scheduler);
        if (seed % 8 == 1)
            test_bounds(&test, 1 + seed / 8 % 3);
    }
    totals->models += !test.all.too_large;
    totals->too_large += test.all.too_large;
    totals->naive += test.all.executions;
    totals->outcomes += test.all.outcomes.count;
    release(&test.all);
    program_abs_destroy(test.program);
}

static int show(uint64_t seed, bool scheduled)
{
    Text text = {0};
    if (scheduled)
        generate_scheduled_model(seed, (uint32_t)(seed % GENERATED_SCHEDULER_COUNT), &text);
    else
        generate_model(seed, &text);
    fputs(text_borrow(&text), stdout);
    text_release(&text);
    return 0;
}

static int test_files(const char *const *paths, uint32_t count)
{
    AbsOptions options = {.await = AWAIT_CONTINUE, .dependence = DEPENDENCE_FIELDS};
    Text diagnostics = {0};
    Error error = {0};
    AbsProgram *program = program_abs_create(paths, count, &options, &diagnostics, &error);
    if (!program) {
        fprintf(stderr, "%s%s\n", text_borrow(&diagnostics), error.text);
        return 2;
    }
    Result all = search_up_to(program, options, REDUCTION_NONE, 0);
    Result found = search_up_to(program, options, REDUCTION_OPTIMAL, 0);
    const char *problem = all.problem ? all.problem : compare_classes(&all, &found);
    printf("%llu executions in all, %u classes, %u outcomes; %s\n", (unsigned long long)all.executions,
           all.classes.count, all.outcomes.count, problem ? problem : "the reduction runs each class once");
    release(&all);
    release(&found);
    program_abs_destroy(program);
    text_release(&diagnostics);
    return problem != NULL;
}

int main(int argc, char **argv)
{
    Totals totals = {0};
    void (*test)(uint64_t seed, Totals * totals) = test_model;
    if (argc > 2 && strcmp(argv[1], "--file") == 0)
        return test_files((const char *const *)argv + 2, (uint32_t)argc - 2);
    if (argc == 4 && strcmp(argv[1], "--bounds") == 0)
        return test_bounded_models(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
    if (argc == 4 && strcmp(argv[1], "--schedulers") == 0) {
        test = test_scheduled_model;
        argv++;
        argc--;
    }
    if (argc != 3) {
        fprintf(stderr, "usage: abs_oracle [--bounds|--schedulers] FIRST END | --show SEED | --file FILE ...\n");
        return 2;
    }
    if (strcmp(argv[1], "--show") == 0)
        return show(strtoull(argv[2], NULL, 10), test == test_scheduled_model);
    for (uint64_t seed = strtoull(argv[1], NULL, 10), end = strtoull(argv[2], NULL, 10); seed < end; seed++)
        test(seed, &totals);
    printf("%llu models (and %llu too large), %llu classes, %llu outcomes, %llu executions, %llu mismatches\n",
           (unsigned long long)totals.models, (unsigned long long)totals.too_large, (unsigned long long)totals.classes,
           (unsigned long long)totals.outcomes, (unsigned long long)totals.naive, (unsigned long long)totals.mismatches);
    return totals.mismatches > 0;
}
