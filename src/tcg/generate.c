/* generate.c - see generate.h */
#include "tcg/generate.h"

#include <stdlib.h>
#include <string.h>

#include "abs/run/inputs.h"
#include "base/map.h"
#include "base/mem.h"
#include "tcg/portray.h"
#include "tcg/testclass.h"
#include "tcg/tighten.h"

typedef struct Recorder {
    AbsObserver observer;
    TestSuite *suite;
    GenerateStats *stats;
    TestClasses *classes;
    uint32_t context;
    VEC(uint64_t) path; /* of the last execution: a hash per step, with its decisions */
} Recorder;

/* ---- One execution ------------------------------------------------------------------------- */

static void note_inputs(const Machine *machine, TestCase *test)
{
    const Session *session = machine->inputs ? inputs_session(machine->inputs) : NULL;
    for (uint32_t i = 0; session && i < session_input_count(session); i++) {
        TestInput copy = {0};
        const Input *input = session_get_input(session, i, &copy.value);
        copy.name = testcase_keep(test, input->name);
        copy.number = input->number;
        copy.sort = input->sort;
        copy.range = input->range;
        VEC_PUSH(&test->inputs, copy);
    }
}

static void note_path(const Execution *ex, TestCase *test)
{
    for (uint32_t i = 0; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        VEC_PUSH(&test->steps,
                 ((TestStep){
                     .agent = event->agent, .first_choice = test->choices.count, .choice_count = event->choice_count}));
        for (uint32_t c = 0; c < event->choice_count; c++) {
            const Choice *choice = &ex->choices[event->first_choice + c];
            VEC_PUSH(&test->choices, ((Literal){.condition = choice->condition, .taken = choice->taken}));
        }
    }
}

static uint64_t hash_text(const Text *text)
{
    uint64_t hash = 1469598103934665603ull;
    for (size_t i = 0; i < text->length; i++)
        hash = (hash ^ (unsigned char)text->data[i]) * 1099511628211ull;
    return hash;
}

/* The hash of the final state without expressions: the same for an execution with concrete inputs. */
static uint64_t final_state(AbsProgram *program)
{
    Text text = {0};
    program_abs_print_state(program, &text);
    uint64_t hash = hash_text(&text);
    text_release(&text);
    return hash;
}

/* Did a bound stop a task? Then the execution is no test, since its end is unknown. */
static bool count_cuts(const Machine *machine, GenerateStats *stats)
{
    bool cut_off = false;
    for (uint32_t cut = 1; cut < CUT_COUNT; cut++) {
        bool hit = machine->ex->cuts[cut] > 0 || (cut == CUT_SWITCHES && !machine->options.whole_bounds &&
                                              bounds_exceeded_steps(machine, machine->options.max_chain));
        stats->cuts[cut] += hit || (cut == CUT_LOOP && machine->limited > 0);
        cut_off = cut_off || hit;
    }
    stats->concretised += machine->concretised > 0;
    return cut_off;
}

/* States are nodes of the tree of executions: those not on the path of the last execution are new. */
static void note_states(Recorder *recorder, const Execution *ex)
{
    uint32_t same = 0;
    for (uint32_t i = 0; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        uint64_t hash = map_mix(event->agent, event->choice_count);
        for (uint32_t c = 0; c < event->choice_count; c++)
            hash = map_mix(hash, (uint64_t)ex->choices[event->first_choice + c].condition << 32 |
                                     ex->choices[event->first_choice + c].taken);
        if (i == same && i < recorder->path.count && recorder->path.items[i] == hash) {
            same++;
            continue;
        }
        recorder->stats->states++;
        if (i < recorder->path.count)
            recorder->path.items[i] = hash;
        else
            VEC_PUSH(&recorder->path, hash);
    }
    recorder->path.count = ex->event_count;
}

void generate_describe(AbsProgram *program, const Execution *ex, TestFormat format, TestCase *test)
{
    test->free_time = program_abs_machine(program)->options.free_delays;
    test->outcome = ex->finding_count > 0 ? bug_kind_name(ex->findings[0].kind) : "ok";
    note_inputs(program_abs_machine(program), test);
    note_path(ex, test);
    test->final_hash = final_state(program);
    portray(program, ex, format, test);
}

static void record(AbsObserver *observer, AbsProgram *program, const Execution *ex)
{
    Recorder *recorder = (Recorder *)observer;
    Machine *machine = (Machine *)program_abs_machine(program);
    TestCase test = {.context = recorder->context};
    note_states(recorder, ex);
    if (program_abs_unsupported(program, &recorder->stats->refused_site))
        recorder->stats->refused = machine->unsupported;
    if ((ex->end != END_COMPLETE && ex->end != END_CUT) || machine->refused || count_cuts(machine, recorder->stats))
        return;
    if (!testclasses_add(recorder->classes, machine, ex, &test.class)) {
        recorder->stats->repeated++;
        return;
    }
    generate_describe(program, ex, recorder->suite->format, &test);
    VEC_PUSH(recorder->suite, test);
}

/* ---- All of them ----------------------------------------------------------------------------- */

static void add_stats(GenerateStats *stats, const ExploreStats *search, ExploreResult result)
{
    stats->search.executions += search->executions;
    stats->search.redundant += search->redundant;
    stats->search.probes += search->probes;
    stats->search.steps += search->steps;
    stats->search.failing += search->failing;
    stats->search.blocked += search->blocked;
    stats->complete = stats->complete && result == EXPLORE_DONE;
}

void generate_tests(AbsProgram *program, const StartState *start, uint32_t context, Reduction reduction,
                    uint64_t max_executions, ExploreObserver *observer, TestSuite *suite, GenerateStats *stats)
{
    Recorder recorder = {
        .observer.ended = record, .suite = suite, .stats = stats, .context = context, .classes = testclasses_create()};
    ExploreOptions options = {
        .reduction = reduction, .max_preemptions = -1, .keep_going = true, .max_executions = max_executions};
    Region *region = region_create((size_t)4 << 30);
    program_abs_set_start(program, start);
    program_abs_observe(program, &recorder.observer);
    Explore *explore = explore_create(region, program_abs_program(program), &options);
    ExploreResult result = explore_run(explore, observer, 0);
    add_stats(stats, explore_stats(explore), result);
    explore_destroy(explore);
    region_destroy(region);
    testclasses_destroy(recorder.classes);
    VEC_FREE(&recorder.path);
    program_abs_observe(program, NULL);
}

Execution *generate_repeat(AbsProgram *program, const StartState *start, const TestCase *test)
{
    VEC(InputValue) values = {0};
    Execution *ex = program_abs_execution(program);
    for (uint32_t i = 0; i < test->inputs.count; i++) {
        const TestInput *input = &test->inputs.items[i];
        VEC_PUSH(&values, ((InputValue){.name = input->name, .number = input->number, .value = input->value}));
    }
    for (uint32_t i = 0; i < test->steps.count; i++)
        ex->plan[i] = (PlanStep){.agent = test->steps.items[i].agent, .first_choice = test->steps.items[i].first_choice,
                                 .choice_count = (uint16_t)test->steps.items[i].choice_count};
    if (test->choices.count)
        memcpy(ex->plan_choices, test->choices.items, test->choices.count * sizeof *ex->plan_choices);
    ex->plan_length = test->steps.count;
    program_abs_set_start(program, start);
    program_abs_fix_inputs(program, values.items, values.count);
    ex->program->ops->run(ex->program, ex);
    program_abs_fix_inputs(program, NULL, 0);
    VEC_FREE(&values);
    return ex;
}

static bool ended_as_planned(const Execution *ex, const TestCase *test)
{
    return ex->end == END_COMPLETE && ex->event_count == test->steps.count;
}

bool generate_confirm(AbsProgram *program, const StartState *start, CoverageMap *coverage, TestCase *test)
{
    coverage_begin(coverage);
    Execution *ex = generate_repeat(program, start, test);
    coverage_end(coverage, test);
    return ended_as_planned(ex, test) && final_state(program) == test->final_hash;
}

void generate_tighten(AbsProgram *program, const StartState *start, TestFormat format, TestCase *test)
{
    if (!tighten_inputs(program, test))
        return;
    Execution *ex = generate_repeat(program, start, test);
    if (ended_as_planned(ex, test)) {
        testcase_forget(test);
        test->final_hash = final_state(program);
        portray(program, ex, format, test);
    }
}
