/* machine.c - see machine.h: executions, tasks, frames, steps */
#include "abs/run/machine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "abs/run/clock.h"
#include "abs/run/component.h"
#include "abs/run/footprint.h"
#include "abs/run/guard.h"
#include "abs/run/idle.h"
#include "abs/run/inputs.h"
#include "abs/run/start.h"
#include "abs/run/turn.h"
#include "base/map.h"
#include "base/mem.h"

enum {
    STACK_VALUES = 1 << 24, /* of pure code: address space, used on demand */
    MOST_CALLS = 1 << 21,
    MOST_ACCESSES = 50000,  /* of one step                                 */
    SPENDS_PER_QUESTION = 1024,
    MAIN_NAME = 0x3a11
};

/* ---- Lifecycle -------------------------------------------------------------------------- */

static void *reserve(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        mem_exhausted(size);
    return block;
}

static void print_object(const ValueContext *context, uint32_t number, Text *text)
{
    const Machine *machine = (const Machine *)((const char *)context - offsetof(Machine, context));
    const ModelObject *object = &machine->objects[number];
    if (object->class && object->path) {
        text_add_string(text, object->path);
        return;
    }
    const ObjectName *name = names_object_name(machine->names, number);
    char creator[256];
    names_print_task(machine->names, name->creator, creator, sizeof creator); /* the same in every schedule */
    text_add(text, "%s_%s#%u", object->class ? object->class->name : "object", creator, name->nth);
}

static void print_future(const ValueContext *context, uint32_t agent, Text *text)
{
    const Machine *machine = (const Machine *)((const char *)context - offsetof(Machine, context));
    char path[256];
    names_print_task(machine->names, agent, path, sizeof path);
    text_add(text, "future of task %s", path);
}

Machine *machine_create(const Image *image, const MachineOptions *options)
{
    Machine *machine = mem_alloc(sizeof *machine);
    machine->image = image;
    machine->options = *options;
    machine->names = names_create();
    machine->context = (ValueContext){.constructor_names = image->constructor_names,
                                      .constructor_ranks = image->constructor_ranks,
                                      .constructor_hashes = image->constructor_hashes,
                                      .names = machine->names, .print_object = print_object,
                                      .print_future = print_future};
    machine->tasks = reserve(EXECUTION_MAX_AGENTS * sizeof(Task));
    machine->objects = reserve(NAMES_MAX_OBJECTS * sizeof(ModelObject));
    machine->stack = reserve(STACK_VALUES * sizeof(Value));
    machine->stack_end = machine->stack + STACK_VALUES;
    machine->calls = reserve(MOST_CALLS * sizeof(Call));
    machine->guards = guard_table_create();
    machine->has_inputs = image->has_inputs;
    types_init(&machine->types, (Model *)image->model);
    if (machine->has_inputs)
        machine->inputs = inputs_create(&machine->options.solver);
    return machine;
}

void machine_destroy(Machine *machine)
{
    if (!machine)
        return;
    munmap(machine->tasks, EXECUTION_MAX_AGENTS * sizeof(Task));
    munmap(machine->objects, NAMES_MAX_OBJECTS * sizeof(ModelObject));
    munmap(machine->stack, STACK_VALUES * sizeof(Value));
    munmap(machine->calls, MOST_CALLS * sizeof(Call));
    guard_table_destroy(machine->guards);
    inputs_destroy(machine->inputs);
    names_destroy(machine->names);
    arena_release(&machine->heap);
    arena_release(&machine->scratch);
    text_release(&machine->output);
    VEC_FREE(&machine->live);
    VEC_FREE(&machine->starters);
    VEC_FREE(&machine->resolved);
    VEC_FREE(&machine->touched);
    VEC_FREE(&machine->births);
    VEC_FREE(&machine->receipts);
    VEC_FREE(&machine->finds);
    VEC_FREE(&machine->created);
    VEC_FREE(&machine->starving);
    VEC_FREE(&machine->changed_queues);
    VEC_FREE(&machine->queue);
    free(machine);
}

void machine_set_start(Machine *machine, const struct StartState *start)
{
    machine->start = start;
    machine->has_inputs = start || machine->image->has_inputs;
    if (machine->has_inputs && !machine->inputs)
        machine->inputs = inputs_create(&machine->options.solver);
}

static void forget_objects(Machine *machine)
{
    for (uint32_t i = 0; i < machine->live.count; i++)
        machine->objects[machine->live.items[i]].class = NULL;
    machine->live.count = machine->ranked = machine->starters.count = machine->resolved.count = 0;
    machine->objects[0] = (ModelObject){.holder = AGENT_NONE, .killer = AGENT_NONE, .name = MAIN_NAME};
}

void machine_reset(Machine *machine, Execution *ex)
{
    for (AgentId agent = 0; machine->ex && agent < machine->task_count; agent++)
        machine->tasks[agent].state = TASK_ABSENT;
    machine->ex = ex;
    machine->task_count = machine->announced = machine->numbered = 0;
    arena_reset(&machine->heap);
    machine->arena = &machine->heap;
    memset(machine->free_frames, 0, sizeof machine->free_frames);
    forget_objects(machine);
    text_reset(&machine->output);
    machine->births.count = machine->finds.count = machine->changed_queues.count = machine->receipts.count = 0;
    machine->unsupported = NULL;
    machine->init_failed = machine->evaluating = machine->diverged = machine->interrupted = false;
    machine->decisions = machine->concretised = machine->limited = 0;
    machine->refused = false;
    machine->stamp = 0;
    machine->task = NULL;
    machine->call_count = machine->call_base = 0;
    machine->top = machine->stack;
    machine->diverged = machine->has_inputs && !inputs_begin(machine);
    clock_reset(machine);
    machine_add_task(machine, 0, machine->image->main, NULL, 0);
}

/* ---- Frames ----------------------------------------------------------------------------- */

static Frame *new_frame(Machine *machine, const Code *code)
{
    uint32_t class = (code->register_count + 3u) / 4;
    Frame *frame = class < 64 ? machine->free_frames[class] : NULL;
    if (frame)
        machine->free_frames[class] = frame->caller;
    else
        frame = arena_alloc(&machine->heap, sizeof *frame + class * 4 * sizeof(Value));
    frame->room = class;
    return frame;
}

void machine_free_frame(Machine *machine, Frame *frame)
{
    if (frame->room < 64) {
        frame->caller = machine->free_frames[frame->room];
        machine->free_frames[frame->room] = frame;
    }
}

static Frame *make_frame(Machine *machine, const Code *code, uint32_t object, const Value *args, uint32_t count)
{
    Frame *frame = new_frame(machine, code);
    frame->code = code;
    frame->pc = code->instrs;
    frame->object = object;
    frame->turns = 0;
    frame->decisions = machine->decisions;
    for (uint32_t i = 0; i < count; i++)
        frame->registers[i] = args[i];
    if (code->register_count > count) /* clears registers: states are compared and searched for references */
        memset(frame->registers + count, 0xff, (code->register_count - count) * sizeof(Value));
    return frame;
}

const Instr *machine_enter(Machine *machine, const Code *code, uint32_t object, const Value *args, uint32_t count)
{
    Frame *frame = make_frame(machine, code, object, args, count);
    frame->caller = machine->frame;
    machine->frame = frame;
    machine->registers = frame->registers;
    return code->instrs;
}

uint64_t machine_site(const Code *code, const Instr *instr)
{
    return (uint64_t)(code->number + 1) << 32 | code->places[instr - code->instrs];
}

void machine_refuse(Machine *machine, const char *what)
{
    if (machine->unsupported || machine->supposing)
        return;
    machine->unsupported = what;
    machine->unsupported_site = machine_site(machine->frame->code, machine->frame->pc);
}

/* ---- Tasks ------------------------------------------------------------------------------ */

/* Numbers between those of this execution's tasks may belong to tasks of other executions. */
void machine_announce(Machine *machine, AgentId id, AgentId creator)
{
    Execution *ex = machine->ex;
    machine->announced++;
    while (ex->agent_count <= id)
        ex->agents[ex->agent_count++] = (Agent){.creator = AGENT_NONE};
    ex->agents[id] = (Agent){.creator = creator,
                             .creator_step = creator == AGENT_NONE ? 0 : ex->agents[creator].steps - 1};
    if (machine->task_count < ex->agent_count) {
        for (AgentId agent = machine->task_count; agent < id; agent++)
            machine->tasks[agent].state = TASK_ABSENT;
        machine->task_count = ex->agent_count;
    }
}

Task *machine_add_task(Machine *machine, uint32_t object, const Code *code, const Value *args, uint32_t count)
{
    Task *creator = machine->task;
    AgentId id = creator ? names_task(machine->names, creator->id, ++creator->children) : 0;
    if (id == AGENT_NONE) {
        execution_cut(machine->ex, CUT_ROOM);
        return NULL;
    }
    machine_announce(machine, id, creator ? creator->id : AGENT_NONE);
    Task *task = &machine->tasks[id];
    *task = (Task){.id = id,
                   .state = TASK_NEW,
                   .object = object,
                   .cog = machine->objects[object].cog,
                   .code = code,
                   .created_stamp = machine->stamp,
                   .failure_from = AGENT_NONE,
                   .arrival = machine->now,
                   .deadline = machine->call_deadline,
                   .amount = VALUE_NONE,
                   .site = (uint64_t)(code->number + 1) << 32 | code->pos};
    machine->call_deadline = VALUE_NONE;
    task->frame = make_frame(machine, code, object, args, count);
    task->frame->caller = NULL;
    VEC_PUSH(&machine->created, id);
    turn_enter(machine, task);
    return task;
}

static const Knowledge *learn(Machine *machine, const Knowledge *known, AgentId agent)
{
    return knowledge_add(&machine->heap, knowledge_join(&machine->heap, known, machine->tasks[agent].last), agent);
}

void machine_learn(Machine *machine, Task *task, AgentId agent)
{
    task->known = learn(machine, task->known, agent);
    machine->given = learn(machine, machine->given, agent);
}

/* ---- Enabledness ------------------------------------------------------------------------ */

static bool condition_holds(Machine *machine, Task *task)
{
    uint32_t version = machine->objects[task->frame->object].version;
    if (!task->guard_known || task->guard_version != version || task->guard->reads_clock) {
        task->guard_holds = guard_holds_now(machine, task, NULL);
        task->guard_version = version;
        task->guard_known = true;
    }
    return task->guard_holds;
}

static bool guard_holds(Machine *machine, Task *task)
{
    const Guarding *guard = task->guard;
    if (task->delayed)
        return false;
    for (uint32_t i = 0; i < guard->future_count; i++)
        if (!task_is_over(&machine->tasks[value_number(task->frame->registers[guard->futures[i]])]))
            return false;
    return !guard->condition || (machine->has_inputs ? task->holds : condition_holds(machine, task));
}

bool machine_could_run(Machine *machine, Task *task)
{
    return task->state == TASK_NEW || (task->state == TASK_READY && (!task->idle || idle_is_over(machine, task))) ||
           (task->state == TASK_AWAIT && guard_holds(machine, task));
}

bool machine_ready(Machine *machine, AgentId agent)
{
    if (agent >= machine->task_count)
        return false;
    Task *task = &machine->tasks[agent];
    switch ((TaskState)task->state) {
    case TASK_NEW:
    case TASK_READY:
    case TASK_AWAIT:
        return machine->objects[task->cog].holder == AGENT_NONE && turn_allows(machine, task) &&
               machine_could_run(machine, task);
    case TASK_GET: return task_is_over(&machine->tasks[task->wanted]);
    case TASK_INIT:
    case TASK_COST: return true;
    case TASK_DELAY: return !task->delayed;
    case TASK_CLOCK: return clock_is_due(machine);
    default: return false;
    }
}

bool machine_has_steps(const Machine *machine, AgentId agent)
{
    const Execution *ex = machine->ex;
    return agent == machine->clock || !ex->max_agent_steps || ex->agents[agent].steps < ex->max_agent_steps;
}

bool machine_enabled(Machine *machine, AgentId agent)
{
    return machine_ready(machine, agent) && machine_has_steps(machine, agent);
}

/* ---- Steps ------------------------------------------------------------------------------ */

static void run(Machine *machine, const Instr *instr)
{
    if (machine->executed) {
        for (; instr; instr = instr->run(machine, machine->registers, instr))
            *map_insert(machine->executed, map_key(instr), NULL) = 1;
        return;
    }
    while (instr)
        instr = instr->run(machine, machine->registers, instr);
}

/* Then the step ends where it spends next. */
static void ask_for_time(Machine *machine)
{
    const Execution *ex = machine->ex;
    if (machine->may_continue && !machine->may_continue(machine->may_continue_context))
        machine->interrupted = true;
    if (machine->interrupted || ex->events[ex->event_count - 1].access_count > MOST_ACCESSES)
        machine->fuel = 0;
}

bool machine_spend(Machine *machine)
{
    if (machine->fuel == 0 || arena_used(&machine->heap) > machine->options.max_heap)
        return false;
    if (--machine->fuel % SPENDS_PER_QUESTION == 0)
        ask_for_time(machine);
    return true;
}

const Instr *machine_stop(Machine *machine, CutKind cut)
{
    machine->task->state = TASK_STOPPED;
    machine->task->keeps = !machine->options.whole_bounds; /* then the execution ends here */
    machine->task->site = machine_site(machine->frame->code, machine->frame->pc);
    if (cut != CUT_NONE)
        execution_cut(machine->ex, cut);
    return NULL;
}

const Instr *machine_give_up(Machine *machine, CutKind cut)
{
    machine->exhausted = true;
    if (!machine->supposing)
        execution_cut(machine->ex, cut);
    return NULL;
}

/* Before it has done anything: another task may run in its place, unless it held its cog anyway, or was chosen. */
static void stop_before_step(Machine *machine, Task *task, TaskState state)
{
    machine_stop(machine, CUT_SWITCHES);
    task->keeps = state == TASK_GET || state == TASK_INIT || state == TASK_DELAY || state == TASK_COST ||
                  turn_is_scheduled(machine, task->cog);
}

const Instr *machine_take_result(Machine *machine, Task *task, const Instr *instr)
{
    task->seen = true;
    if (machine->options.keep_values)
        VEC_PUSH(&machine->receipts, ((Receipt){machine->stamp, task->id}));
    if (!task->failed) {
        machine->registers[instr->a] = task->result;
        return instr + 1;
    }
    const Instr *next = machine_throw(machine, instr, task->result);
    machine->task->failure_from = task->id;
    return next;
}

/* Completes the `get` in which the task waited; answers the next instruction. */
static const Instr *complete_get(Machine *machine, Task *task)
{
    Task *wanted = &machine->tasks[task->wanted];
    const Instr *instr = machine->frame->pc;
    machine_learn(machine, task, wanted->id);
    return machine_take_result(machine, wanted, instr);
}

static const Instr *complete_await(Machine *machine, Task *task)
{
    const Guarding *guard = task->guard;
    Value raised = VALUE_NONE;
    for (uint32_t i = 0; i < guard->future_count; i++)
        machine_learn(machine, task, value_number(machine->registers[guard->futures[i]]));
    if (machine->has_inputs)
        raised = guard->condition ? task->raised : VALUE_NONE;
    else if (guard->condition)
        guard_holds_now(machine, task, &raised);
    machine_cover(machine, guard->decision, true);
    const Instr *next = machine->frame->pc;
    return raised == VALUE_NONE ? next : machine_throw(machine, next - 1, raised);
}

/* A task that begins on a dead object fails at once. */
static const Instr *begin_task(Machine *machine, Task *task)
{
    if (task->object && machine->objects[task->object].dead) {
        machine->read_data = true;
        task->failed = true;
        task->result = machine->image->object_dead;
        task->failure_from = machine->objects[task->object].killer;
        task->handled = true;
        task->state = TASK_DONE;
        footprint_write_end(machine, task);
        return NULL;
    }
    if (machine->start && task->id == 0) {
        start_run(machine);
        return machine_finish(machine, VALUE_UNIT);
    }
    return machine->frame->pc;
}

static const Instr *resume(Machine *machine, Task *task, TaskState state)
{
    switch (state) {
    case TASK_NEW: return begin_task(machine, task);
    case TASK_GET: return complete_get(machine, task);
    case TASK_AWAIT: return complete_await(machine, task);
    case TASK_COST: return component_ask(machine, task) ? machine->frame->pc : NULL;
    default: return machine->frame->pc;
    }
}

/* In a model with inputs it is a decision whether a condition holds. It is made by the step that reaches the condition
 * and by every step that assigns one of its fields: other orders of the steps then need only the resource that holds
 * the outcome. */
void machine_decide_guards(Machine *machine, bool clock)
{
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        Task *task = &machine->tasks[agent];
        if (task->state != TASK_AWAIT || !task->guard->condition || task == machine->task ||
            !(clock ? task->guard->reads_clock
                    : footprint_wrote(machine, &machine->objects[task->frame->object], task->guard)))
            continue;
        bool before = task->holds;
        task->holds = guard_holds_now(machine, task, &task->raised);
        machine_cover(machine, task->guard->decision, task->holds);
        footprint_write_guard(machine, task, before);
    }
}

void machine_step(Machine *machine, AgentId agent)
{
    if (agent == machine->clock) {
        clock_step(machine);
        return;
    }
    Task *task = &machine->tasks[agent];
    TaskState state = (TaskState)task->state;
    machine->task = task;
    idle_begin_step(machine, task);
    footprint_begin(machine, task);
    machine->frame = task->frame;
    machine->registers = task->frame->registers;
    machine->fuel = machine->options.max_fuel;
    machine->call_count = machine->call_base = 0;
    machine->top = machine->stack;
    task->state = TASK_RUNNING;
    if (bounds_switch(machine) && bounds_step(machine, task, state == TASK_NEW))
        run(machine, resume(machine, task, state));
    else
        stop_before_step(machine, task, state);
    task->frame = machine->frame;
    if (machine->wrote_guarded && machine->has_inputs)
        machine_decide_guards(machine, false);
    footprint_end_step(machine, task);
    idle_end_step(machine, task);
    machine->task = NULL;
}

/* ---- Pure code -------------------------------------------------------------------------- */

Value machine_evaluate(Machine *machine, const Code *code, const Value *captured)
{
    Value *registers = machine->registers, *top = machine->top, result;
    bool evaluating = machine->evaluating;
    uint32_t count = machine->call_count;
    uint64_t fuel = machine->fuel;
    Arena *arena = machine->arena;
    arena_reset(&machine->scratch);
    machine->arena = &machine->scratch;
    machine->evaluating = true;
    machine->exhausted = false;
    machine->raised = VALUE_NONE;
    machine->fuel = machine->options.max_fuel;
    machine->calls[machine->call_count++] = (Call){.next = NULL, .registers = &result, .top = top};
    machine->registers = top;
    machine->top = top + code->register_count;
    for (uint32_t i = 0; i < code->captured_count; i++)
        machine->registers[code->captured[i]] = captured[i];
    run(machine, code->instrs);
    if (machine->raised != VALUE_NONE)
        machine->raised = value_copy(&machine->heap, machine->raised);
    if (machine->raised != VALUE_NONE || machine->exhausted)
        result = VALUE_NONE;
    machine->call_count = count;
    machine->evaluating = evaluating;
    machine->registers = registers;
    machine->top = top;
    machine->fuel = machine->interrupted ? 0 : fuel;
    machine->arena = arena;
    return result;
}
