/* exec_object.c - instructions on objects and tasks: fields, creation, calls, ends */
#include "abs/run/exec_internal.h"
#include "abs/run/footprint.h"
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
    registers[instr->a] = inputs_declare(machine, instr->x.input, registers[instr->b]);
    return instr + 1;
}

/* ---- Creation -------------------------------------------------------------------------- */

void machine_init_object(Machine *machine, uint32_t number, const ClassCode *class)
{
    ModelObject *object = &machine->objects[number];
    *object = (ModelObject){.class = class, .cog = number, .holder = AGENT_NONE, .killer = AGENT_NONE,
                       .created_stamp = machine->stamp,
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

/* Objects in the cog of another one share its scheduler. */
static void set_scheduler(Machine *machine, ModelObject *object, bool local)
{
    const Guarding *scheduler = machine->new_scheduler ? machine->new_scheduler : object->class->scheduler;
    machine->new_scheduler = NULL;
    object->turn = AGENT_NONE;
    object->scheduler =
        !local && scheduler && scheduler->condition && !machine->options.ignore_schedulers ? scheduler : NULL;
}

static uint32_t add_object(Machine *machine, const ClassCode *class, bool local)
{
    Task *task = machine->task;
    uint32_t number = names_object(machine->names, task->id, ++task->objects);
    if (!number) {
        execution_cut(machine->ex, CUT_ROOM);
        return 0;
    }
    ModelObject *object = &machine->objects[number];
    machine_init_object(machine, number, class);
    object->local = local;
    uint32_t cog = machine->objects[machine->frame->object].cog;
    if (!local && !machine->new_component)
        footprint_read_place(machine, cog);
    object->component = machine->new_component ? machine->new_component : machine->objects[cog].component;
    machine->new_component = 0;
    set_scheduler(machine, object, local);
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

/* With a bound on loops: how often the method called itself on the way here, where inputs decided something between. */
static uint32_t count_turns(const Machine *machine, const Code *code)
{
    const Frame *frame = machine->options.max_loop && machine->has_inputs ? machine->frame : NULL;
    while (frame && frame->code != code)
        frame = frame->caller;
    return frame ? frame->turns + (frame->decisions != machine->decisions) : 0;
}

static const Instr *call_dead(Machine *machine, const ModelObject *object, const Instr *instr)
{
    const Instr *next = machine_throw(machine, instr, machine->image->object_dead);
    machine->task->failure_from = object->killer;
    return next;
}

static const Instr *call_inside(Machine *machine, uint32_t number, const Code *code, const Value *args,
                                const Instr *instr)
{
    ModelObject *object = &machine->objects[number];
    if (number != machine->frame->object) {
        footprint_read_life(machine, object);
        if (object->dead)
            return call_dead(machine, object, instr);
    }
    uint32_t turns = count_turns(machine, code);
    if (!machine_spend(machine))
        return machine_stop(machine, CUT_FUEL);
    if (turns > machine->options.max_loop)
        return machine_stop(machine, CUT_LOOP);
    const Instr *next = machine_enter(machine, code, number, args, instr->c);
    machine->frame->turns = turns;
    machine->frame->decisions = machine->decisions;
    return next;
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
    return task ? exec_block(machine, instr, task->id) : machine_stop(machine, CUT_ROOM);
}

const Instr *exec_SYNC_SELF(Machine *machine, Value *registers, const Instr *instr)
{
    machine->frame->pc = instr;
    return call_inside(machine, machine->frame->object, instr->x.code, registers + instr->b, instr);
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

/* For the report: the values of the reads, in their order. */
static const Value *keep_reads(Machine *machine, const Value *registers, const AssertReads *reads)
{
    const ModelObject *object = &machine->objects[machine->frame->object];
    Value *values = arena_alloc(&machine->heap, (reads->count + 1) * sizeof *values);
    for (uint32_t i = 0; i < reads->count; i++)
        values[i] = reads->items[i].is_field ? object->fields[reads->items[i].number]
                                             : registers[reads->items[i].number];
    return values;
}

const Instr *exec_ASSERT(Machine *machine, Value *registers, const Instr *instr)
{
    if (symbol_decide(machine, registers[instr->b]))
        return instr + 1;
    machine->task->asserted = instr->x.reads;
    if (machine->options.keep_values && instr->x.reads)
        machine->task->asserted_values = keep_reads(machine, registers, instr->x.reads);
    return machine_throw(machine, instr, machine->image->assertion_failed);
}

const Instr *exec_UNSUPPORTED(Machine *machine, Value *registers, const Instr *instr)
{
    (void)registers;
    if (machine->evaluating) {
        machine_refuse(machine, instr->x.text);
        return machine_throw(machine, instr, machine->image->no_match);
    }
    const Instr *place = machine->call_count > machine->call_base ? machine->calls[machine->call_base].next - 1 : instr;
    machine->unsupported = instr->x.text;
    machine->unsupported_site = machine_site(machine->frame->code, place);
    machine->frame->pc = place;
    return machine_stop(machine, CUT_NONE);
}

const Instr *exec_QUERY(Machine *machine, Value *registers, const Instr *instr)
{
    if (machine->evaluating) {
        machine_refuse(machine, "a query in the condition of an await, or in a scheduler");
        return machine_throw(machine, instr, machine->image->no_match);
    }
    registers[instr->a] = inputs_query(machine, instr->x.input, &registers[instr->b], instr->c);
    return instr + 1;
}
