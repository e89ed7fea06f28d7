/* guard.c - see guard.h */
#include "abs/run/guard.h"

#include <stdlib.h>
#include <string.h>

#include "abs/run/symbol.h"
#include "base/mem.h"

/* A guard with the values of the variables it mentions. */
typedef struct KeptGuard {
    const Guarding *guard;  /* NULL: a value must differ from these keys */
    Value *inputs;          /* entries of fields are unused              */
    int64_t *keys;
} KeptGuard;

struct GuardTable {
    Arena arena;
    Map values;  /* key -> Value                */
    Map numbers; /* hash of a guard -> number   */
    VEC(KeptGuard) guards;
};

GuardTable *guard_table_create(void)
{
    return mem_alloc(sizeof(GuardTable));
}

void guard_table_destroy(GuardTable *table)
{
    if (!table)
        return;
    arena_release(&table->arena);
    map_release(&table->values);
    map_release(&table->numbers);
    VEC_FREE(&table->guards);
    free(table);
}

/* ---- Values ----------------------------------------------------------------------- */

int64_t guard_keep(Machine *machine, Value value)
{
    int64_t key = value_key(&machine->context, value);
    bool added;
    if (value_is_int(value))
        return key;
    uint64_t *place = map_insert(&machine->guards->values, (uint64_t)key, &added);
    if (added || (machine->has_inputs && machine->options.keep_values)) /* a value for other inputs */
        *place = value_copy(&machine->guards->arena, value);
    return key;
}

Value guard_find_value(const Machine *machine, int64_t key)
{
    if (value_fits_int(key))
        return value_from_int(key);
    uint64_t *place = map_find(&machine->guards->values, (uint64_t)key);
    return place ? *place : VALUE_NONE;
}

/* ---- Numbers ------------------------------------------------------------------------- */

static Value input_value(const Task *task, const struct GuardInput *input)
{
    return input->kind == INPUT_REGISTER ? task->frame->registers[input->number] : value_object(task->frame->object);
}

static uint64_t hash_guard(const Machine *machine, const Task *task)
{
    const Guarding *guard = task->guard;
    uint64_t hash = map_mix(guard->number, 41);
    for (uint32_t i = 0; i < guard->input_count; i++)
        if (guard->inputs[i].kind != INPUT_FIELD)
            hash = map_mix(hash, value_hash(&machine->context, input_value(task, &guard->inputs[i])));
    return hash >> 1;
}

static void keep_guard(GuardTable *table, const Task *task)
{
    const Guarding *guard = task->guard;
    KeptGuard kept = {.guard = guard, .inputs = arena_zero(&table->arena, guard->input_count * sizeof(Value))};
    for (uint32_t i = 0; i < guard->input_count; i++)
        if (guard->inputs[i].kind != INPUT_FIELD)
            kept.inputs[i] = value_copy(&table->arena, input_value(task, &guard->inputs[i]));
    VEC_PUSH(&table->guards, kept);
}

uint32_t guard_number(Machine *machine, const Task *task)
{
    bool added;
    GuardTable *table = machine->guards;
    uint64_t *number = map_insert(&table->numbers, hash_guard(machine, task), &added);
    if (added) {
        *number = table->guards.count;
        keep_guard(table, task);
    }
    return (uint32_t)*number;
}

uint32_t guard_number_of_change(Machine *machine, const int64_t *keys, uint32_t count)
{
    bool added;
    GuardTable *table = machine->guards;
    uint64_t hash = map_mix(count, 43);
    for (uint32_t i = 0; i < count; i++)
        hash = map_mix(hash, (uint64_t)keys[i]);
    uint64_t *number = map_insert(&table->numbers, hash >> 1, &added);
    if (added) {
        KeptGuard kept = {.keys = arena_zero(&table->arena, (count + 1) * sizeof(int64_t))};
        for (uint32_t i = 0; i < count; i++)
            kept.keys[i] = keys[i];
        *number = table->guards.count;
        VEC_PUSH(&table->guards, kept);
    }
    return (uint32_t)*number;
}

static bool has_changed(const KeptGuard *kept, const int64_t *keys, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (keys[i] != kept->keys[i])
            return true;
    return false;
}

/* ---- Evaluation ------------------------------------------------------------------------- */

static bool evaluate(Machine *machine, const Guarding *guard, const Value *inputs, Value *raised)
{
    Value result = machine_evaluate(machine, guard->condition, inputs);
    if (raised)
        *raised = result == VALUE_NONE ? machine->raised : VALUE_NONE;
    if (machine->exhausted)
        return false;
    return result == VALUE_NONE || symbol_decide(machine, result);
}

bool guard_holds_with(Machine *machine, uint32_t number, const int64_t *keys, uint32_t count)
{
    const KeptGuard *kept = &machine->guards->guards.items[number];
    const Guarding *guard = kept->guard;
    if (!guard)
        return has_changed(kept, keys, count);
    Value inputs[IR_MOST_INPUTS];
    uint32_t next = 0;
    for (uint32_t i = 0; i < guard->input_count; i++) {
        bool is_field = guard->inputs[i].kind == INPUT_FIELD && next < count;
        inputs[i] = is_field ? guard_find_value(machine, keys[next++]) : kept->inputs[i];
    }
    machine->supposing = true;
    machine->supposed_now = guard->reads_clock && next < count ? guard_find_value(machine, keys[next]) : machine->now;
    bool holds = evaluate(machine, guard, inputs, NULL);
    machine->supposing = false;
    return holds;
}

bool guard_holds_now(Machine *machine, Task *task, Value *raised)
{
    const Guarding *guard = task->guard;
    const ModelObject *object = &machine->objects[task->frame->object];
    Value inputs[IR_MOST_INPUTS];
    for (uint32_t i = 0; i < guard->input_count; i++)
        inputs[i] = guard->inputs[i].kind == INPUT_FIELD ? object->fields[guard->inputs[i].number]
                                                         : input_value(task, &guard->inputs[i]);
    return evaluate(machine, guard, inputs, raised);
}
