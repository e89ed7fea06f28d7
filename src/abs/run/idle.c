/* idle.c - see idle.h */
#include "abs/run/idle.h"

#include "abs/run/footprint.h"
#include "abs/run/guard.h"
#include "abs/run/turn.h"
#include "base/map.h"

enum { MOST_READS = 64 };

/* ---- States of a task ----------------------------------------------------------- */

static uint64_t hash_frame(const Machine *machine, const Frame *frame)
{
    uint64_t hash = map_mix(frame->code->number, (uint64_t)(frame->pc - frame->code->instrs));
    hash = map_mix(hash, frame->object ? machine->objects[frame->object].name : 0);
    for (uint32_t i = 0; i < frame->code->register_count; i++)
        hash = map_mix(hash, value_hash(&machine->context, frame->registers[i]));
    return hash;
}

uint64_t idle_hash_frames(const Machine *machine, const Frame *frame)
{
    uint64_t hash = 0;
    for (; frame; frame = frame->caller)
        hash = map_mix(hash, hash_frame(machine, frame));
    return hash;
}

/* ---- Steps without effect --------------------------------------------------------- */

/* The object of the cog that the access names a field of, or NULL. */
static const ModelObject *find_field(const Machine *machine, uint32_t cog, uint64_t resource, IdleRead *read)
{
    for (uint32_t i = 0; i < machine->live.count; i++) {
        const ModelObject *object = &machine->objects[machine->live.items[i]];
        if (object->cog != cog)
            continue;
        for (uint32_t field = 0; field < object->class->field_count; field++)
            if (footprint_field(object, field) == resource) {
                read->object = machine->live.items[i];
                read->field = field;
                return object;
            }
    }
    return NULL;
}

static bool is_life_or_actor(const Machine *machine, uint32_t cog, uint64_t resource)
{
    for (uint32_t i = 0; i < machine->live.count; i++) {
        const ModelObject *object = &machine->objects[machine->live.items[i]];
        if (object->cog == cog && (footprint_life(object) == resource || footprint_actor(object) == resource))
            return true;
    }
    return false;
}

/* Collects the fields that the step read; false if it did anything else. */
static bool collect_reads(const Machine *machine, const Task *task, IdleRead *reads, uint32_t *count)
{
    const Execution *ex = machine->ex;
    const Event *event = &ex->events[ex->event_count - 1];
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &ex->accesses[event->first_access + i];
        IdleRead read = {.key = access->before};
        if (access->resource == footprint_cog(machine, task->cog) && access->mode == MODE_READ)
            continue;
        if (access->resource == footprint_time(machine)) /* no time passes before it runs again */
            continue;
        if (is_life_or_actor(machine, task->cog, access->resource) && access->before == access->after)
            continue;
        if (!find_field(machine, task->cog, access->resource, &read) || access->before != access->after ||
            *count == MOST_READS)
            return false;
        reads[(*count)++] = read;
    }
    return true;
}

/* In a cog with a scheduler a step has an effect: it puts the task at the end of the queue. Decisions on inputs are no
 * effect: with the same variables and fields the next step decides the same. */
static bool had_no_effect(const Machine *machine, const Task *task)
{
    return task->state == TASK_READY && !turn_is_scheduled(machine, task->cog) && machine->idle_hash &&
           !machine->asked && !machine->killed && !machine->printed && task->children == machine->idle_children &&
           task->objects == machine->idle_objects && task->draws == machine->idle_draws &&
           (idle_hash_frames(machine, task->frame) | 1) == machine->idle_hash;
}

void idle_begin_step(Machine *machine, const Task *task)
{
    machine->printed = false;
    machine->idle_hash = task->state == TASK_READY ? idle_hash_frames(machine, task->frame) | 1 : 0;
    machine->idle_children = task->children;
    machine->idle_objects = task->objects;
    machine->idle_draws = task->draws;
}

void idle_end_step(Machine *machine, Task *task)
{
    IdleRead reads[MOST_READS];
    int64_t keys[MOST_READS];
    uint32_t count = 0;
    task->idle = NULL;
    if (!had_no_effect(machine, task) || !collect_reads(machine, task, reads, &count))
        return;
    struct IdleReads *idle = arena_alloc(&machine->heap, sizeof *idle + count * sizeof *idle->reads);
    idle->count = count;
    for (uint32_t i = 0; i < count; i++) {
        idle->reads[i] = reads[i];
        keys[i] = reads[i].key;
    }
    idle->guard = guard_number_of_change(machine, keys, count);
    task->idle = idle;
}

bool idle_is_over(const Machine *machine, const Task *task)
{
    for (uint32_t i = 0; i < task->idle->count; i++) {
        const IdleRead *read = &task->idle->reads[i];
        if (value_key(&machine->context, machine->objects[read->object].fields[read->field]) != read->key)
            return true;
    }
    return false;
}
