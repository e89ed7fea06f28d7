/* concrete.c - see concrete.h */
#include "concrete.h"

#include <stdlib.h>
#include <string.h>

#include "abs/run/inputs.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"
#include "core/explore.h"

enum { MOST_EXECUTIONS = 1500, MOST_INPUTS = 8, ASSIGNMENTS = 4 };

/* ---- What a search leaves ---------------------------------------------------------------- */

typedef struct Step {
    AgentId agent;
    uint32_t choice_count;
} Step;

typedef struct Schedule {
    VEC(Step) steps;
    VEC(Literal) choices;
} Schedule;

typedef struct Domain {
    char name[64];
    uint32_t number;
    SignedBits low, high;
} Domain;

typedef struct Record {
    AbsObserver observer;
    VEC(Schedule) schedules;
    Domain inputs[MOST_INPUTS];
    uint32_t input_count;
    Map outcomes;
} Record;

/* Everything as people see it: symbols are shown by their values. */
static uint64_t outcome_of(AbsProgram *program, const Execution *ex)
{
    const Machine *machine = program_abs_machine(program);
    Text text = {0};
    program_abs_print_state(program, &text);
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        const Task *task = &machine->tasks[agent];
        if (task->state == TASK_ABSENT)
            continue;
        text_add(&text, "%u %d ", agent, task->state);
        if (task_is_over(task))
            value_print(&machine->context, task->result, &text);
    }
    uint64_t hash = 1;
    for (size_t i = 0; i < text.length; i++)
        hash = map_mix(hash, (unsigned char)text.data[i]);
    for (uint32_t i = 0; i < ex->finding_count; i++) /* a sum: members of a class find them in any order */
        hash += map_mix(ex->findings[i].kind, ex->findings[i].sites[0]);
    text_release(&text);
    return hash >> 1;
}

static void note_inputs(Record *record, const Machine *machine)
{
    Session *session = inputs_session(machine->inputs);
    for (uint32_t i = 0; i < session_input_count(session); i++) {
        Bits value;
        const Input *input = session_get_input(session, i, &value);
        bool known = false;
        for (uint32_t k = 0; k < record->input_count; k++)
            known = known || (record->inputs[k].number == input->number && strcmp(record->inputs[k].name, input->name) == 0);
        if (known || record->input_count == MOST_INPUTS)
            continue;
        Domain *domain = &record->inputs[record->input_count++];
        strncpy(domain->name, input->name, sizeof domain->name - 1);
        domain->number = input->number;
        domain->low = input->sort == SORT_BOOL || input->range.limited ? 0 : -1;
        domain->high = input->sort == SORT_BOOL ? 1 : input->range.limited ? (SignedBits)input->range.high : 5;
    }
}

static void record_schedule(AbsObserver *observer, AbsProgram *program, const Execution *ex)
{
    Record *record = (Record *)observer;
    Schedule schedule = {0};
    for (uint32_t i = 0; i < ex->event_count; i++) {
        const Event *event = &ex->events[i];
        VEC_PUSH(&schedule.steps, ((Step){event->agent, event->choice_count}));
        for (uint32_t c = 0; c < event->choice_count; c++)
            VEC_PUSH(&schedule.choices, ((Literal){.taken = ex->choices[event->first_choice + c].taken}));
    }
    VEC_PUSH(&record->schedules, schedule);
    note_inputs(record, program_abs_machine(program));
}

static void record_outcome(AbsObserver *observer, AbsProgram *program, const Execution *ex)
{
    *map_insert(&((Record *)observer)->outcomes, outcome_of(program, ex), NULL) = 1;
}

static void release(Record *record)
{
    for (uint32_t i = 0; i < record->schedules.count; i++) {
        VEC_FREE(&record->schedules.items[i].steps);
        VEC_FREE(&record->schedules.items[i].choices);
    }
    VEC_FREE(&record->schedules);
    map_release(&record->outcomes);
}

static ExploreResult search(AbsProgram *program, Record *record, AbsOptions options, Reduction reduction)
{
    program_abs_configure(program, &options);
    program_abs_observe(program, &record->observer);
    Region *region = region_create((size_t)1 << 30);
    ExploreOptions explore_options = {.reduction = reduction, .max_preemptions = -1, .keep_going = true,
                                      .max_executions = MOST_EXECUTIONS, .max_agent_steps = 30};
    Explore *explore = explore_create(region, program_abs_program(program), &explore_options);
    ExploreResult result = explore_run(explore, NULL, 0);
    explore_destroy(explore);
    region_destroy(region);
    return result;
}

/* ---- One choice of inputs ------------------------------------------------------------------ */

/* Runs each schedule with the given inputs; keeps the outcomes of those that can be followed. */
static void replay_all(AbsProgram *program, const Record *found, AbsOptions options, Record *replayed)
{
    Execution *ex = execution_create(program_abs_program(program));
    program_abs_configure(program, &options);
    program_abs_observe(program, NULL);
    ex->max_agent_steps = 30;
    for (uint32_t i = 0; i < found->schedules.count; i++) {
        const Schedule *schedule = &found->schedules.items[i];
        uint32_t choices = 0;
        for (uint32_t s = 0; s < schedule->steps.count; s++) {
            uint16_t count = (uint16_t)schedule->steps.items[s].choice_count;
            ex->plan[s] = (PlanStep){.agent = schedule->steps.items[s].agent, .choice_count = count, .first_choice = choices};
            choices += count;
        }
        ex->plan_length = schedule->steps.count;
        if (schedule->choices.count)
            memcpy(ex->plan_choices, schedule->choices.items, schedule->choices.count * sizeof *ex->plan_choices);
        execution_reset(ex);
        ex->program->ops->run(ex->program, ex);
        if (ex->end == END_COMPLETE && ex->event_count == ex->plan_length)
            *map_insert(&replayed->outcomes, outcome_of(program, ex), NULL) = 1;
    }
    execution_destroy(ex);
}

static bool includes(const Map *whole, const Map *part)
{
    for (uint32_t i = 0; i < part->room; i++)
        if (part->entries[i].key != MAP_NO_KEY && !map_find(whole, part->entries[i].key))
            return false;
    return true;
}

static const char *check_inputs(AbsProgram *program, const Record *found, AwaitMode await, const InputValue *values, uint32_t count)
{
    Record plain = {.observer = {.ended = record_outcome}}, replayed = {0};
    AbsOptions options = {.await = await, .dependence = DEPENDENCE_FIELDS};
    const char *problem = NULL;
    program_abs_fix_inputs(program, values, count);
    replay_all(program, found, options, &replayed);
    options.plain_inputs = true;
    if (search(program, &plain, options, REDUCTION_NONE) == EXPLORE_DONE) {
        if (!includes(&plain.outcomes, &replayed.outcomes))
            problem = "inputs have an outcome that plain enumeration does not have";
        else if (!includes(&replayed.outcomes, &plain.outcomes))
            problem = "an outcome of plain inputs is missing";
    }
    program_abs_fix_inputs(program, NULL, 0);
    release(&plain);
    release(&replayed);
    return problem;
}

const char *concrete_check(AbsProgram *program, AwaitMode await, uint64_t seed)
{
    Record found = {.observer = {.ended = record_schedule}};
    Rng rng = {seed};
    const char *problem = NULL;
    InputValue values[MOST_INPUTS];
    search(program, &found, (AbsOptions){.await = await, .dependence = DEPENDENCE_FIELDS}, REDUCTION_OPTIMAL);
    for (uint32_t n = 0; n < ASSIGNMENTS && found.input_count && !problem; n++) {
        for (uint32_t i = 0; i < found.input_count; i++) {
            const Domain *domain = &found.inputs[i];
            uint32_t offset = rng_below(&rng, (uint32_t)(domain->high - domain->low) + 1);
            values[i] = (InputValue){.name = domain->name, .number = domain->number, .value = (Bits)(domain->low + offset)};
        }
        problem = check_inputs(program, &found, await, values, found.input_count);
    }
    release(&found);
    return problem;
}
