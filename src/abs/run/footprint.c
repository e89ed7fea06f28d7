/* footprint.c - see footprint.h */
#include "abs/run/footprint.h"

#include "abs/run/guard.h"
#include "abs/run/idle.h"
#include "abs/run/turn.h"
#include "base/map.h"

/* ---- Resources ----------------------------------------------------------------- */

enum {
    NAME_COG = 1, NAME_END, NAME_GUARD, NAME_LIFE, NAME_ACTOR, NAME_START, NAME_CLOCK, NAME_TIME, NAME_PLACE,
    NAME_FIELD
};

uint64_t footprint_cog(const Machine *machine, uint32_t cog) { return machine->objects[cog].name + NAME_COG; }
uint64_t footprint_life(const ModelObject *object) { return object->name + NAME_LIFE; }
uint64_t footprint_actor(const ModelObject *object) { return object->name + NAME_ACTOR; }
uint64_t footprint_field(const ModelObject *object, uint32_t field) { return object->name + NAME_FIELD + field; }

uint64_t footprint_end(const Machine *machine, AgentId task)
{
    return names_task_name(machine->names, task)->hash + NAME_END;
}

static uint64_t footprint_guard(const Machine *machine, AgentId task)
{
    return names_task_name(machine->names, task)->hash + NAME_GUARD;
}

/* Of the whole execution: how often the clock has advanced, and the time. */
uint64_t footprint_moment(const Machine *machine) { return machine->objects[0].name + NAME_CLOCK; }
uint64_t footprint_time(const Machine *machine) { return machine->objects[0].name + NAME_TIME; }

static int64_t cog_value(const Machine *machine, uint32_t cog)
{
    const ModelObject *object = &machine->objects[cog];
    uint32_t holder =
        object->holder == AGENT_NONE ? 0 : (uint32_t)names_task_name(machine->names, object->holder)->hash | 1;
    return (int64_t)holder | (object->dead ? COG_DEAD : 0);
}

/* ---- Accesses -------------------------------------------------------------------- */

static Access *fill(Access *access, uint64_t resource, Mode mode, int64_t value)
{
    *access = (Access){.resource = resource, .before = value, .after = value, .mask = UINT64_MAX,
                       .mode = (uint8_t)mode, .lanes = LANES_ALL};
    return access;
}

static Access *fill_guard(Access *access, uint64_t resource, int64_t value, Relation relation, int64_t operand)
{
    fill(access, resource, MODE_READ, value);
    access->role = ROLE_GUARD;
    access->relation = (uint8_t)relation;
    access->operand = operand;
    return access;
}

static uint64_t make_mark(const Machine *machine, const Access *access)
{
    return (uint64_t)machine->stamp << 32 | (uint32_t)(access - machine->ex->accesses);
}

/* The access of this step to the field, or NULL. */
static Access *find_access(const Machine *machine, const ModelObject *object, uint32_t field)
{
    uint64_t mark = object->marks[field];
    return mark >> 32 == machine->stamp ? &machine->ex->accesses[(uint32_t)mark] : NULL;
}

static int64_t field_key(Machine *machine, const ModelObject *object, uint32_t field, Value value)
{
    return object->class->guarded[field] || machine->options.keep_values ? guard_keep(machine, value)
                                                                         : value_key(&machine->context, value);
}

/* ---- Knowledge --------------------------------------------------------------------- */

static bool keeps_knowledge(const Machine *machine)
{
    return (machine->image->needs_knowledge || machine->start) && machine->options.dependence != DEPENDENCE_EXACT;
}

/* The step accesses a resource and gets the knowledge of the steps with conflicting accesses. */
static void touch(Machine *machine, KnowledgeSlot *slot, const Access *access)
{
    Task *task = machine->task;
    if (!task || !keeps_knowledge(machine))
        return;
    VEC_PUSH(&machine->touched, ((Touched){slot, (uint32_t)(access - machine->ex->accesses)}));
    task->known = knowledge_join(&machine->heap, task->known, slot->written);
    if (access->mode != MODE_READ)
        task->known = knowledge_join(&machine->heap, task->known, slot->read);
}

/* A read became a write. */
static void touch_again(Machine *machine, KnowledgeSlot *slot)
{
    if (keeps_knowledge(machine))
        machine->task->known = knowledge_join(&machine->heap, machine->task->known, slot->read);
}

static void leave_knowledge(Machine *machine, const Task *task)
{
    const Knowledge *known = task_is_over(task) ? knowledge_add(&machine->heap, task->known, task->id) : task->known;
    for (uint32_t i = 0; i < machine->touched.count; i++) {
        const Touched *touched = &machine->touched.items[i];
        KnowledgeSlot *slot = touched->slot;
        if (machine->ex->accesses[touched->access].mode == MODE_READ)
            slot->read = knowledge_join(&machine->heap, slot->read, known);
        else
            *slot = (KnowledgeSlot){.written = known};
    }
    for (uint32_t i = 0; i < machine->created.count; i++)
        machine->tasks[machine->created.items[i]].known = known;
    machine->touched.count = machine->created.count = 0;
}

/* ---- Guards of pending steps -------------------------------------------------------- */

/* Where accesses go: the newest event, or the newest blocked record. */
typedef Access *FootprintAdd(Execution *ex);

static void add_cog_guard(Machine *machine, const Task *task, FootprintAdd *add)
{
    Access *access = fill_guard(add(machine->ex), footprint_cog(machine, task->cog), cog_value(machine, task->cog),
                                REL_EQ, 0);
    bool first = task->object == task->cog;
    access->mask = (uint64_t)(COG_HOLDER | (task->state != TASK_NEW && first ? COG_DEAD : 0));
    machine->cog_access = (uint32_t)(access - machine->ex->accesses);
    touch(machine, &machine->objects[task->cog].cog_slot, access);
    if (task->object && !first) {
        ModelObject *object = &machine->objects[task->object];
        access = fill(add(machine->ex), footprint_life(object), MODE_READ, object->dead);
        touch(machine, &object->life_slot, access);
        if (task->state != TASK_NEW) {
            access->role = ROLE_GUARD;
            access->relation = REL_EQ;
        }
    }
}

/* In a cog with a scheduler only the task that it has chosen is enabled. */
static void add_turn_guard(Machine *machine, const Task *task, FootprintAdd *add)
{
    const ModelObject *cog = &machine->objects[task->cog];
    if (cog->scheduler)
        fill_guard(add(machine->ex), turn_resource(cog), cog->turn_value, REL_EQ, turn_of(machine, task->id))->mask =
            TURN_TASK;
}

static void add_end_guard(Machine *machine, AgentId wanted, FootprintAdd *add)
{
    fill_guard(add(machine->ex), footprint_end(machine, wanted), task_is_over(&machine->tasks[wanted]), REL_EQ, 1);
}

/* With DEPENDENCE_ACTOR all fields of an object are one resource, and every access is a write. */
static void add_actor(Machine *machine, ModelObject *object, FootprintAdd *add)
{
    object->actor_stamp = machine->stamp;
    touch(machine, &object->actor_slot, fill(add(machine->ex), footprint_actor(object), MODE_WRITE, 0));
}

static void add_field_guards(Machine *machine, Task *task, FootprintAdd *add)
{
    const Guarding *guard = task->guard;
    ModelObject *object = &machine->objects[task->frame->object];
    int64_t number = machine->has_inputs ? 0 : (int64_t)guard_number(machine, task);
    bool reads = false;
    for (uint32_t i = 0; i < guard->input_count; i++) {
        uint32_t field = guard->inputs[i].number;
        if (guard->inputs[i].kind != INPUT_FIELD)
            continue;
        Access *access = fill_guard(add(machine->ex), footprint_field(object, field),
                                    guard_keep(machine, object->fields[field]), REL_PROGRAM, number);
        if (machine->has_inputs)
            access->role = ROLE_NONE; /* no guard: another resource is; but later assignments conflict */
        object->marks[field] = make_mark(machine, access);
        touch(machine, &object->field_slots[field], access);
        reads = true;
    }
    if (guard->reads_clock && !machine->has_inputs) /* last: guard_holds_with expects it there */
        fill_guard(add(machine->ex), footprint_time(machine), guard_keep(machine, machine->now), REL_PROGRAM, number);
    else if (!reads && !machine->has_inputs) /* nothing changes whether it holds: a value that no step writes */
        fill_guard(add(machine->ex), footprint_guard(machine, task->id), guard_holds_now(machine, task, NULL), REL_EQ,
                   1);
    if (reads && machine->options.dependence == DEPENDENCE_ACTOR)
        add_actor(machine, object, add);
}

/* A task that has waited for the clock continues only after the step that let enough time pass. */
static void add_clock_guard(Machine *machine, const Task *task, FootprintAdd *add)
{
    if (!task->delayed && !task->moment)
        return;
    touch(machine, &machine->clock_slot,
          fill_guard(add(machine->ex), footprint_moment(machine), machine->moment, REL_SGE,
                     task->delayed ? INT64_MAX : task->moment));
}

/* One of the fields must have changed; if there is none, it never runs again. */
static void add_idle_guards(Machine *machine, const Task *task, FootprintAdd *add)
{
    const struct IdleReads *idle = task->idle;
    if (idle->count == 0)
        fill_guard(add(machine->ex), footprint_guard(machine, task->id), 0, REL_EQ, 1);
    for (uint32_t i = 0; i < idle->count; i++) {
        ModelObject *object = &machine->objects[idle->reads[i].object];
        uint32_t field = idle->reads[i].field;
        Access *access = fill_guard(add(machine->ex), footprint_field(object, field),
                                    field_key(machine, object, field, object->fields[field]), REL_PROGRAM,
                                    (int64_t)idle->guard);
        object->marks[field] = make_mark(machine, access);
        touch(machine, &object->field_slots[field], access);
        if (machine->options.dependence == DEPENDENCE_ACTOR && object->actor_stamp != machine->stamp)
            add_actor(machine, object, add);
    }
}

/* Futures that the task knew to be resolved when it was suspended need no guard. */
static void add_future_guards(Machine *machine, const Task *task, FootprintAdd *add)
{
    const Guarding *guard = task->guard;
    for (uint32_t i = 0; i < guard->future_count; i++) {
        AgentId wanted = value_number(task->frame->registers[guard->futures[i]]);
        if (!machine_knows(task, wanted))
            add_end_guard(machine, wanted, add);
    }
}

/* The pending step of a task: its guard. */
static void add_guard(Machine *machine, Task *task, FootprintAdd *add)
{
    machine->cog_access = UINT32_MAX;
    if (task->state == TASK_INIT || task->state == TASK_COST)
        return;
    if (task->state == TASK_DELAY || task->state == TASK_AWAIT)
        add_clock_guard(machine, task, add);
    if (task->state == TASK_DELAY)
        return;
    if (task->state == TASK_GET) {
        add_end_guard(machine, task->wanted, add);
        return;
    }
    if (task->state == TASK_AWAIT)
        add_future_guards(machine, task, add); /* first: the others add to its knowledge */
    add_cog_guard(machine, task, add);
    add_turn_guard(machine, task, add);
    if (task->state == TASK_READY && task->idle)
        add_idle_guards(machine, task, add);
    if (task->state == TASK_AWAIT && task->guard->condition && machine->has_inputs)
        touch(machine, &task->guard_slot,
              fill_guard(add(machine->ex), footprint_guard(machine, task->id), task->holds, REL_EQ, 1));
    if (task->state == TASK_AWAIT && task->guard->condition)
        add_field_guards(machine, task, add);
}

/* ---- Steps ------------------------------------------------------------------------------ */

static void open_event(Machine *machine, Task *task)
{
    execution_add_event(machine->ex, task->id, task->state, task->site);
    machine->stamp++;
    machine->read_data = machine->killed = machine->asked = machine->wrote_guarded = false;
    machine->given = task->known;
    machine->touched.count = machine->created.count = 0;
}

void footprint_begin(Machine *machine, Task *task)
{
    open_event(machine, task);
    machine->cog_before = cog_value(machine, task->cog);
    add_guard(machine, task, execution_add_access);
}

void footprint_begin_clock(Machine *machine, Task *clock)
{
    open_event(machine, clock);
    machine->ex->events[machine->ex->event_count - 1].flags |= EVENT_QUIET | EVENT_OPAQUE | EVENT_RERUN;
    for (AgentId agent = 0; agent < machine->task_count && keeps_knowledge(machine); agent++)
        if (task_is_over(&machine->tasks[agent]))
            machine_learn(machine, clock, agent);
}

void footprint_end_clock(Machine *machine, Task *clock, Value before)
{
    Access *access = fill(execution_add_access(machine->ex), footprint_moment(machine), MODE_WRITE,
                          (int64_t)machine->moment - 1);
    access->after = machine->moment;
    touch(machine, &machine->clock_slot, access);
    turn_end_clock(machine);
    access = fill(execution_add_access(machine->ex), footprint_time(machine), MODE_WRITE, guard_keep(machine, before));
    access->after = guard_keep(machine, machine->now);
    leave_knowledge(machine, clock);
}

static void change_cog(Machine *machine, ModelObject *cog, int64_t after)
{
    Access *access;
    if (machine->cog_access != UINT32_MAX) {
        access = &machine->ex->accesses[machine->cog_access];
        access->mode = MODE_WRITE;
        touch_again(machine, &cog->cog_slot);
    } else {
        access = fill(execution_add_access(machine->ex), footprint_cog(machine, cog->cog), MODE_WRITE,
                      machine->cog_before);
        touch(machine, &cog->cog_slot, access);
    }
    access->after = after;
}

void footprint_end_step(Machine *machine, Task *task)
{
    ModelObject *cog = &machine->objects[task->cog];
    cog->holder = task_holds_cog(task) ? task->id : AGENT_NONE;
    int64_t after = cog_value(machine, task->cog);
    if (after != machine->cog_before)
        change_cog(machine, cog, after);
    Event *event = &machine->ex->events[machine->ex->event_count - 1];
    bool rerun = machine->killed || machine->asked || (machine->wrote_guarded && machine->has_inputs);
    event->flags |= machine->read_data || rerun ? EVENT_OPAQUE : 0;
    event->flags |= rerun ? EVENT_RERUN : 0;
    turn_end_step(machine, task);
    task->last = task->known;
    leave_knowledge(machine, task);
}

static void touch_actor(Machine *machine, ModelObject *object)
{
    if (machine->options.dependence == DEPENDENCE_ACTOR && object->actor_stamp != machine->stamp)
        add_actor(machine, object, execution_add_access);
}

void footprint_read_field(Machine *machine, ModelObject *object, uint32_t field, bool matters)
{
    Access *access = find_access(machine, object, field);
    if (access) {
        machine->read_data |= matters && access->mode != MODE_WRITE;
        return;
    }
    if (object->created_stamp == machine->stamp)
        return;
    touch_actor(machine, object);
    access = fill(execution_add_access(machine->ex), footprint_field(object, field), MODE_READ,
                  field_key(machine, object, field, object->fields[field]));
    object->marks[field] = make_mark(machine, access);
    touch(machine, &object->field_slots[field], access);
    machine->read_data |= matters;
}

void footprint_write_field(Machine *machine, ModelObject *object, uint32_t field, Value value)
{
    if (object->created_stamp == machine->stamp)
        return;
    Access *access = find_access(machine, object, field);
    if (!access) {
        touch_actor(machine, object);
        access = fill(execution_add_access(machine->ex), footprint_field(object, field), MODE_READ,
                      field_key(machine, object, field, object->fields[field]));
        object->marks[field] = make_mark(machine, access);
        touch(machine, &object->field_slots[field], access);
    }
    if (access->mode != MODE_WRITE)
        touch_again(machine, &object->field_slots[field]);
    machine->wrote_guarded |= object->class->guarded[field];
    access->mode = MODE_WRITE;
    access->after = field_key(machine, object, field, value);
}

void footprint_write_guard(Machine *machine, Task *task, bool before)
{
    Access *access = fill(execution_add_access(machine->ex), footprint_guard(machine, task->id), MODE_WRITE, before);
    access->after = task->holds;
    touch(machine, &task->guard_slot, access);
}

bool footprint_wrote(const Machine *machine, const ModelObject *object, const Guarding *guard)
{
    for (uint32_t i = 0; i < guard->input_count; i++) {
        if (guard->inputs[i].kind != INPUT_FIELD)
            continue;
        const Access *access = find_access(machine, object, guard->inputs[i].number);
        if (access && access->mode == MODE_WRITE)
            return true;
    }
    return false;
}

void footprint_read_clock(Machine *machine)
{
    if (machine->clock == AGENT_NONE || machine->clock_read == machine->stamp)
        return;
    machine->clock_read = machine->stamp;
    int64_t now = guard_keep(machine, machine->now);
    touch(machine, &machine->clock_slot,
          fill(execution_add_access(machine->ex), footprint_time(machine), MODE_READ, now));
    machine->read_data = true;
}

void footprint_read_end(Machine *machine, AgentId task)
{
    fill(execution_add_access(machine->ex), footprint_end(machine, task), MODE_READ,
         task_is_over(&machine->tasks[task]));
}

void footprint_write_end(Machine *machine, const Task *task)
{
    fill(execution_add_access(machine->ex), footprint_end(machine, task->id), MODE_WRITE, 0)->after = 1;
    turn_note_end(machine, task->id);
}

/* The life of a cog's first object is part of the cog's own resource, which every step of the cog accesses anyway. */
void footprint_read_life(Machine *machine, ModelObject *object)
{
    if (object != &machine->objects[object->cog] && object->created_stamp != machine->stamp)
        touch(machine, &object->life_slot,
              fill(execution_add_access(machine->ex), footprint_life(object), MODE_READ, object->dead));
    machine->read_data |= object->dead;
}

uint64_t footprint_start(const Machine *machine) { return names_task_name(machine->names, 0)->hash + NAME_START; }

static Access *find_resource(const Machine *machine, uint64_t resource)
{
    const Event *event = &machine->ex->events[machine->ex->event_count - 1];
    for (uint32_t i = 0; i < event->access_count; i++)
        if (machine->ex->accesses[event->first_access + i].resource == resource)
            return &machine->ex->accesses[event->first_access + i];
    return NULL;
}

void footprint_touch_start(Machine *machine, bool change)
{
    uint64_t resource = footprint_start(machine);
    if (machine->options.whole_bounds)
        return; /* then it does not matter which step finds an object first */
    machine->read_data = true;
    Access *access = find_resource(machine, resource);
    if (!access)
        access = fill(execution_add_access(machine->ex), resource, MODE_READ, machine->starters.count);
    if (change) {
        access->mode = MODE_WRITE;
        access->after = machine->starters.count + 1;
    }
}

static Access *touch_place(Machine *machine, uint32_t cog)
{
    const ModelObject *object = &machine->objects[cog];
    uint64_t resource = object->name + NAME_PLACE;
    Access *access = find_resource(machine, resource);
    return access ? access : fill(execution_add_access(machine->ex), resource, MODE_READ,
                                  (int64_t)(machine->objects[object->component].name >> 1));
}

void footprint_read_place(Machine *machine, uint32_t cog)
{
    if (!machine->image->moves_cogs || machine->evaluating)
        return;
    machine->read_data = true;
    touch_place(machine, cog);
}

void footprint_write_place(Machine *machine, uint32_t cog, uint32_t component)
{
    Access *access = touch_place(machine, cog);
    access->mode = MODE_WRITE;
    access->after = (int64_t)(machine->objects[component].name >> 1);
}

void footprint_write_life(Machine *machine, ModelObject *object)
{
    if (object == &machine->objects[object->cog] || object->created_stamp == machine->stamp)
        return;
    Access *access = fill(execution_add_access(machine->ex), footprint_life(object), MODE_WRITE, 0);
    access->after = 1;
    touch(machine, &object->life_slot, access);
}

/* ---- The end --------------------------------------------------------------------------------- */

static Access *add_blocked_access(Execution *ex)
{
    ex->blocked[ex->blocked_count - 1].access_count++;
    return &ex->accesses[ex->access_count++];
}

void footprint_add_blocked(Machine *machine, Task *task)
{
    Execution *ex = machine->ex;
    Blocked *blocked = &ex->blocked[ex->blocked_count++];
    *blocked = (Blocked){.agent = task->id, .first_access = ex->access_count, .op = task->state,
                         .flags = EVENT_OPAQUE, .site = task->site}; /* what it would do is unknown */
    machine->stamp++;
    add_guard(machine, task, add_blocked_access);
}
