/* exec_object.c - instructions on objects, tasks and futures */
#include "abs/run/exec_internal.h"
#include "abs/run/footprint.h"
#include "abs/run/guard.h"
#include "abs/run/inputs.h"
#include "abs/run/symbol.h"
#include "abs/run/unknown.h"

/* ---- Fields ------------------------------------------------------------------------- */

const Instr *exec_THIS(Machine *machine, Value *registers, const Instr *instr)
{
    registers[instr->a] = value_object(machine->frame->object);
    return instr + 1;
}

const Instr *exec_DESTINY(Machine *machine, Value *registers, const Instr *instr)
{
    registers[instr->a] = value_future(machine->task ? machine->task->id : 0);
    return instr + 1;
}

const Instr *exec_LOAD(Machine *machine, Value *registers, const Instr *instr)
{
    ModelObject *object = &machine->objects[machine->frame->object];
    footprint_read_field(machine, object, instr->b,
                         instr->c == 0 || machine->frame->caller || machine->options.max_loop);
    registers[instr->a] = object->fields[instr->b];
    return instr + 1;
}

const Instr *exec_STORE(Machine *machine, Value *registers, const Instr *instr)
{
    ModelObject *object = &machine->objects[machine->frame->object];
    Value value = registers[instr->a];
    footprint_write_field(machine, object, instr->b, value);
    object->fields[instr->b] = value;
    object->version++;
    return instr + 1;
}

const Instr *exec_INPUT(Machine *machine, Value *registers, const Instr *instr)
{
    registers[instr->a] = inputs_declare(machine, instr->x.text, registers[instr->b]);
    return instr + 1;
}

/* ---- Creation -------------------------------------------------------------------------- */

void machine_init_object(Machine *machine, uint32_t number, const ClassCode *class)
{
    ModelObject *object = &machine->objects[number];
    *object = (ModelObject){.class = class, .cog = number, .holder = AGENT_NONE, .created_stamp = machine->stamp,
                       .creation = machine->frame->code, .creator = machine->frame->object,
                       .creation_at = (uint32_t)(machine->frame->pc - machine->frame->code->instrs),
                       .name = names_object_name(machine->names, number)->hash};
    object->fields = arena_alloc(&machine->heap, class->field_count * sizeof(Value));
    object->marks = arena_zero(&machine->heap, class->field_count * sizeof(uint64_t));
    object->field_slots = arena_zero(&machine->heap, class->field_count * sizeof(KnowledgeSlot));
    for (uint32_t i = 0; i < class->field_count; i++)
        object->fields[i] = VALUE_NULL;
    VEC_PUSH(&machine->live, number);
}

static uint32_t add_object(Machine *machine, const ClassCode *class, bool local)
{
    Task *task = machine->task;
    uint32_t number = names_object(machine->names, task->id, ++task->objects);
    if (!number) {
        machine->out_of_room = true;
        return 0;
    }
    ModelObject *object = &machine->objects[number];
    machine_init_object(machine, number, class);
    object->local = local;
    if (local)
        object->cog = machine->objects[machine->frame->object].cog;
    return number;
}

/* An init block that may wait is a task that holds the new cog from the beginning. */
static bool start_init_task(Machine *machine, uint32_t object, const ClassCode *class, const Value *args)
{
    Task *task = machine_add_task(machine, object, class->init, args, class->param_count);
    if (!task)
        return false;
    task->state = TASK_INIT;
    machine->objects[object].holder = task->id;
    return true;
}

static const Instr *create(Machine *machine, Value *registers, const Instr *instr, bool local)
{
    const ClassCode *class = instr->x.class;
    const Value *args = registers + instr->b;
    machine->frame->pc = instr;
    if (!bounds_create(machine, instr))
        return machine_stop(machine, CUT_OBJECTS);
    uint32_t object = add_object(machine, class, local);
    if (!object)
        return machine_stop(machine, CUT_ROOM);
    registers[instr->a] = value_object(object);
    if (class->init_may_wait && !local)
        return start_init_task(machine, object, class, args) ? instr + 1 : machine_stop(machine, CUT_ROOM);
    return machine_enter(machine, class->init, object, args, instr->c);
}

const Instr *exec_NEW(Machine *machine, Value *registers, const Instr *instr)
{
    return create(machine, registers, instr, false);
}

const Instr *exec_NEW_LOCAL(Machine *machine, Value *registers, const Instr *instr)
{
    return create(machine, registers, instr, true);
}

/* ---- Calls ------------------------------------------------------------------------------- */

/* Settles the target of a call; false if that exceeds the bound on objects. */
static bool settle_target(Machine *machine, Value *registers, const Instr *instr)
{
    registers[instr->b] = unknown_known(machine, registers[instr->b]);
    return registers[instr->b] != VALUE_NONE;
}

const Instr *exec_ASYNC(Machine *machine, Value *registers, const Instr *instr)
{
    machine->frame->pc = instr;
    if (!settle_target(machine, registers, instr))
        return machine_stop(machine, CUT_OBJECTS);
    uint32_t object = value_number(registers[instr->b]);
    if (!object)
        return machine_throw(machine, instr, machine->image->null_pointer);
    const Code *code = machine->objects[object].class->methods[instr->x.selector];
    const Task *task = machine_add_task(machine, object, code, registers + instr->b + 1, instr->c);
    if (!task)
        return machine_stop(machine, CUT_ROOM);
    registers[instr->a] = value_future(task->id);
    return instr + 1;
}

static const Instr *block(Machine *machine, const Instr *instr, AgentId wanted)
{
    Task *task = machine->task;
    task->state = TASK_GET;
    task->wanted = wanted;
    machine->frame->pc = instr;
    task->site = machine_site(machine->frame->code, instr);
    return NULL;
}

static const Instr *call_inside(Machine *machine, uint32_t number, const Code *code, const Value *args,
                                const Instr *instr)
{
    ModelObject *object = &machine->objects[number];
    if (number != machine->frame->object) {
        footprint_read_life(machine, object);
        if (object->dead)
            return machine_throw(machine, instr, machine->image->object_dead);
    }
    if (!machine_spend(machine))
        return machine_stop(machine, CUT_FUEL);
    return machine_enter(machine, code, number, args, instr->c);
}

const Instr *exec_SYNC(Machine *machine, Value *registers, const Instr *instr)
{
    machine->frame->pc = instr;
    if (!settle_target(machine, registers, instr))
        return machine_stop(machine, CUT_OBJECTS);
    uint32_t number = value_number(registers[instr->b]);
    if (!number)
        return machine_throw(machine, instr, machine->image->null_pointer);
    const ModelObject *object = &machine->objects[number];
    const Code *code = object->class->methods[instr->x.selector];
    if (object->cog == machine->objects[machine->frame->object].cog)
        return call_inside(machine, number, code, registers + instr->b + 1, instr);
    const Task *task = machine_add_task(machine, number, code, registers + instr->b + 1, instr->c);
    return task ? block(machine, instr, task->id) : machine_stop(machine, CUT_ROOM);
}

const Instr *exec_SYNC_SELF(Machine *machine, Value *registers, const Instr *instr)
{
    machine->frame->pc = instr;
    return call_inside(machine, machine->frame->object, instr->x.code, registers + instr->b, instr);
}

/* ---- Waiting ------------------------------------------------------------------------------- */

/* Knowledge obtained through conflicting accesses can differ in another order of the steps; the end of a task that
 * this step created is unknown in every order. */
static bool future_resolved(Machine *machine, AgentId wanted)
{
    bool literal = machine->options.await == AWAIT_LITERAL || machine->options.dependence == DEPENDENCE_EXACT;
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
    if (!future_resolved(machine, wanted))
        return block(machine, instr, wanted);
    Task *task = &machine->tasks[wanted];
    return machine_take_result(machine, task, instr);
}

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
    machine->task->guard = guard;
    machine->task->frame = machine->frame;
    return guard_holds_now(machine, machine->task, raised);
}

const Instr *exec_AWAIT(Machine *machine, Value *registers, const Instr *instr)
{
    const Guarding *guard = instr->x.guard;
    bool holds = machine->options.await != AWAIT_RELEASE;
    Value raised = VALUE_NONE;
    for (uint32_t i = 0; i < guard->future_count; i++)
        if (value_tag(registers[guard->futures[i]]) != TAG_FUTURE)
            return machine_throw(machine, instr, machine->image->null_pointer);
    for (uint32_t i = 0; holds && i < guard->future_count; i++)
        holds = future_resolved(machine, value_number(registers[guard->futures[i]]));
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

const Instr *exec_SUSPEND(Machine *machine, Value *registers, const Instr *instr)
{
    (void)registers;
    return suspend(machine, instr, TASK_READY);
}

/* ---- Ends -------------------------------------------------------------------------------------- */

const Instr *exec_FINISH(Machine *machine, Value *registers, const Instr *instr)
{
    return machine_finish(machine, registers[instr->b]);
}

const Instr *exec_THROW(Machine *machine, Value *registers, const Instr *instr)
{
    return machine_throw(machine, instr, registers[instr->b]);
}

/* No handler of the dying object catches the exception. */
const Instr *exec_DIE(Machine *machine, Value *registers, const Instr *instr)
{
    Value exception = registers[instr->b];
    machine_kill(machine, machine->frame->object);
    return machine_throw_out(machine, instr, exception);
}

const Instr *exec_ASSERT(Machine *machine, Value *registers, const Instr *instr)
{
    if (symbol_decide(machine, registers[instr->b]))
        return instr + 1;
    return machine_throw(machine, instr, machine->image->assertion_failed);
}

const Instr *exec_UNSUPPORTED(Machine *machine, Value *registers, const Instr *instr)
{
    (void)registers;
    if (machine->evaluating)
        return machine_throw(machine, instr, machine->image->no_match);
    const Instr *place = machine->call_count > machine->call_base ? machine->calls[machine->call_base].next - 1 : instr;
    machine->unsupported = instr->x.text;
    machine->unsupported_site = machine_site(machine->frame->code, place);
    machine->frame->pc = place;
    return machine_stop(machine, CUT_NONE);
}
