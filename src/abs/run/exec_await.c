/* exec_await.c - instructions that wait: get, await, suspend */
#include "abs/run/clock.h"
#include "abs/run/component.h"
#include "abs/run/exec_internal.h"
#include "abs/run/footprint.h"
#include "abs/run/guard.h"
#include "abs/run/symbol.h"
#include "abs/run/turn.h"
#include "abs/run/unknown.h"

/* ---- get ------------------------------------------------------------------------------- */

const Instr *exec_block(Machine *machine, const Instr *instr, AgentId wanted)
{
    Task *task = machine->task;
    task->state = TASK_GET;
    task->wanted = wanted;
    machine->frame->pc = instr;
    task->site = machine_site(machine->frame->code, instr);
    return NULL;
}

/* Knowledge obtained through conflicting accesses can differ in another order of the steps; the end of a task that
 * this step created is unknown in every order. */
static bool future_resolved(Machine *machine, AgentId wanted, bool literal)
{
    literal |= machine->options.await == AWAIT_LITERAL || machine->options.dependence == DEPENDENCE_EXACT;
    if (literal && !knowledge_has(machine->given, wanted))
        footprint_read_end(machine, wanted);
    if (literal && task_is_over(&machine->tasks[wanted]))
        machine_learn(machine, machine->task, wanted);
    if (knowledge_has(machine->given, wanted))
        return true;
    machine->asked |= machine->tasks[wanted].created_stamp != machine->stamp;
    return machine_knows(machine->task, wanted);
}

/* Even if the future is resolved the step ends here, unless the task knows it: so the step that resolves it need not
 * be ordered with this one. */
const Instr *exec_GET(Machine *machine, Value *registers, const Instr *instr)
{
    Value future = registers[instr->b];
    machine->frame->pc = instr;
    if (value_tag(future) != TAG_FUTURE)
        return machine_throw(machine, instr, machine->image->null_pointer);
    AgentId wanted = value_number(future);
    if (!future_resolved(machine, wanted, false))
        return exec_block(machine, instr, wanted);
    Task *task = &machine->tasks[wanted];
    return machine_take_result(machine, task, instr);
}

/* ---- await, suspend ----------------------------------------------------------------------- */

static const Instr *suspend(Machine *machine, const Instr *instr, TaskState state)
{
    Task *task = machine->task;
    task->state = (uint8_t)state;
    task->site = machine_site(machine->frame->code, instr);
    machine->frame->pc = instr + 1;
    return NULL;
}

static bool read_condition(Machine *machine, const Guarding *guard, Value *raised)
{
    ModelObject *object = &machine->objects[machine->frame->object];
    for (uint32_t i = 0; i < guard->input_count; i++)
        if (guard->inputs[i].kind == INPUT_FIELD)
            footprint_read_field(machine, object, guard->inputs[i].number, true);
    if (guard->reads_clock)
        footprint_read_clock(machine);
    machine->task->guard = guard;
    machine->task->frame = machine->frame;
    return guard_holds_now(machine, machine->task, raised);
}

/* In a cog with a scheduler it matters at once which futures are resolved: others may be chosen if one is not. */
const Instr *exec_AWAIT(Machine *machine, Value *registers, const Instr *instr)
{
    const Guarding *guard = instr->x.guard;
    bool holds = machine->options.await != AWAIT_RELEASE;
    Value raised = VALUE_NONE;
    for (uint32_t i = 0; i < guard->future_count; i++)
        if (value_tag(registers[guard->futures[i]]) != TAG_FUTURE)
            return machine_throw(machine, instr, machine->image->null_pointer);
    bool scheduled = turn_is_scheduled(machine, machine->task->cog);
    for (uint32_t i = 0; (holds || scheduled) && i < guard->future_count; i++)
        holds &= future_resolved(machine, value_number(registers[guard->futures[i]]), scheduled);
    clock_forget_delay(machine->task);
    if (guard->delays && clock_delay(machine, machine->task, registers[guard->least], registers[guard->most]))
        holds = false;
    bool decides = machine->has_inputs && guard->condition, before = machine->task->holds;
    if ((holds || decides) && guard->condition) {
        bool condition = read_condition(machine, guard, &raised);
        machine_cover(machine, guard->decision, condition);
        holds = holds && condition;
        machine->task->holds = condition;
        machine->task->raised = raised;
    }
    if (!holds && decides)
        raised = VALUE_NONE; /* it will be thrown when the task continues */
    if (raised != VALUE_NONE)
        return machine_throw(machine, instr, raised);
    if (holds)
        return instr + 1;
    machine->task->guard = guard;
    machine->task->guard_known = false;
    if (decides)
        footprint_write_guard(machine, machine->task, before);
    return suspend(machine, instr, TASK_AWAIT);
}

const Instr *exec_DURATION(Machine *machine, Value *registers, const Instr *instr)
{
    clock_forget_delay(machine->task);
    if (!clock_delay(machine, machine->task, registers[instr->b], registers[instr->c]))
        return instr + 1;
    return suspend(machine, instr, TASK_DELAY);
}

/* The step ends where a resource is asked for: whether other tasks of the component come first matters. */
const Instr *exec_COST(Machine *machine, Value *registers, const Instr *instr)
{
    uint32_t receiver = instr->a ? value_number(registers[instr->a - 1]) : 0;
    if (!component_limits(machine, (CapacityKind)instr->c, receiver))
        return instr + 1;
    machine->task->amount = symbol_concretise(machine, registers[instr->b]);
    machine->task->resource = (uint8_t)instr->c;
    if (number_sign(machine->task->amount) < 1) {
        machine->task->amount = VALUE_NONE;
        return instr + 1;
    }
    return suspend(machine, instr, TASK_COST);
}

const Instr *exec_COMPONENT(Machine *machine, Value *registers, const Instr *instr)
{
    machine->new_component = value_number(registers[instr->b]);
    return instr + 1;
}

const Instr *exec_MOVE_COG(Machine *machine, Value *registers, const Instr *instr)
{
    uint32_t component = value_number(unknown_known(machine, registers[instr->b]));
    if (!component)
        return machine_throw(machine, instr, machine->image->null_pointer);
    footprint_write_place(machine, machine->task->cog, component);
    machine->objects[machine->task->cog].component = component;
    return instr + 1;
}

const Instr *exec_SCHEDULER(Machine *machine, Value *registers, const Instr *instr)
{
    (void)registers;
    machine->new_scheduler = instr->x.guard;
    return instr + 1;
}

const Instr *exec_DEADLINE(Machine *machine, Value *registers, const Instr *instr)
{
    machine->call_deadline = clock_deadline(machine, registers[instr->b]);
    return instr + 1;
}

const Instr *exec_SUSPEND(Machine *machine, Value *registers, const Instr *instr)
{
    (void)registers;
    return suspend(machine, instr, TASK_READY);
}
