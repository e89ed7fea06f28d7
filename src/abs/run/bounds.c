/* bounds.c - see bounds.h
 *
 * The counters are resources like fields: a step that changes one writes it, a step that one stops reads it. So the
 * reduction explores the orders that make a difference.
 */
#include "abs/run/bounds.h"

#include "abs/run/exec_internal.h"
#include "base/map.h"

enum { SWITCHES = 0x5317c4, BIRTHS = 0xb1274 };

static Access *find_access(const Machine *machine, uint64_t resource)
{
    const Event *event = &machine->ex->events[machine->ex->event_count - 1];
    for (uint32_t i = 0; i < event->access_count; i++)
        if (machine->ex->accesses[event->first_access + i].resource == resource)
            return &machine->ex->accesses[event->first_access + i];
    return NULL;
}

/* The step read the counter and perhaps changed it. */
static void touch(Machine *machine, uint64_t resource, int64_t before, int64_t after)
{
    Access *access = find_access(machine, resource);
    if (!access) {
        access = execution_add_access(machine->ex);
        *access = (Access){.resource = resource, .before = before, .mask = UINT64_MAX, .lanes = LANES_ALL};
    }
    if (access->mode != MODE_WRITE)
        access->mode = before == after ? MODE_READ : MODE_WRITE;
    access->after = after;
    machine->read_data = true; /* with another value its footprint may differ */
}

/* ---- Task switches ------------------------------------------------------------------- */

static int64_t switch_value(const ModelObject *object)
{
    return (int64_t)object->switches << 32 | object->last_task;
}

bool bounds_switch(Machine *machine)
{
    const Task *task = machine->task;
    ModelObject *object = &machine->objects[task->object];
    if (!machine->options.max_switches || !task->object)
        return true;
    int64_t before = switch_value(object);
    bool changes = object->last_task && object->last_task != task->id + 1;
    bool allowed = !changes || object->switches < machine->options.max_switches;
    if (allowed) {
        object->switches += changes;
        object->last_task = task->id + 1;
    }
    touch(machine, map_mix(object->name, SWITCHES), before, switch_value(object));
    return allowed;
}

/* ---- Chains of tasks ----------------------------------------------------------------- */

static bool within_chain(const Machine *machine, const Task *task)
{
    uint64_t most = machine->options.max_chain, count = 0;
    for (const Task *t = task; most && t; ) {
        AgentId creator = names_task_name(machine->names, t->id)->creator;
        count += t->object == task->object && !(machine->start && creator == 0);
        t = t->id == 0 || creator == AGENT_NONE ? NULL : &machine->tasks[creator];
    }
    return count <= most;
}

static bool begins_initially(const Machine *machine, const Event *event)
{
    return machine->start && event->index == 0 && names_task_name(machine->names, event->agent)->creator == 0;
}

bool bounds_step(Machine *machine, const Task *task, bool begins)
{
    const Execution *ex = machine->ex;
    ModelObject *object = &machine->objects[task->object];
    if (!machine->options.whole_bounds)
        return !begins || within_chain(machine, task);
    object->steps += !begins_initially(machine, &ex->events[ex->event_count - 1]);
    return !machine->options.max_chain || !task->object || object->steps <= machine->options.max_chain;
}

bool bounds_exceeded_steps(const Machine *machine, uint64_t most)
{
    const Execution *ex = machine->ex;
    for (uint32_t i = 0; most && i < machine->live.count; i++) {
        uint64_t count = 0;
        for (uint32_t e = 0; e < ex->event_count; e++)
            count += machine->tasks[ex->events[e].agent].object == machine->live.items[i] &&
                     !begins_initially(machine, &ex->events[e]);
        if (count > most)
            return true;
    }
    return false;
}

/* ---- Objects ----------------------------------------------------------------------------- */

static Births *find_births(Machine *machine, const Instr *place)
{
    for (uint32_t i = 0; i < machine->births.count; i++)
        if (machine->births.items[i].place == place)
            return &machine->births.items[i];
    uint64_t resource = map_mix(machine_site(machine->frame->code, place), BIRTHS);
    VEC_PUSH(&machine->births, ((Births){.place = place, .resource = resource}));
    return &machine->births.items[machine->births.count - 1];
}

static bool count_birth(Machine *machine, const Instr *instr, bool is_new)
{
    if (!machine->options.max_objects)
        return true;
    Births *births = find_births(machine, instr);
    bool allowed = !is_new || births->count < machine->options.max_objects;
    uint32_t before = births->count;
    births->count += is_new && allowed;
    if (!machine->options.whole_bounds)
        touch(machine, births->resource, before, births->count);
    return allowed;
}

bool bounds_create(Machine *machine, const Instr *instr) { return count_birth(machine, instr, true); }

bool bounds_find(Machine *machine, const Instr *instr, uint32_t object)
{
    for (uint32_t i = 0; i < machine->finds.count; i++)
        if (machine->finds.items[i].place == instr && machine->finds.items[i].object == object)
            return count_birth(machine, instr, false);
    VEC_PUSH(&machine->finds, ((Find){instr, object}));
    return count_birth(machine, instr, true);
}

bool bounds_counts_births(const Machine *machine, uint64_t resource)
{
    for (uint32_t i = 0; i < machine->births.count; i++)
        if (machine->births.items[i].resource == resource)
            return true;
    return false;
}

/* ---- Loops -------------------------------------------------------------------------------- */

const Instr *exec_ITERATE(Machine *machine, Value *registers, const Instr *instr)
{
    if (!machine->options.max_loop)
        return instr + 1;
    uint64_t count = (uint64_t)value_int(registers[instr->a]);
    machine->frame->pc = instr;
    if (count >= machine->options.max_loop)
        return machine_stop(machine, CUT_LOOP);
    registers[instr->a] = value_from_int((int64_t)count + 1);
    return instr + 1;
}
