/* program_abs.c - see program_abs.h: executions and their ends */
#include "abs/program/program_abs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/check/check.h"
#include "abs/program/program_internal.h"
#include "abs/run/footprint.h"
#include "abs/run/guard.h"
#include "abs/run/inputs.h"
#include "base/mem.h"

enum {
    MOST_EVENTS = 1 << 17,    /* of one execution: memory for them is needed several times */
    MOST_ACCESSES = 1 << 22,
    MOST_ACCESSES_PER_STEP = 1 << 16,
    MOST_HEAP = 1 << 30,
    MOST_FUEL = 50 * 1000 * 1000
};

/* ---- The next task ------------------------------------------------------------------------ */

static bool is_enabled(Program *base, AgentId agent)
{
    AbsProgram *self = (AbsProgram *)base;
    return machine_enabled(self->machine, agent) && policy_allows(self, agent);
}

static AgentId smallest_enabled(AbsProgram *self)
{
    for (AgentId agent = 0; agent < self->machine->task_count; agent++)
        if (is_enabled(&self->program, agent))
            return agent;
    return AGENT_NONE;
}

static AgentId stop_with(Execution *ex, ExecutionEnd end)
{
    ex->end = end;
    return AGENT_NONE;
}

static AgentId take_planned(AbsProgram *self, Execution *ex)
{
    AgentId agent = ex->plan[ex->event_count].agent;
    if (is_enabled(&self->program, agent))
        return agent;
    ex->diverged_at = ex->event_count;
    return stop_with(ex, END_DIVERGED);
}

static AgentId take_picked(AbsProgram *self, Execution *ex)
{
    if (smallest_enabled(self) == AGENT_NONE)
        return stop_with(ex, END_COMPLETE);
    AgentId agent = ex->picker->pick(ex->picker, ex, self->last);
    return agent == AGENT_NONE || !is_enabled(&self->program, agent) ? stop_with(ex, END_ABANDONED) : agent;
}

static AgentId take_default(AbsProgram *self, Execution *ex)
{
    if (self->last != AGENT_NONE && is_enabled(&self->program, self->last))
        return self->last;
    AgentId agent = smallest_enabled(self);
    return agent == AGENT_NONE ? stop_with(ex, END_COMPLETE) : agent;
}

static bool log_is_full(const Execution *ex)
{
    return ex->event_count + 2 >= MOST_EVENTS ||
           ex->access_count + MOST_ACCESSES_PER_STEP + 8 * EXECUTION_MAX_AGENTS >= MOST_ACCESSES ||
           ex->choice_count + MOST_ACCESSES_PER_STEP >= EXECUTION_MAX_CHOICES;
}

static AgentId decide(AbsProgram *self, Execution *ex)
{
    if (ex->stop_after_plan && ex->event_count >= ex->plan_length)
        return stop_with(ex, END_PLANNED);
    if (log_is_full(ex)) {
        execution_cut(ex, CUT_LENGTH);
        return stop_with(ex, END_CUT);
    }
    if (ex->event_count < ex->plan_length)
        return take_planned(self, ex);
    return ex->picker ? take_picked(self, ex) : take_default(self, ex);
}

/* ---- Running -------------------------------------------------------------------------------- */

/* When nothing is enabled any more: tasks that have used up their steps stop if they could take another one. A task
 * that waits forever is not stopped by the bound. */
static void stop_tasks_without_steps(AbsProgram *self, Execution *ex)
{
    Machine *machine = self->machine;
    for (AgentId agent = 0; ex->max_agent_steps && agent < machine->task_count; agent++)
        if (machine_ready(machine, agent) && !machine_has_steps(machine, agent)) {
            machine->tasks[agent].state = TASK_STOPPED;
            execution_cut(ex, CUT_STEPS);
        }
}

static void list_blocked(AbsProgram *self)
{
    Machine *machine = self->machine;
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        Task *task = &machine->tasks[agent];
        bool waits = task_is_unfinished(task) && task->state != TASK_INIT;
        if ((!waits && task->state != TASK_KILLED) || !machine_has_steps(machine, agent))
            continue;
        if (!waits)
            task->state = task->killed_state; /* it could have continued before its object died */
        footprint_add_blocked(machine, task);
        if (!waits)
            task->state = TASK_KILLED;
    }
}

static void step(AbsProgram *self, Execution *ex, AgentId agent)
{
    bool preempts = self->last != AGENT_NONE && self->last != agent && is_enabled(&self->program, self->last);
    policy_note_step(self, agent);
    machine_step(self->machine, agent);
    if (preempts)
        ex->events[ex->event_count - 1].flags |= EVENT_PREEMPTS;
    self->last = agent;
    findings_after_step(self, ex, agent);
}

static void run_steps(AbsProgram *self, Execution *ex)
{
    Machine *machine = self->machine;
    AgentId agent;
    machine_reset(machine, ex);
    policy_reset(self);
    task_cycles_reset(self);
    self->last = AGENT_NONE;
    while ((agent = decide(self, ex)) != AGENT_NONE) {
        step(self, ex, agent);
        if (machine->diverged)
            break;
        if (machine->interrupted) {
            ex->end = END_ABANDONED;
            return;
        }
        if (self->options.whole_bounds && execution_is_cut(ex)) {
            ex->end = END_CUT;
            return;
        }
        if ((ex->stop_at_bug && ex->finding_count) || machine->unsupported) {
            ex->end = END_ABANDONED;
            return;
        }
    }
    if (machine->diverged) {
        ex->diverged_at = ex->event_count ? ex->event_count - 1 : 0;
        ex->end = END_DIVERGED;
    }
    if (ex->end == END_COMPLETE)
        stop_tasks_without_steps(self, ex);
    if (ex->end == END_COMPLETE)
        findings_at_end(self, ex);
    if (ex->end == END_COMPLETE || ex->end == END_ABANDONED)
        list_blocked(self);
}

static void run(Program *base, Execution *ex)
{
    AbsProgram *self = (AbsProgram *)base;
    execution_reset(ex);
    run_steps(self, ex);
    if (self->observer && !ex->stop_after_plan)
        self->observer->ended(self->observer, self, ex);
}

/* What a task accesses lies in its cog, but for the ends of other tasks: these do not depend on what is picked. */
static bool may_conflict(Program *base, AgentId agent, const Execution *ex, const Event *event)
{
    const Machine *machine = ((AbsProgram *)base)->machine;
    (void)ex;
    return agent == machine->clock || event->agent == machine->clock ||
           machine->tasks[agent].cog == machine->tasks[event->agent].cog;
}

static uint32_t sufficient(Program *base, AgentId *agents)
{
    AbsProgram *self = (AbsProgram *)base;
    uint32_t count = 0;
    AgentId clock = self->machine->clock;
    if (clock != AGENT_NONE && is_enabled(base, clock)) { /* then nothing else is */
        agents[0] = clock;
        return 1;
    }
    if (self->stability)
        return self->stability->choose(self->stability, self->machine, agents);
    for (AgentId agent = 0; agent < self->machine->task_count; agent++)
        if (is_enabled(base, agent))
            agents[count++] = agent;
    return count;
}

static bool guard_holds(Program *base, uint64_t guard, const int64_t *values, uint32_t count)
{
    return guard_holds_with(((AbsProgram *)base)->machine, (uint32_t)guard, values, count);
}

static void each_input(Program *base, const Execution *ex,
                       void (*each)(void *context, const char *name, const char *value), void *context)
{
    (void)ex; /* it is the one that was run last */
    inputs_each(((AbsProgram *)base)->machine, each, context);
}

static void condition_text(Program *base, uint32_t condition, char *text, size_t size)
{
    const Inputs *inputs = ((AbsProgram *)base)->machine->inputs;
    archive_print(inputs ? inputs_archive(inputs) : NULL, condition, text, size);
}

static bool set_input(Program *base, const char *name, const char *value)
{
    Inputs *inputs = ((AbsProgram *)base)->machine->inputs;
    return inputs && inputs_fix_text(inputs, name, value);
}

static void forget_inputs(Program *base)
{
    Inputs *inputs = ((AbsProgram *)base)->machine->inputs;
    if (inputs)
        inputs_fix(inputs, NULL, 0);
}

static bool feasible(Program *base, const Literal *all, uint32_t count, const Literal *any, const uint32_t *ends,
                     uint32_t clauses)
{
    Machine *machine = ((AbsProgram *)base)->machine;
    return !machine->inputs || inputs_feasible(machine, all, count, any, ends, clauses);
}

static bool solve(Program *base, const Execution *ex)
{
    Machine *machine = ((AbsProgram *)base)->machine;
    return !machine->has_inputs || inputs_solve(machine, ex);
}

/* ---- Lifecycle -------------------------------------------------------------------------------- */

static const ProgramOps OPS = {.run = run,
                               .enabled = is_enabled,
                               .may_conflict = may_conflict,
                               .sufficient = sufficient,
                               .agent_name = describe_agent,
                               .resource_name = describe_resource,
                               .step_text = describe_step,
                               .agent_owner = describe_owner,
                               .place = describe_place,
                               .agent_path = describe_path,
                               .agent_find = describe_find,
                               .guard_holds = guard_holds,
                               .feasible = feasible,
                               .solve = solve,
                               .each_input = each_input,
                               .set_input = set_input,
                               .forget_inputs = forget_inputs,
                               .condition_text = condition_text,
                               .state = state_hash,
                               .fingerprint = state_fingerprint,
                               .alias = state_alias,
                               .open = state_open,
                               .idle = state_idle};

static MachineOptions machine_options(const AbsOptions *options)
{
    return (MachineOptions){.await = options->await,
                            .dependence = options->dependence,
                            .max_heap = MOST_HEAP,
                            .max_fuel = MOST_FUEL,
                            .max_loop = options->max_loop,
                            .max_switches = options->max_switches,
                            .max_objects = options->max_objects,
                            .max_chain = options->max_chain,
                            .max_recursion = options->max_recursion,
                            .whole_bounds = options->whole_bounds,
                            .keep_output = options->keep_output,
                            .keep_values = options->keep_values,
                            .solver = options->solver,
                            .plain_inputs = options->plain_inputs,
                            .ignore_schedulers = options->tasks != TASKS_MODEL,
                            .ignore_resources = options->resources == RESOURCES_IGNORE,
                            .free_delays = options->time == TIME_FREE,
                            .max_clock = options->max_clock};
}

static bool has_tests(const Model *model)
{
    for (uint32_t i = 0; i < model->modules.count; i++)
        if (module_is_test(model->modules.items[i]))
            return true;
    return false;
}

static AbsProgram *create(Model *model, const AbsOptions *options, Text *diagnostics, Error *error)
{
    ModuleDecl *main = check_find_main(model);
    Image *image = NULL;
    diags_print(&model->diags, &model->sources, diagnostics);
    if (diags_prevent_run(&model->diags))
        error_set(error, EXIT_USAGE, "the model has errors");
    else if (!main && !options->without_main)
        error_set(error, EXIT_USAGE, "the model has no main block%s",
                  has_tests(model) ? " but those of tests, which `sennit test-suite` runs" : "");
    else
        image = image_create(model, main, error);
    if (!image) {
        model_destroy(model);
        return NULL;
    }
    AbsProgram *self = mem_alloc(sizeof *self);
    MachineOptions machine = machine_options(options);
    *self = (AbsProgram){.program = {.ops = &OPS}, .model = model, .image = image, .options = *options};
    self->machine = machine_create(image, &machine);
    return self;
}

AbsProgram *program_abs_create(const char *const *paths, uint32_t count, const AbsOptions *options, Text *diagnostics,
                               Error *error)
{
    Model *model = check_files(paths, count, &options->reading, error);
    return model ? create(model, options, diagnostics, error) : NULL;
}

AbsProgram *program_abs_create_text(const char *name, const char *text, size_t size, const AbsOptions *options,
                                    Text *diagnostics, Error *error)
{
    return create(check_text(name, text, size, &options->reading), options, diagnostics, error);
}

void program_abs_destroy(AbsProgram *self)
{
    if (!self)
        return;
    task_cycles_release(self);
    program_abs_set_stability(self, NULL);
    execution_destroy(self->single);
    machine_destroy(self->machine);
    image_destroy(self->image);
    model_destroy(self->model);
    map_release(&self->described);
    free(self);
}

void program_abs_configure(AbsProgram *self, const AbsOptions *options)
{
    self->options = *options;
    self->machine->options = machine_options(options);
}

void program_abs_fix_inputs(AbsProgram *self, const InputValue *values, uint32_t count)
{
    if (self->machine->inputs)
        inputs_fix(self->machine->inputs, values, count);
}

Program *program_abs_program(AbsProgram *self) { return &self->program; }
void program_abs_observe(AbsProgram *self, AbsObserver *observer) { self->observer = observer; }

void program_abs_keep_values(AbsProgram *self, bool keep)
{
    self->machine->options.keep_values = self->machine->options.keep_output = keep;
}

void program_abs_mark(AbsProgram *self, struct Marks *marks) { self->machine->marks = marks; }
void program_abs_cover(AbsProgram *self, uint8_t *covered) { self->machine->covered = covered; }

Execution *program_abs_execution(AbsProgram *self)
{
    if (!self->single)
        self->single = execution_create(&self->program);
    execution_reset(self->single);
    self->single->plan_length = 0;
    return self->single;
}

void program_abs_set_clock(AbsProgram *self, bool (*may_continue)(void *context), void *context)
{
    self->machine->may_continue = may_continue;
    self->machine->may_continue_context = context;
}

void program_abs_trace_code(AbsProgram *self, struct Map *executed) { self->machine->executed = executed; }

const Machine *program_abs_machine(const AbsProgram *self) { return self->machine; }
const char *program_abs_output(const AbsProgram *self) { return text_borrow(&self->machine->output); }

const char *program_abs_unsupported(const AbsProgram *self, uint64_t *site)
{
    *site = self->machine->unsupported_site;
    return self->machine->unsupported;
}

void program_abs_set_killers(AbsProgram *self, Killers *killers)
{
    if (self->killers)
        self->killers->destroy(self->killers);
    self->killers = killers;
}

void program_abs_set_stability(AbsProgram *self, Stability *stability)
{
    if (self->stability)
        self->stability->destroy(self->stability);
    self->stability = stability;
}

void program_abs_set_start(AbsProgram *self, const struct StartState *start)
{
    machine_set_start(self->machine, start);
}
Model *program_abs_model(AbsProgram *self) { return self->model; }
