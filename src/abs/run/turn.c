/* turn.c - see turn.h */
#include "abs/run/turn.h"

#include "abs/run/footprint.h"
#include "base/map.h"

enum { TURN = 0x7c4e };

uint64_t turn_resource(const ModelObject *cog)
{
    return map_mix(cog->name, TURN);
}

int64_t turn_of(const Machine *machine, AgentId task)
{
    return task == AGENT_NONE ? 0 : (int64_t)((uint32_t)names_task_name(machine->names, task)->hash | 1);
}

/* ---- What a step changes -------------------------------------------------------------- */

static void note(Machine *machine, uint32_t cog)
{
    ModelObject *object = &machine->objects[cog];
    if (!object->scheduler || object->turn_stamp == machine->stamp)
        return;
    object->turn_stamp = machine->stamp;
    VEC_PUSH(&machine->changed_queues, cog);
}

void turn_enter(Machine *machine, Task *task)
{
    task->queued = ++machine->objects[task->cog].entered;
    note(machine, task->cog);
}

static bool awaits(const Task *task, AgentId wanted)
{
    for (uint32_t i = 0; task->state == TASK_AWAIT && i < task->guard->future_count; i++)
        if (value_number(task->frame->registers[task->guard->futures[i]]) == wanted)
            return true;
    return false;
}

/* Also if the task waits for other futures too: whether this end lets it run depends on theirs. */
void turn_note_end(Machine *machine, AgentId over)
{
    for (AgentId agent = 0; machine->image->model->has_schedulers && agent < machine->task_count; agent++)
        if (turn_is_scheduled(machine, machine->tasks[agent].cog) && awaits(&machine->tasks[agent], over))
            note(machine, machine->tasks[agent].cog);
}

void turn_note_kill(Machine *machine, const Task *task)
{
    bool awaiting = turn_is_scheduled(machine, task->cog) && task->state == TASK_AWAIT;
    for (uint32_t i = 0; awaiting && i < task->guard->future_count; i++)
        footprint_read_end(machine, value_number(task->frame->registers[task->guard->futures[i]]));
}

/* ---- The queue -------------------------------------------------------------------------- */

/* The task of the cog that came next after `last`, or NULL; only those that could run. */
static Task *find_next(Machine *machine, uint32_t cog, uint32_t last)
{
    Task *next = NULL;
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        Task *task = &machine->tasks[agent];
        if (task->cog == cog && task->queued > last && (!next || task->queued < next->queued) &&
            machine_could_run(machine, task))
            next = task;
    }
    return next;
}

static void list_queue(Machine *machine, uint32_t cog)
{
    machine->queue.count = 0;
    for (Task *task = find_next(machine, cog, 0); task; task = find_next(machine, cog, task->queued))
        VEC_PUSH(&machine->queue, task->id);
}

/* A process is the future of its task. */
static Value make_list(Machine *machine)
{
    Value list = value_constant(machine->image->nil);
    for (uint32_t i = machine->queue.count; i > 0; i--) {
        Value args[] = {value_future(machine->queue.items[i - 1]), list};
        list = value_make_data(&machine->context, &machine->heap, machine->image->cons, args, 2);
    }
    return list;
}

static bool is_queued(const Machine *machine, Value process)
{
    for (uint32_t i = 0; process != VALUE_NONE && i < machine->queue.count; i++)
        if (process == value_future(machine->queue.items[i]))
            return true;
    return false;
}

/* ---- The choice --------------------------------------------------------------------------- */

static AgentId choose(Machine *machine, uint32_t cog)
{
    const ModelObject *object = &machine->objects[cog];
    const Guarding *scheduler = object->scheduler;
    Value inputs[IR_MOST_INPUTS];
    for (uint32_t i = 0; i < scheduler->input_count; i++)
        switch (scheduler->inputs[i].kind) {
        case INPUT_QUEUE: inputs[i] = make_list(machine); break;
        case INPUT_FIELD: inputs[i] = object->fields[scheduler->inputs[i].number]; break;
        default: inputs[i] = value_object(cog);
        }
    Value process = machine_evaluate(machine, scheduler->condition, inputs);
    if (is_queued(machine, process) && !machine->unsupported)
        return value_number(process);
    if (!machine->unsupported)
        machine->unsupported = "a scheduler that chooses no task of the queue";
    machine->unsupported_site = (uint64_t)(scheduler->condition->number + 1) << 32 | scheduler->pos;
    return AGENT_NONE;
}

uint64_t turn_hash(const Machine *machine, uint32_t cog)
{
    uint64_t hash = 0;
    for (uint32_t last = 0, next = UINT32_MAX;; last = next, next = UINT32_MAX) {
        AgentId found = AGENT_NONE;
        for (AgentId agent = 0; agent < machine->task_count; agent++) {
            const Task *task = &machine->tasks[agent];
            bool waits = task->state == TASK_NEW || task->state == TASK_READY || task->state == TASK_AWAIT;
            if (waits && task->cog == cog && task->queued > last && task->queued < next) {
                next = task->queued;
                found = agent;
            }
        }
        if (found == AGENT_NONE)
            return hash;
        hash = map_mix(hash, names_task_name(machine->names, found)->hash);
    }
}

static int64_t value_now(const Machine *machine, uint32_t cog)
{
    return (int64_t)(turn_hash(machine, cog) << 32) | turn_of(machine, machine->objects[cog].turn);
}

/* The access of this step, which has one from the beginning if it needed the turn. */
static Access *find_access(Machine *machine, const ModelObject *cog)
{
    Execution *ex = machine->ex;
    const Event *event = &ex->events[ex->event_count - 1];
    uint64_t resource = turn_resource(cog);
    for (uint32_t i = 0; i < event->access_count; i++)
        if (ex->accesses[event->first_access + i].resource == resource)
            return &ex->accesses[event->first_access + i];
    Access *access = execution_add_access(ex);
    *access = (Access){.resource = resource, .before = cog->turn_value, .mask = UINT64_MAX, .lanes = LANES_ALL};
    return access;
}

static void update(Machine *machine, uint32_t cog)
{
    ModelObject *object = &machine->objects[cog];
    Access *access = find_access(machine, object);
    list_queue(machine, cog);
    bool chooses = machine->queue.count > 0 && object->holder == AGENT_NONE && !machine->unsupported;
    object->turn = chooses ? choose(machine, cog) : AGENT_NONE;
    object->turn_value = value_now(machine, cog);
    access->mode = MODE_WRITE;
    access->after = object->turn_value;
}

static void update_all(Machine *machine)
{
    Event *event = &machine->ex->events[machine->ex->event_count - 1];
    if (machine->changed_queues.count)
        event->flags |= EVENT_OPAQUE | EVENT_RERUN;
    for (uint32_t i = 0; i < machine->changed_queues.count; i++)
        update(machine, machine->changed_queues.items[i]);
    machine->changed_queues.count = 0;
}

void turn_end_step(Machine *machine, Task *task)
{
    note(machine, task->cog);
    if (task->state == TASK_READY || task->state == TASK_AWAIT)
        turn_enter(machine, task);
    update_all(machine);
}

void turn_end_clock(Machine *machine)
{
    for (uint32_t i = 0; machine->image->model->has_schedulers && i < machine->live.count; i++)
        note(machine, machine->live.items[i]);
    update_all(machine);
}
