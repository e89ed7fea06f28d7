/* clock.c - see clock.h */
#include "abs/run/clock.h"

#include "abs/run/component.h"
#include "abs/run/footprint.h"
#include "abs/run/symbol.h"

enum {
    CLOCK_NTH = 0,    /* among the children of the main block: the tasks begin with 1 */
    MOST_DELAYS = 256 /* of one duration, with free_delays                            */
};

/* ---- Times, which may be symbolic ------------------------------------------------------ */

static bool is_symbolic(const Machine *machine, Value a, Value b)
{
    return machine->has_inputs && (value_is_symbol(a) || value_is_symbol(b));
}

static Value combine(Machine *machine, NumberOp op, Value a, Value b)
{
    return is_symbolic(machine, a, b) ? symbol_apply(machine, op, a, b) : number_apply(machine->arena, op, a, b);
}

static bool is_less(Machine *machine, Value a, Value b)
{
    if (is_symbolic(machine, a, b))
        return symbol_decide(machine, symbol_order(machine, SYMBOL_LT, a, b));
    return number_compare(a, b) < 0;
}

Value clock_now(Machine *machine)
{
    if (machine->supposing)
        return machine->supposed_now;
    if (!machine->evaluating && machine->task)
        footprint_read_clock(machine);
    return machine->now;
}

/* ---- Waiting ------------------------------------------------------------------------------ */

void clock_forget_delay(Task *task)
{
    task->delayed = false;
    task->moment = 0;
}

/* With free_delays: the least, whole numbers of units more, and the most, as a choice of the step. */
static Value choose_delay(Machine *machine, Value least, Value most)
{
    Arena *arena = machine->arena;
    least = symbol_concretise(machine, least);
    most = symbol_concretise(machine, most);
    Value span = number_truncate(arena, number_apply(arena, NUMBER_SUB, most, least));
    uint32_t count = value_is_int(span) && value_int(span) < MOST_DELAYS ? (uint32_t)value_int(span) + 1 : MOST_DELAYS;
    Value last = number_apply(arena, NUMBER_ADD, least, value_from_int(count - 1));
    uint32_t options = count + (number_compare(last, most) < 0);
    uint32_t taken = options > 1 ? execution_choose(machine->ex, options) : 0;
    machine->diverged |= taken == UINT32_MAX;
    return taken < count ? number_apply(arena, NUMBER_ADD, least, value_from_int(taken)) : most;
}

/* If the most is less than the least, it is both. */
bool clock_delay(Machine *machine, Task *task, Value least, Value most)
{
    if (is_less(machine, most, least))
        least = most;
    if (machine->options.free_delays && least != most)
        least = most = choose_delay(machine, least, most);
    if (!is_less(machine, value_from_int(0), least))
        return false;
    task->earliest = combine(machine, NUMBER_ADD, machine->now, least);
    task->latest = least == most ? task->earliest : combine(machine, NUMBER_ADD, machine->now, most);
    task->delayed = true;
    return true;
}

Value clock_deadline(Machine *machine, Value duration)
{
    if (!value_is_kind(duration, CELL_DATA))
        return VALUE_NONE; /* InfDuration */
    return combine(machine, NUMBER_ADD, machine->now, value_cell(duration)->args[0]);
}

Value clock_time_left(Machine *machine, const Task *task)
{
    if (!task || task->deadline == VALUE_NONE)
        return value_from_int(-1);
    Value left = combine(machine, NUMBER_SUB, task->deadline, clock_now(machine));
    return is_less(machine, left, value_from_int(0)) ? value_from_int(0) : left;
}

/* ---- Advancing ------------------------------------------------------------------------------ */

void clock_reset(Machine *machine)
{
    machine->now = machine->supposed_now = value_from_int(0);
    machine->moment = machine->clock_read = 0;
    machine->call_deadline = VALUE_NONE;
    machine->clock_slot = (KnowledgeSlot){0};
    machine->clock = machine->image->timed ? names_task(machine->names, 0, CLOCK_NTH) : AGENT_NONE;
    machine->starving.count = machine->new_component = 0;
    machine->new_scheduler = NULL;
    if (machine->clock == AGENT_NONE)
        return;
    machine_announce(machine, machine->clock, AGENT_NONE);
    machine->tasks[machine->clock] = (Task){.id = machine->clock, .state = TASK_CLOCK, .code = machine->image->main,
                                            .failure_from = AGENT_NONE, .deadline = VALUE_NONE, .amount = VALUE_NONE};
}

/* Waits for the clock, and could continue if time passed: no other task keeps its cog. */
static bool is_waiting(const Machine *machine, const Task *task)
{
    AgentId holder = machine->objects[task->cog].holder;
    return task->delayed && (task->state == TASK_DELAY || task->state == TASK_AWAIT) &&
           (holder == AGENT_NONE || holder == task->id) &&
           (task->amount == VALUE_NONE || component_can_give(machine, task));
}

/* Whose turn it is in a cog with a scheduler is decided after the clock's step: someone's, if a task could run. */
static bool could_step(Machine *machine, Task *task)
{
    bool queued = task->state == TASK_NEW || task->state == TASK_READY || task->state == TASK_AWAIT;
    return queued ? machine->objects[task->cog].holder == AGENT_NONE && machine_could_run(machine, task)
                  : machine_ready(machine, task->id);
}

/* Does it keep the time from passing? A task that a bound stopped, or that repeats a step without effect, would take a
 * step at this moment. */
static bool stops_clock(Machine *machine, Task *task)
{
    bool idles = task->state == TASK_READY && task->idle && machine->objects[task->cog].holder == AGENT_NONE;
    return task->state == TASK_STOPPED || idles || (task->state != TASK_CLOCK && could_step(machine, task));
}

static bool is_quiet(Machine *machine)
{
    for (AgentId agent = 0; agent < machine->task_count; agent++)
        if (stops_clock(machine, &machine->tasks[agent]))
            return false;
    return true;
}

static bool has_waiting(const Machine *machine)
{
    for (AgentId agent = 0; agent < machine->task_count; agent++)
        if (is_waiting(machine, &machine->tasks[agent]))
            return true;
    return false;
}

bool clock_is_due(Machine *machine) { return has_waiting(machine) && is_quiet(machine); }

/* For a task that waits for resources: the next unit of time begins. */
static Value end_of(Machine *machine, const Task *task)
{
    if (task->amount == VALUE_NONE)
        return task->latest;
    Value now = symbol_concretise(machine, machine->now);
    return number_apply(machine->arena, NUMBER_ADD, number_truncate(machine->arena, now), value_from_int(1));
}

/* The largest time at which no task has waited for too long. */
static Value find_next(Machine *machine)
{
    Value next = VALUE_NONE;
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        const Task *task = &machine->tasks[agent];
        if (!is_waiting(machine, task))
            continue;
        Value end = end_of(machine, task);
        if (next == VALUE_NONE || is_less(machine, end, next))
            next = end;
    }
    return next;
}

static void wake_tasks(Machine *machine)
{
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        Task *task = &machine->tasks[agent];
        bool waits = task->delayed && (task->state == TASK_DELAY || task->state == TASK_AWAIT) &&
                     task->amount == VALUE_NONE;
        if (waits && !is_less(machine, machine->now, task->earliest)) {
            task->delayed = false;
            task->moment = machine->moment;
        }
    }
}

/* At the bound: what waits for a later time never continues. */
static void stop_waiting(Machine *machine)
{
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        Task *task = &machine->tasks[agent];
        if (!task->delayed || (task->state != TASK_DELAY && task->state != TASK_AWAIT))
            continue;
        task->keeps = task->state == TASK_DELAY;
        task->state = TASK_STOPPED;
    }
    execution_cut(machine->ex, CUT_CLOCK);
}

static bool is_allowed(Machine *machine, Value next)
{
    return !machine->options.max_clock ||
           !is_less(machine, value_from_int((int64_t)machine->options.max_clock), next);
}

/* A task whose time has come may still wait for something else: then more time passes. */
static void advance(Machine *machine)
{
    do {
        Value next = find_next(machine);
        if (!is_allowed(machine, next)) {
            stop_waiting(machine);
            return;
        }
        Value before = machine->now;
        machine->now = next;
        component_account(machine, before);
        wake_tasks(machine);
        if (machine->has_inputs)
            machine_decide_guards(machine, true);
    } while (is_quiet(machine) && has_waiting(machine));
}

void clock_step(Machine *machine)
{
    Task *clock = &machine->tasks[machine->clock];
    Value before = machine->now;
    machine->task = clock;
    footprint_begin_clock(machine, clock);
    machine->moment++;
    advance(machine);
    footprint_end_clock(machine, clock, before);
    machine->task = NULL;
}
