/* oracle.c - generated tests against brute force over all start states of a small domain
 *
 *     tcg_oracle FIRST COUNT [SOLVER]    COUNT models, from seed FIRST on
 *     tcg_oracle --show SEED             prints a model and its tests
 *
 * For each model and context: a suite is generated without knowing anything. Then, for every
 * concrete start state (heap.h), plain enumeration of all schedules finds all classes. The
 * tests whose path condition this start state satisfies, run on it, must have exactly these
 * classes, each once, and end as the tests say.
 *
 * The suite is that of the search with temporarily stable objects. Without them, and with race
 * reversal instead, the same tests must be found; with a limit on objects, too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/run/inputs.h"
#include "base/map.h"
#include "base/mem.h"
#include "heap.h"
#include "models.h"
#include "sym/expr/eval.h"
#include "tcg/generate.h"
#include "tcg/stability.h"
#include "trace_class.h"

enum { MOST_TESTS = 200, MOST_SCHEDULES = 100, MOST_HEAPS = 250, MOST_STEPS = 40 };

typedef struct Totals {
    uint64_t models, too_large, tests, heaps, classes, executions, cut, mismatches, states[3];
} Totals;

typedef struct Check {
    uint64_t seed;
    AbsProgram *program;
    AbsOptions options;
    StartState *context;
    TestSuite suite;
    Execution *ex;
    struct Judge *judge;
    Heap heap;
    Totals *totals;
    uint64_t states[3];       /* by Way */
    bool too_large;
    const char *problem;
    uint32_t problem_test;
} Check;

/* ---- Models and contexts ---------------------------------------------------------------- */

static AbsProgram *create(uint64_t seed, const AbsOptions *options)
{
    Text text = {0}, diagnostics = {0};
    Error error = {0};
    models_write(seed, &text);
    AbsProgram *program = program_abs_create_text("generated.abs", text.data, text.length, options, &diagnostics, &error);
    if (!program) {
        fprintf(stderr, "%s\n%s%s\n", text.data, text_borrow(&diagnostics), error.text);
        exit(2);
    }
    text_release(&text);
    text_release(&diagnostics);
    return program;
}

static const MethodDecl *find_method(AbsProgram *program, uint32_t class, const char *name)
{
    const ClassDecl *decl = program_abs_model(program)->classes.items[class];
    for (uint32_t i = 0; i < decl->methods.count; i++)
        if (strcmp(decl->methods.items[i]->sig.name.text, name) == 0)
            return decl->methods.items[i];
    return NULL;
}

/* One task, two of one object, or one each of two objects. */
static StartState *make_context(AbsProgram *program, uint64_t seed)
{
    StartState *start = start_create(program_abs_model(program));
    const Image *image = program_abs_machine(program)->image;
    uint32_t last = program_abs_model(program)->classes.count - 1, kind = (uint32_t)(seed / 4 % 4);
    start->numbers = (InputRange){.low = 0, .high = 1, .limited = true, .is_signed = true};
    uint32_t object = start_add_object(start, &image->classes[0]);
    start_add_task(start, object, find_method(program, 0, "m0"));
    if (kind == 1)
        start_add_task(start, object, find_method(program, 0, "m1"));
    else if (kind == 2)
        start_add_task(start, start_add_object(start, &image->classes[last]), find_method(program, last, "m1"));
    else if (kind == 3)
        start_add_task(start, object, find_method(program, 0, "m0"));
    return start;
}

/* ---- Brute force ---------------------------------------------------------------------------- */

enum { CUT = 1 << 20, TESTED = 1 << 21 };

/* Classes of one start state: class -> kind of what was found first + 1, 0: nothing; CUT: a limit stopped it. */
typedef Map Classes;

static bool is_cut(const Machine *machine)
{
    bool cut = bounds_exceeded_steps(machine, machine->options.max_chain);
    for (uint32_t i = 1; i < CUT_COUNT; i++)
        cut = cut || machine->ex->cuts[i];
    return cut;
}

static void note_class(Check *check, Classes *classes)
{
    const Machine *machine = program_abs_machine(check->program);
    const Execution *ex = check->ex;
    bool added;
    uint64_t ending = is_cut(machine) ? CUT : ex->finding_count ? ex->findings[0].kind + 1u : 0;
    uint64_t *place = map_insert(classes, trace_class(check->program, ex), &added);
    heap_note(&check->heap, machine, ex);
    if (added)
        *place = ending;
    else if (*place != ending)
        check->problem = "two executions of one class end differently";
    check->totals->executions++;
}

/* Takes the first task that can go on, and notes at each step which others could. */
typedef struct Walker {
    Picker picker;
    VEC(AgentId) open[MOST_STEPS]; /* by step: still to be tried */
} Walker;

static AgentId pick(Picker *picker, Execution *ex, AgentId current)
{
    Walker *walker = (Walker *)picker;
    AgentId first = AGENT_NONE;
    (void)current;
    if (ex->event_count == MOST_STEPS)
        return AGENT_NONE;
    walker->open[ex->event_count].count = 0;
    for (AgentId agent = 0; agent < ex->agent_count; agent++) {
        if (!ex->program->ops->enabled(ex->program, agent))
            continue;
        if (first == AGENT_NONE)
            first = agent;
        else
            VEC_PUSH(&walker->open[ex->event_count], agent);
    }
    return first;
}

/* Plans the execution up to the last step that has something left to try. */
static bool plan_next(Walker *walker, Execution *ex)
{
    uint32_t step = ex->event_count;
    while (step > 0 && walker->open[step - 1].count == 0)
        step--;
    for (uint32_t i = 0; i < step; i++)
        ex->plan[i] = (PlanStep){.agent = ex->events[i].agent};
    if (step > 0)
        ex->plan[step - 1].agent = walker->open[step - 1].items[--walker->open[step - 1].count];
    ex->plan_length = step;
    return step > 0;
}

static void enumerate(Check *check, Classes *classes)
{
    Walker walker = {.picker.pick = pick};
    Execution *ex = check->ex;
    uint32_t count = 0;
    ex->plan_length = 0;
    ex->picker = &walker.picker;
    do {
        ex->program->ops->run(ex->program, ex);
        check->too_large = ex->end != END_COMPLETE || ++count > MOST_SCHEDULES;
        if (!check->too_large)
            note_class(check, classes);
    } while (!check->too_large && plan_next(&walker, ex));
    ex->picker = NULL;
    for (uint32_t i = 0; i < MOST_STEPS; i++)
        VEC_FREE(&walker.open[i]);
}

/* ---- Tests on a heap ----------------------------------------------------------------------- */

/* Conditions in a pool of their own, evaluated for one heap after another. */
typedef struct Judge {
    ExprPool *pool;
    Transfer known;
    Evaluator *evaluator;
    Assignment assignment;
} Judge;

static Judge *judge_create(void)
{
    Judge *judge = mem_alloc(sizeof *judge);
    judge->pool = expr_pool_create(1 << 16);
    judge->evaluator = evaluator_create(judge->pool);
    return judge;
}

static void judge_destroy(Judge *judge)
{
    evaluator_destroy(judge->evaluator);
    assignment_release(&judge->assignment);
    transfer_release(&judge->known);
    expr_pool_destroy(judge->pool);
    free(judge);
}

static void judge_use(Judge *judge, const Heap *heap)
{
    assignment_reset(&judge->assignment);
    for (uint32_t i = 0; i < judge->pool->inputs->count; i++) {
        Bits value;
        if (heap_find_input(heap, input_get(judge->pool->inputs, (InputId){i})->name, &value))
            assignment_set(&judge->assignment, (InputId){i}, value);
    }
    evaluator_use(judge->evaluator, &judge->assignment);
}

static ExprId condition(Check *check, Literal literal)
{
    return archive_get(inputs_archive(program_abs_machine(check->program)->inputs), literal.condition, check->judge->pool,
                       &check->judge->known);
}

/* Does the heap satisfy the condition of the test? Conditions are looked at in order: what stands
 * behind one that does not hold may mean nothing. */
static bool belongs(Check *check, const TestCase *test)
{
    for (uint32_t i = 0; i < test->choices.count; i++) {
        Literal literal = test->choices.items[i];
        if (literal.condition && evaluator_holds(check->judge->evaluator, condition(check, literal)) != (literal.taken == 0))
            return false;
    }
    return true;
}

static const char *run_test(Check *check, Classes *classes, const TestCase *test)
{
    Execution *ex = check->ex;
    for (uint32_t i = 0; i < test->steps.count; i++)
        ex->plan[i] = (PlanStep){.agent = test->steps.items[i].agent};
    ex->plan_length = test->steps.count;
    ex->program->ops->run(ex->program, ex);
    if (ex->end != END_COMPLETE || ex->event_count != test->steps.count)
        return "a test cannot be run on a start state that satisfies its condition";
    uint64_t *place = map_find(classes, trace_class(check->program, ex));
    if (!place)
        return "a test has a class that enumeration does not have";
    uint64_t ending = *place;
    *place |= TESTED;
    if (ending & (TESTED | CUT))
        return ending & CUT ? "a test exceeds a limit" : "two tests are of one class";
    bool same = strcmp(test->outcome, ending ? bug_kind_name((BugKind)(ending - 1)) : "ok") == 0;
    return same ? NULL : "a test does not end as it says";
}

static void check_heap(Check *check)
{
    Classes classes = {0};
    program_abs_set_start(check->program, check->heap.start);
    enumerate(check, &classes);
    judge_use(check->judge, &check->heap);
    for (uint32_t i = 0; i < check->suite.count && !check->too_large && !check->problem; i++)
        if (belongs(check, &check->suite.items[i])) {
            check->problem = run_test(check, &classes, &check->suite.items[i]);
            check->problem_test = i + 1;
        }
    for (uint32_t i = 0; i < classes.room && !check->too_large && !check->problem; i++)
        if (classes.entries[i].key != MAP_NO_KEY && !(classes.entries[i].value & (TESTED | CUT))) {
            check->problem = "a class has no test";
            check->problem_test = 0;
        }
    check->totals->heaps++;
    check->totals->classes += classes.count;
    map_release(&classes);
}

/* ---- One model -------------------------------------------------------------------------------- */

static void check_model(Check *check)
{
    uint32_t heaps = 0;
    heap_init(&check->heap, check->program, check->context);
    check->ex = execution_create(program_abs_program(check->program));
    check->judge = judge_create();
    for (uint32_t i = 0; i < check->suite.count; i++)
        for (uint32_t c = 0; c < check->suite.items[i].choices.count; c++)
            if (check->suite.items[i].choices.items[c].condition)
                condition(check, check->suite.items[i].choices.items[c]); /* so that all inputs are known */
    do
        check_heap(check);
    while (!check->problem && !check->too_large && ++heaps < MOST_HEAPS && heap_next(&check->heap));
    check->too_large = check->too_large || heaps == MOST_HEAPS;
    judge_destroy(check->judge);
    execution_destroy(check->ex);
}

static void report(const Check *check)
{
    printf("seed %llu: %s", (unsigned long long)check->seed, check->problem);
    if (check->problem_test)
        printf(" (test %u)", check->problem_test);
    printf("\n");
    if (check->heap.place_count)
        heap_print(&check->heap);
    check->totals->mismatches++;
}

/* ---- Searches ------------------------------------------------------------------------------------ */

/* The ways to the same tests. */
typedef enum Way { WAY_STABLE, WAY_ALL, WAY_REVERSALS, WAY_COUNT } Way;

static void search(Check *check, Way way, uint64_t max_objects, TestSuite *suite)
{
    GenerateStats stats = {.complete = true};
    AbsOptions options = check->options;
    options.whole_bounds = way != WAY_REVERSALS;
    options.max_objects = max_objects;
    program_abs_configure(check->program, &options);
    program_abs_set_stability(check->program,
                              way == WAY_STABLE ? stability_create(check->program, options.dependence == DEPENDENCE_ACTOR) : NULL);
    generate_tests(check->program, check->context, 0, way == WAY_REVERSALS ? REDUCTION_OPTIMAL : REDUCTION_PERSISTENT, MOST_TESTS, NULL,
                   suite, &stats);
    for (uint32_t i = 0; i < CUT_COUNT; i++)
        check->totals->cut += stats.cuts[i];
    check->states[way] += stats.states;
    check->too_large |= !stats.complete && stats.search.executions >= MOST_TESTS;
    if (!stats.complete && !check->too_large)
        check->problem = "the search diverged";
    program_abs_set_stability(check->program, NULL);
    program_abs_configure(check->program, &check->options);
}

static int compare_classes(const void *a, const void *b)
{
    uint64_t x = ((const TestCase *)a)->class, y = ((const TestCase *)b)->class;
    return x < y ? -1 : x > y;
}

static void compare_suites(Check *check, TestSuite *one, TestSuite *other)
{
    bool same = one->count == other->count;
    if (one->count)
        qsort(one->items, one->count, sizeof *one->items, compare_classes);
    if (other->count)
        qsort(other->items, other->count, sizeof *other->items, compare_classes);
    for (uint32_t i = 0; same && i < one->count; i++)
        same = one->items[i].class == other->items[i].class;
    if (!same && !check->too_large && !check->problem)
        check->problem = "two searches do not find the same tests";
}

/* All ways with a limit on objects find the same, whatever brute force could say of it. */
static void compare_ways(Check *check, uint64_t max_objects, TestSuite *suite)
{
    search(check, WAY_STABLE, max_objects, suite);
    for (Way way = WAY_ALL; way < WAY_COUNT && !check->problem && !check->too_large; way++) {
        TestSuite other = {0};
        search(check, way, max_objects, &other);
        compare_suites(check, suite, &other);
        suite_release(&other);
    }
}

static void test_model(uint64_t seed, Totals *totals, const char *solver)
{
    AbsOptions options = {.dependence = seed % 4 == 2 ? DEPENDENCE_ACTOR : DEPENDENCE_FIELDS, .without_main = true,
                          .max_loop = 1 + seed % 3, .max_chain = seed % 5 == 4 ? 2 : 0, .solver = {.solver = solver}};
    Check check = {.seed = seed, .program = create(seed, &options), .options = options, .totals = totals};
    TestSuite limited = {0};
    check.context = make_context(check.program, seed);
    compare_ways(&check, 0, &check.suite);
    if (!check.too_large && !check.problem)
        compare_ways(&check, 1, &limited);
    if (!check.too_large && !check.problem)
        check_model(&check);
    suite_release(&limited);
    if (check.problem)
        report(&check);
    for (Way way = WAY_STABLE; way < WAY_COUNT && !check.too_large; way++)
        totals->states[way] += check.states[way];
    totals->models += !check.too_large;
    totals->too_large += check.too_large;
    totals->tests += check.too_large ? 0 : check.suite.count;
    suite_release(&check.suite);
    if (check.heap.start)
        heap_release(&check.heap);
    start_destroy(check.context);
    program_abs_destroy(check.program);
}

static int show(uint64_t seed)
{
    Text text = {0};
    models_write(seed, &text);
    fputs(text_borrow(&text), stdout);
    text_release(&text);
    return 0;
}

int main(int argc, char **argv)
{
    Totals t = {0};
    if (argc != 3 && argc != 4) {
        fprintf(stderr, "usage: tcg_oracle FIRST COUNT [SOLVER] | --show SEED\n");
        return 2;
    }
    if (strcmp(argv[1], "--show") == 0)
        return show(strtoull(argv[2], NULL, 10));
    for (uint64_t seed = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10); t.models < count; seed++)
        test_model(seed, &t, argc == 4 ? argv[3] : NULL);
    printf("%llu models (and %llu too large), %llu tests, %llu start states, %llu classes, %llu executions, %llu cut, %llu mismatches; "
           "states: %llu with stability, %llu without, %llu by reversals\n",
           (unsigned long long)t.models, (unsigned long long)t.too_large, (unsigned long long)t.tests, (unsigned long long)t.heaps,
           (unsigned long long)t.classes, (unsigned long long)t.executions, (unsigned long long)t.cut, (unsigned long long)t.mismatches,
           (unsigned long long)t.states[WAY_STABLE], (unsigned long long)t.states[WAY_ALL], (unsigned long long)t.states[WAY_REVERSALS]);
    return t.mismatches > 0;
}
