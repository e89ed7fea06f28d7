/* state.c - hashes of whole states: equal states have the same continuations
 *
 * The state of a task that is not over is its program point and its variables; of one that is over, its result. Dead
 * variables are included, so that some states with the same continuations differ; never the reverse.
 */
#include "abs/program/program_internal.h"
#include "abs/run/footprint.h"
#include "abs/run/idle.h"
#include "abs/run/turn.h"
#include "base/map.h"

static uint64_t hash_times(const Machine *machine, const Task *task)
{
    uint64_t hash = task->deadline == VALUE_NONE ? 0 : value_hash(&machine->context, task->deadline);
    if (task->amount != VALUE_NONE)
        hash = map_mix(hash, value_hash(&machine->context, task->amount));
    if (!task->delayed || task->amount != VALUE_NONE)
        return hash;
    hash = map_mix(hash, value_hash(&machine->context, task->earliest));
    return map_mix(hash, value_hash(&machine->context, task->latest));
}

/* Which values do not let it continue: not always those that the fields have now. */
static uint64_t hash_idle(const Machine *machine, const struct IdleReads *idle)
{
    uint64_t hash = 1;
    for (uint32_t i = 0; i < idle->count; i++) {
        const IdleRead *read = &idle->reads[i];
        hash = map_mix(hash, map_mix(machine->objects[read->object].name, read->field));
        hash = map_mix(hash, (uint64_t)read->key);
    }
    return hash;
}

static uint64_t hash_task(const Machine *machine, AgentId agent)
{
    const Task *task = &machine->tasks[agent];
    if (task->state == TASK_ABSENT || task->state == TASK_CLOCK)
        return 0;
    uint64_t hash = map_mix(names_task_name(machine->names, agent)->hash, task->state);
    if (task_is_over(task)) {
        hash = map_mix(hash, task->failed ? task->site : 0);
        hash = map_mix(hash, (uint64_t)task->failed | (uint64_t)(task->failed && task->seen) << 1 |
                                 (uint64_t)task->handled << 2);
        return map_mix(hash, value_hash(&machine->context, task->result));
    }
    hash = map_mix(hash, task->site);
    hash = map_mix(hash, hash_times(machine, task));
    hash = map_mix(hash, (uint64_t)task->children << 32 | task->objects);
    hash =
        map_mix(hash, (uint64_t)task->draws << 1 | (machine->has_inputs && task->state == TASK_AWAIT && task->holds));
    hash = map_mix(hash, idle_hash_frames(machine, task->frame));
    return task->state == TASK_READY && task->idle ? map_mix(hash, hash_idle(machine, task->idle)) : hash;
}

static uint64_t hash_object(const Machine *machine, const ModelObject *object)
{
    uint64_t holder = object->holder == AGENT_NONE ? 0 : names_task_name(machine->names, object->holder)->hash;
    uint64_t hash = map_mix(object->name, object->dead);
    hash = map_mix(hash, holder);
    if (machine->image->moves_cogs && object->component)
        hash = map_mix(hash, machine->objects[object->component].name);
    if (object->scheduler)
        hash = map_mix(hash, turn_hash(machine, object->cog));
    for (uint32_t i = 0; object->class && i < object->class->field_count; i++)
        hash = map_mix(hash, value_hash(&machine->context, object->fields[i]));
    return hash;
}

/* States with different path conditions are different. */
static uint64_t hash_path(const Execution *ex)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < ex->choice_count; i++)
        hash += map_mix(ex->choices[i].condition, ex->choices[i].taken);
    return hash;
}

/* What belongs to a state, each with a hash; only the order of `starving` matters. */
static void each_part(const Machine *machine, void (*add)(void *sum, uint64_t hash), void *sum)
{
    uint64_t starving = 0;
    add(sum, hash_object(machine, &machine->objects[0]));
    add(sum, hash_path(machine->ex));
    add(sum, machine->clock == AGENT_NONE ? 0 : map_mix(0x7173, value_hash(&machine->context, machine->now)));
    for (uint32_t i = 0; i < machine->live.count; i++)
        add(sum, hash_object(machine, &machine->objects[machine->live.items[i]]));
    for (AgentId agent = 0; agent < machine->task_count; agent++)
        add(sum, hash_task(machine, agent));
    for (uint32_t i = 0; i < machine->starving.count; i++)
        starving = map_mix(starving, names_task_name(machine->names, machine->starving.items[i])->hash);
    add(sum, starving);
}

static void add_hash(void *sum, uint64_t hash) { *(uint64_t *)sum += map_mix(0x5741, hash); }

uint64_t state_hash(Program *base)
{
    uint64_t sum = 0;
    each_part(((AbsProgram *)base)->machine, add_hash, &sum);
    return sum;
}

static void join_hash(void *sum, uint64_t hash)
{
    Fingerprint print = {0, 0};
    fingerprint_add(&print, hash);
    fingerprint_join(sum, fingerprint_seal(print));
}

/* Findings do not belong to a state, but that there were some does: it ends an execution that stops at the first. */
void state_fingerprint(Program *base, Fingerprint *state)
{
    const Machine *machine = ((AbsProgram *)base)->machine;
    *state = (Fingerprint){machine->ex->finding_count > 0, 0};
    each_part(machine, join_hash, state);
}

uint64_t state_alias(Program *base, AgentId agent)
{
    return names_task_name(((AbsProgram *)base)->machine->names, agent)->hash;
}

/* Models state no obligations; and a loop that changes nothing is a wait (idle.h). */
uint64_t state_open(Program *base)
{
    (void)base;
    return 0;
}

bool state_idle(Program *base, uint32_t since)
{
    (void)base;
    (void)since;
    return false;
}
