/* component.c - see component.h */
#include "abs/run/component.h"

#include "abs/run/footprint.h"
#include "abs/run/symbol.h"

/* ---- Accounts -------------------------------------------------------------------------- */

static Value get(const Machine *machine, const ModelObject *component, CapacityKind kind, AccountField field)
{
    return component->fields[machine->image->accounts[kind][field]];
}

static void set(Machine *machine, ModelObject *component, CapacityKind kind, AccountField field, Value value)
{
    uint32_t index = machine->image->accounts[kind][field];
    footprint_write_field(machine, component, index, value);
    component->fields[index] = value;
    component->version++;
}

/* The amount in Fin(amount); VALUE_NONE for InfRat. */
static Value amount_of(Value amount)
{
    return value_is_kind(amount, CELL_DATA) ? value_cell(amount)->args[0] : VALUE_NONE;
}

static Value cons(Machine *machine, Value head, Value tail)
{
    Value args[] = {head, tail};
    return value_make_data(&machine->context, machine->arena, machine->image->cons, args, 2);
}

static ModelObject *component_of(const Machine *machine, const Task *task)
{
    return &machine->objects[machine->objects[task->cog].component];
}

/* ---- Asking ---------------------------------------------------------------------------------- */

bool component_limits(Machine *machine, CapacityKind kind, uint32_t receiver)
{
    const Task *task = machine->task;
    uint32_t number = machine->objects[task->cog].component;
    if (machine->options.ignore_resources)
        return false;
    footprint_read_place(machine, task->cog);
    if (!number)
        return false;
    if (receiver)
        footprint_read_place(machine, machine->objects[receiver].cog);
    if (receiver && machine->objects[machine->objects[receiver].cog].component == number)
        return false;
    return amount_of(get(machine, component_of(machine, task), kind, ACCOUNT_TOTAL)) != VALUE_NONE;
}

/* Gives what there is, and what is missing to `task->amount`; VALUE_NONE there if nothing is. */
static void give(Machine *machine, ModelObject *component, Task *task)
{
    CapacityKind kind = (CapacityKind)task->resource;
    Arena *arena = machine->arena;
    Value used = get(machine, component, kind, ACCOUNT_USED);
    Value total = amount_of(get(machine, component, kind, ACCOUNT_TOTAL));
    Value left = number_apply(arena, NUMBER_SUB, total, used);
    bool enough = number_compare(task->amount, left) <= 0;
    Value given = enough ? task->amount : number_sign(left) > 0 ? left : value_from_int(0);
    set(machine, component, kind, ACCOUNT_USED, number_apply(arena, NUMBER_ADD, used, given));
    task->amount = enough ? VALUE_NONE : number_apply(arena, NUMBER_SUB, task->amount, given);
}

bool component_ask(Machine *machine, Task *task)
{
    machine->read_data = true;
    give(machine, component_of(machine, task), task);
    if (task->amount == VALUE_NONE)
        return true;
    task->state = TASK_DELAY;
    task->delayed = true;
    task->moment = 0;
    VEC_PUSH(&machine->starving, task->id);
    return false;
}

/* ---- Time passes -------------------------------------------------------------------------------- */

bool component_can_give(const Machine *machine, const Task *task)
{
    Value next = amount_of(get(machine, component_of(machine, task), (CapacityKind)task->resource, ACCOUNT_NEXT));
    return next == VALUE_NONE || number_sign(next) > 0;
}

static void close_account(Machine *machine, ModelObject *component, CapacityKind kind)
{
    Value total = get(machine, component, kind, ACCOUNT_TOTAL);
    if (amount_of(total) == VALUE_NONE)
        return;
    set(machine, component, kind, ACCOUNT_USES,
        cons(machine, get(machine, component, kind, ACCOUNT_USED), get(machine, component, kind, ACCOUNT_USES)));
    set(machine, component, kind, ACCOUNT_TOTALS,
        cons(machine, amount_of(total), get(machine, component, kind, ACCOUNT_TOTALS)));
    set(machine, component, kind, ACCOUNT_USED, value_from_int(0));
    set(machine, component, kind, ACCOUNT_TOTAL, get(machine, component, kind, ACCOUNT_NEXT));
}

/* Those that come first get all they need before the next one gets anything. */
static void serve(Machine *machine)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < machine->starving.count; i++) {
        Task *task = &machine->tasks[machine->starving.items[i]];
        if (task->state != TASK_DELAY || task->amount == VALUE_NONE)
            continue;
        give(machine, component_of(machine, task), task);
        if (task->amount != VALUE_NONE) {
            machine->starving.items[kept++] = task->id;
            continue;
        }
        task->delayed = false;
        task->moment = machine->moment;
    }
    machine->starving.count = kept;
}

void component_account(Machine *machine, Value before)
{
    if (!machine->image->component)
        return;
    Value from = number_truncate(machine->arena, symbol_concretise(machine, before));
    Value to = number_truncate(machine->arena, symbol_concretise(machine, machine->now));
    for (; number_compare(from, to) < 0; from = number_apply(machine->arena, NUMBER_ADD, from, value_from_int(1))) {
        for (uint32_t i = 0; i < machine->live.count; i++) {
            ModelObject *object = &machine->objects[machine->live.items[i]];
            for (uint32_t kind = 0; object->class == machine->image->component && kind < CAPACITY_KINDS; kind++)
                close_account(machine, object, (CapacityKind)kind);
        }
        serve(machine);
    }
}
