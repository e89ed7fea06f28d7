/* describe.c - names of tasks, objects and fields; texts of steps; final states */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abs/program/program_internal.h"
#include "abs/run/footprint.h"
#include "abs/run/guard.h"
#include "abs/run/turn.h"
#include "base/map.h"
#include "base/mem.h"

/* ---- Names --------------------------------------------------------------------------- */

static int compare_objects(const void *a, const void *b, void *names)
{
    return names_compare_objects(names, *(const uint32_t *)a, *(const uint32_t *)b);
}

/* Numbers the objects of each class by age. */
static void rank_objects(Machine *machine)
{
    uint32_t count = machine->live.count,
             *counts = mem_alloc((machine->image->model->classes.count + 1u) * sizeof *counts);
    uint32_t *sorted = mem_alloc((count + 1u) * sizeof *sorted);
    if (count)
        memcpy(sorted, machine->live.items, count * sizeof *sorted);
    qsort_r(sorted, count, sizeof *sorted, compare_objects, machine->names);
    for (uint32_t i = 0; i < count; i++) {
        ModelObject *object = &machine->objects[sorted[i]];
        object->rank = ++counts[object->class->number];
    }
    machine->ranked = count;
    free(counts);
    free(sorted);
}

/* Its number among the existing objects of its class, by age. */
static uint32_t rank_of(Machine *machine, uint32_t object)
{
    if (machine->ranked != machine->live.count)
        rank_objects(machine);
    return machine->objects[object].rank;
}

static void print_object(Machine *machine, uint32_t object, Text *text)
{
    const ClassCode *class = machine->objects[object].class;
    text_add(text, "%s_%u", class ? class->name : "object", class ? rank_of(machine, object) : object);
}

void describe_object(const AbsProgram *self, uint32_t object, Text *text)
{
    if (object)
        print_object(self->machine, object, text);
    else
        text_add_string(text, "main");
}

/* For values in reports: objects are printed with their names in reports. */
typedef struct ReportContext {
    ValueContext context; /* first */
    Machine *machine;
} ReportContext;

static void print_object_value(const ValueContext *context, uint32_t object, Text *text)
{
    print_object(((const ReportContext *)context)->machine, object, text);
}

static void add_task_name(Machine *machine, AgentId agent, Text *text);

static void print_future_value(const ValueContext *context, uint32_t agent, Text *text)
{
    text_add_string(text, "future of ");
    add_task_name(((const ReportContext *)context)->machine, agent, text);
}

static void add_value(const AbsProgram *self, Value value, Text *text)
{
    ReportContext report = {.context = self->machine->context, .machine = self->machine};
    report.context.print_object = print_object_value;
    report.context.print_future = print_future_value;
    value_print(&report.context, value, text);
}

static const char *method_name(const Task *task)
{
    if (task->state == TASK_CLOCK)
        return "clock";
    return !task->object ? "main" : task->code->kind == CODE_INIT ? "init" : task->code->name;
}

/* ---- Tasks of one method ------------------------------------------------------------- */

/* By object and method; then shorter paths first. Not in the order of their creation, which differs between executions
 * of a class: texts of final states must not. */
static int compare_tasks(const void *a, const void *b, void *machine)
{
    const Task *x = *(Task *const *)a, *y = *(Task *const *)b;
    const NameTable *names = ((const Machine *)machine)->names;
    if (x->object != y->object)
        return x->object < y->object ? -1 : 1;
    if (x->code != y->code)
        return x->code->number < y->code->number ? -1 : 1;
    uint32_t depth_x = names_task_name(names, x->id)->depth, depth_y = names_task_name(names, y->id)->depth;
    if (depth_x != depth_y)
        return depth_x < depth_y ? -1 : 1;
    return names_compare_tasks(names, x->id, y->id);
}

static bool of_one_method(const Task *a, const Task *b)
{
    return a->object == b->object && a->code == b->code;
}

/* Numbers the tasks of each method on each object, if there are several. */
static void number_tasks(Machine *machine)
{
    Task **sorted = mem_alloc((machine->task_count + 1u) * sizeof *sorted);
    uint32_t count = 0;
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        Task *task = &machine->tasks[agent];
        if (task->state != TASK_ABSENT && task->state != TASK_CLOCK && task->object)
            sorted[count++] = task;
    }
    qsort_r(sorted, count, sizeof *sorted, compare_tasks, machine);
    for (uint32_t i = 0; i < count; i++) {
        bool follows = i > 0 && of_one_method(sorted[i], sorted[i - 1]);
        bool precedes = i + 1 < count && of_one_method(sorted[i], sorted[i + 1]);
        sorted[i]->ordinal = follows ? sorted[i - 1]->ordinal + 1 : precedes;
    }
    machine->numbered = machine->announced;
    free(sorted);
}

/* "register", or "register#2" if there are several tasks of the method on the object. */
static void add_method(Machine *machine, const Task *task, Text *text)
{
    text_add_string(text, method_name(task));
    if (!task->object || task->state == TASK_CLOCK)
        return;
    if (machine->numbered != machine->announced)
        number_tasks(machine);
    if (task->ordinal)
        text_add(text, "#%u", task->ordinal);
}

/* "DB_1.register#2" */
static void add_task_name(Machine *machine, AgentId agent, Text *text)
{
    const Task *task = &machine->tasks[agent];
    if (agent >= machine->task_count || task->state == TASK_ABSENT) {
        text_add(text, "task %u", agent);
        return;
    }
    if (task->object && task->state != TASK_CLOCK) {
        print_object(machine, task->object, text);
        text_add_string(text, ".");
    }
    add_method(machine, task, text);
}

static void copy_text(Text *from, char *text, size_t size)
{
    snprintf(text, size, "%s", text_borrow(from));
    text_release(from);
}

void describe_agent(Program *base, AgentId agent, char *text, size_t size)
{
    Text name = {0};
    add_task_name(((AbsProgram *)base)->machine, agent, &name);
    copy_text(&name, text, size);
}

void describe_owner(Program *base, AgentId agent, char *text, size_t size)
{
    const AbsProgram *self = (const AbsProgram *)base;
    const Task *task = &self->machine->tasks[agent];
    Text name = {0};
    if (task->state == TASK_CLOCK)
        text_add_string(&name, "clock");
    else
        describe_object(self, task->object, &name);
    copy_text(&name, text, size);
}

void describe_path(Program *base, AgentId agent, char *text, size_t size)
{
    names_print_task(((AbsProgram *)base)->machine->names, agent, text, size);
}

/* By its path, or by its name in reports. */
AgentId describe_find(Program *base, const char *path)
{
    Machine *machine = ((AbsProgram *)base)->machine;
    if (*path == '0')
        return names_parse_task(machine->names, path);
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        char name[256];
        describe_agent(base, agent, name, sizeof name);
        if (machine->tasks[agent].state != TASK_ABSENT && strcmp(name, path) == 0)
            return agent;
    }
    return AGENT_NONE;
}

/* Resources are hashes: compares with those of the objects and tasks of the last execution. */
static bool find_resource(const AbsProgram *self, uint64_t resource, Text *text)
{
    const Machine *machine = self->machine;
    for (uint32_t i = 0; i <= machine->live.count; i++) {
        uint32_t number = i ? machine->live.items[i - 1] : 0;
        const ModelObject *object = &machine->objects[number];
        uint32_t fields = object->class ? object->class->field_count : 0;
        uint64_t field = resource - footprint_field(object, 0);
        bool is_cog = resource == footprint_cog(machine, number), is_life = resource == footprint_life(object);
        if (object->scheduler && resource == turn_resource(object)) {
            text_add_string(text, "queue of ");
            describe_object(self, number, text);
            return true;
        }
        if (!is_cog && !is_life && resource != footprint_actor(object) && field >= fields)
            continue;
        describe_object(self, number, text);
        if (is_cog || is_life)
            text_add_string(text, is_cog ? " (cog)" : " (life)");
        else if (field < fields)
            text_add(text, ".%s", object->class->decl->fields.items[field]->name.text);
        return true;
    }
    return false;
}

void describe_resource(Program *base, uint64_t resource, uint8_t lanes, char *text, size_t size)
{
    AbsProgram *self = (AbsProgram *)base;
    Text name = {0};
    (void)lanes;
    if (!find_resource(self, resource, &name)) {
        AgentId agent = 0;
        while (agent < self->machine->task_count && footprint_end(self->machine, agent) != resource)
            agent++;
        char task[128];
        describe_agent(base, agent, task, sizeof task);
        text_add(&name, "future of %s", agent < self->machine->task_count ? task : "a task");
    }
    copy_text(&name, text, size);
}

bool describe_place(Program *base, uint64_t site, Place *place)
{
    const AbsProgram *self = (const AbsProgram *)base;
    uint32_t number = (uint32_t)(site >> 32);
    if (!number || number > self->image->codes.count)
        return false;
    const Code *code = self->image->codes.items[number - 1];
    SourcePlace found = source_place(&self->model->sources, (SrcPos)site);
    *place = (Place){.file = found.file->name, .function = code->name, .line = found.line, .column = found.column};
    return true;
}

/* ---- Steps ----------------------------------------------------------------------------- */

static bool is_field(const AbsProgram *self, uint64_t resource)
{
    const Machine *machine = self->machine;
    for (uint32_t i = 0; i < machine->live.count; i++) {
        const ModelObject *object = &machine->objects[machine->live.items[i]];
        if (resource - footprint_field(object, 0) < object->class->field_count)
            return true;
    }
    return false;
}

static void add_change(AbsProgram *self, const Access *access, Text *text)
{
    char name[128];
    if (access->mode != MODE_WRITE || !is_field(self, access->resource))
        return;
    describe_resource(&self->program, access->resource, LANES_ALL, name, sizeof name);
    text_add(text, "; %s", strchr(name, '.') ? strchr(name, '.') + 1 : name);
    if (guard_find_value(self->machine, access->after) != VALUE_NONE) {
        text_add_string(text, " = ");
        add_value(self, guard_find_value(self->machine, access->after), text);
    } else {
        text_add_string(text, " changes");
    }
}

/* The last access of the clock's step is that to the time. */
static void add_time(const AbsProgram *self, const Access *accesses, uint32_t count, Text *text)
{
    Value now = count ? guard_find_value(self->machine, accesses[count - 1].after) : VALUE_NONE;
    if (now == VALUE_NONE)
        text_add_string(text, "later");
    else
        add_value(self, now, text);
}

void describe_step(Program *base, uint16_t op, const Access *accesses, uint32_t count, char *text, size_t size)
{
    AbsProgram *self = (AbsProgram *)base;
    Text line = {0};
    switch ((TaskState)op) {
    case TASK_NEW:
    case TASK_INIT: text_add_string(&line, "begins"); break;
    case TASK_GET: text_add_string(&line, "continues after get"); break;
    case TASK_AWAIT: text_add_string(&line, "continues after await"); break;
    case TASK_COST: text_add_string(&line, "asks for resources"); break;
    case TASK_DELAY: text_add_string(&line, "continues after duration"); break;
    case TASK_CLOCK:
        text_add_string(&line, "it is ");
        add_time(self, accesses, count, &line);
        break;
    default: text_add_string(&line, "continues"); break;
    }
    for (uint32_t i = 0; i < count; i++)
        add_change(self, &accesses[i], &line);
    copy_text(&line, text, size);
}

/* ---- Final states ------------------------------------------------------------------------- */

static void add_object(const AbsProgram *self, uint32_t number, Text *text)
{
    const ModelObject *object = &self->machine->objects[number];
    describe_object(self, number, text);
    if (object->dead)
        text_add_string(text, " (dead)");
    for (uint32_t i = 0; i < object->class->field_count; i++) {
        text_add(text, "%s%s = ", i ? ", " : ": ", object->class->decl->fields.items[i]->name.text);
        add_value(self, object->fields[i], text);
    }
    text_add_string(text, "\n");
}

void program_abs_object_name(AbsProgram *self, uint32_t object, Text *text)
{
    describe_object(self, object, text);
}

void program_abs_task_name(AbsProgram *self, AgentId agent, Text *text)
{
    add_method(self->machine, &self->machine->tasks[agent], text);
}

void program_abs_task_words(AbsProgram *self, AgentId agent, Text *text)
{
    const Task *task = &self->machine->tasks[agent];
    if (task->object)
        add_task_name(self->machine, agent, text);
    else
        text_add_string(text, task->state == TASK_CLOCK ? "the clock" : "the main block");
}

void program_abs_print_field(AbsProgram *self, uint32_t object, uint32_t field, Text *text)
{
    add_value(self, self->machine->objects[object].fields[field], text);
}

void program_abs_print_asserted(AbsProgram *self, const Task *task, Text *text)
{
    enum { LONGEST_VALUE = 160 };
    uint32_t count = task->asserted && task->asserted_values ? task->asserted->count : 0;
    for (uint32_t i = 0; i < count; i++) {
        Text value = {0};
        add_value(self, task->asserted_values[i], &value);
        text_add(text, "%s%s = %.*s%s", i ? ", " : " (", task->asserted->items[i].name, LONGEST_VALUE,
                 text_borrow(&value), value.length > LONGEST_VALUE ? "..." : "");
        text_release(&value);
    }
    text_add_string(text, count ? ")" : "");
}

void program_abs_print_time(AbsProgram *self, const Execution *ex, const Event *event, Text *text)
{
    add_time(self, &ex->accesses[event->first_access], event->access_count, text);
}

void program_abs_print_changes(AbsProgram *self, const Execution *ex, uint32_t event, Text *text)
{
    const Event *step = &ex->events[event];
    for (uint32_t i = 0; i < step->access_count; i++)
        add_change(self, &ex->accesses[step->first_access + i], text);
}

const uint32_t *program_abs_objects(AbsProgram *self, uint32_t *count)
{
    Machine *machine = self->machine;
    *count = machine->live.count;
    if (machine->live.count)
        qsort_r(machine->live.items, machine->live.count, sizeof(uint32_t), compare_objects, machine->names);
    return machine->live.items;
}

void program_abs_print_state(AbsProgram *self, Text *text)
{
    uint32_t count;
    const uint32_t *objects = program_abs_objects(self, &count);
    for (uint32_t i = 0; i < count; i++)
        add_object(self, objects[i], text);
}

static uint64_t hash_object(const Machine *machine, const ModelObject *object)
{
    uint64_t hash = map_mix(object->name, object->dead);
    for (uint32_t i = 0; i < object->class->field_count; i++)
        hash = map_mix(hash, value_hash(&machine->context, object->fields[i]));
    return hash;
}

static uint64_t hash_task(const Machine *machine, AgentId agent)
{
    const Task *task = &machine->tasks[agent];
    if (task->state == TASK_ABSENT)
        return 0;
    uint64_t hash = map_mix(names_task_name(machine->names, agent)->hash, task->state);
    if (!task_is_over(task))
        return map_mix(hash, task->site);
    hash = map_mix(hash, task->failed ? task->site : 0); /* where it last waited does not matter */
    return map_mix(hash, value_hash(&machine->context, task->result));
}

uint64_t program_abs_objects_hash(const AbsProgram *self)
{
    const Machine *machine = self->machine;
    uint64_t hash = 0;
    for (uint32_t i = 0; i < machine->live.count; i++)
        hash += hash_object(machine, &machine->objects[machine->live.items[i]]);
    return hash;
}

uint64_t program_abs_state_hash(AbsProgram *self)
{
    const Machine *machine = self->machine;
    uint64_t hash = program_abs_objects_hash(self);
    for (AgentId agent = 0; agent < machine->task_count; agent++)
        hash += hash_task(machine, agent);
    return hash;
}
