/* sequence_abs.c - see sequence_abs.h
 *
 * The state of a task after a step follows from its next step: in which state that began, where, and what its guard
 * read. After its last step it is in the machine.
 */
#include "subject/abs/sequence_abs.h"

#include <string.h>

#include "abs/run/footprint.h"
#include "base/map.h"

static const char THE_CLOCK[] = "the clock";

typedef struct SequenceDrawing {
    AbsProgram *program;
    Program *base;
    const Machine *machine;
    const Execution *ex;
    Arena *arena;
    Sequence *sequence;
    const uint32_t *objects;   /* of lifelines 1, 2, ... */
    uint32_t room;             /* of calls               */
    uint32_t receipt;          /* of the next step       */
    /* so that each step finds its own in no time */
    uint32_t *lifelines;       /* by object: its lifeline                                     */
    uint32_t *next_step;       /* by position: the next one of the same task, or none         */
    AgentId *made;             /* by position: the first task that the step created, or none  */
    AgentId *next_made;        /* by task: the next one that the same step created            */
    uint32_t *born, *next_born;/* the same with lifelines: 0 is none                          */
    Map ends;                  /* from the resources of the ends of tasks to the tasks        */
} SequenceDrawing;

enum { NO_STEP = UINT32_MAX };

static const char *keep(Arena *arena, Text *text)
{
    const char *copy = arena_copy(arena, text_borrow(text), text->length);
    text_release(text);
    return copy;
}

static const char *task_name(const SequenceDrawing *drawing, AgentId agent)
{
    Text text = {0};
    program_abs_task_name(drawing->program, agent, &text);
    return keep(drawing->arena, &text);
}

static const char *path_of(const SequenceDrawing *drawing, AgentId agent)
{
    char path[256];
    drawing->base->ops->agent_path(drawing->base, agent, path, sizeof path);
    return arena_copy(drawing->arena, path, strlen(path));
}

/* ---- Lifelines ---------------------------------------------------------------------- */

static void add_lifelines(SequenceDrawing *drawing)
{
    Sequence *sequence = drawing->sequence;
    uint32_t count;
    drawing->objects = program_abs_objects(drawing->program, &count);
    sequence->lifelines = arena_alloc(drawing->arena, (count + 1) * sizeof *sequence->lifelines);
    sequence->lifelines[0] = "main";
    for (uint32_t i = 0; i < count; i++) {
        Text text = {0};
        program_abs_object_name(drawing->program, drawing->objects[i], &text);
        sequence->lifelines[i + 1] = keep(drawing->arena, &text);
    }
    sequence->lifeline_count = count + 1;
}

static uint32_t lifeline_of(const SequenceDrawing *drawing, uint32_t object)
{
    return object ? drawing->lifelines[object] : 0;
}

/* ---- Indices ---------------------------------------------------------------------------- */

static void index_objects(SequenceDrawing *drawing)
{
    uint32_t count = drawing->sequence->lifeline_count - 1, last = 0;
    for (uint32_t i = 0; i < count; i++)
        last = drawing->objects[i] > last ? drawing->objects[i] : last;
    drawing->lifelines = arena_zero(drawing->arena, (last + 1) * sizeof *drawing->lifelines);
    drawing->next_born = arena_zero(drawing->arena, (count + 1) * sizeof *drawing->next_born);
    for (uint32_t line = count; line > 0; line--) {
        uint32_t object = drawing->objects[line - 1], stamp = drawing->machine->objects[object].created_stamp;
        drawing->lifelines[object] = line;
        if (stamp == 0 || stamp > drawing->ex->event_count)
            continue;
        drawing->next_born[line] = drawing->born[stamp - 1];
        drawing->born[stamp - 1] = line;
    }
}

static void index_tasks(SequenceDrawing *drawing)
{
    const Machine *machine = drawing->machine;
    drawing->next_made = arena_alloc(drawing->arena, (machine->task_count + 1) * sizeof *drawing->next_made);
    for (AgentId agent = machine->task_count; agent-- > 0;) {
        const Task *task = &machine->tasks[agent];
        uint32_t stamp = task->created_stamp;
        if (task->state == TASK_ABSENT)
            continue;
        *map_insert(&drawing->ends, footprint_end(machine, agent), NULL) = agent;
        if (task->state == TASK_CLOCK || stamp == 0 || stamp > drawing->ex->event_count)
            continue;
        drawing->next_made[agent] = drawing->made[stamp - 1];
        drawing->made[stamp - 1] = agent;
    }
}

static void index_steps(SequenceDrawing *drawing)
{
    uint32_t count = drawing->ex->event_count;
    uint32_t *later = arena_alloc(drawing->arena, (drawing->ex->agent_count + 1) * sizeof *later);
    for (uint32_t i = 0; i < drawing->ex->agent_count; i++)
        later[i] = NO_STEP;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t *next = &later[drawing->ex->events[i].agent];
        drawing->next_step[i] = *next;
        *next = i;
    }
}

static void add_indices(SequenceDrawing *drawing)
{
    uint32_t count = drawing->ex->event_count;
    drawing->next_step = arena_alloc(drawing->arena, (count + 1) * sizeof *drawing->next_step);
    drawing->made = arena_alloc(drawing->arena, (count + 1) * sizeof *drawing->made);
    drawing->born = arena_zero(drawing->arena, (count + 1) * sizeof *drawing->born);
    for (uint32_t i = 0; i < count; i++)
        drawing->made[i] = AGENT_NONE;
    index_objects(drawing);
    index_tasks(drawing);
    index_steps(drawing);
}

/* ---- Waiting --------------------------------------------------------------------------- */

static const char *describe_awaited(AbsProgram *program, AgentId agent, Arena *arena)
{
    Text text = {0};
    program_abs_task_words(program, agent, &text);
    return keep(arena, &text);
}

/* The task whose end a guard reads, or AGENT_NONE. */
static AgentId find_awaited(const SequenceDrawing *drawing, const Event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++) {
        const Access *access = &drawing->ex->accesses[event->first_access + i];
        const uint64_t *agent = access->role == ROLE_GUARD ? map_find(&drawing->ends, access->resource) : NULL;
        if (agent)
            return (AgentId)*agent;
    }
    return AGENT_NONE;
}

const char *sequence_awaited(AbsProgram *program, const Task *task, Arena *arena)
{
    const Machine *machine = program_abs_machine(program);
    if (task->state == TASK_GET)
        return describe_awaited(program, task->wanted, arena);
    if (task->delayed && (task->state == TASK_DELAY || task->state == TASK_AWAIT))
        return THE_CLOCK;
    for (uint32_t i = 0; task->state == TASK_AWAIT && i < task->guard->future_count; i++) {
        AgentId wanted = value_number(task->frame->registers[task->guard->futures[i]]);
        if (!task_is_over(&machine->tasks[wanted]))
            return describe_awaited(program, wanted, arena);
    }
    return task->state == TASK_AWAIT && task->guard->condition ? "its condition" : NULL;
}

static uint32_t line_of(const SequenceDrawing *drawing, uint64_t site)
{
    Place place;
    return drawing->base->ops->place(drawing->base, site, &place) ? place.line : 0;
}

/* ---- Ends of steps --------------------------------------------------------------------------------- */

static Fate fate_of_state(const Task *task, TaskState state)
{
    switch (state) {
    case TASK_GET:
    case TASK_COST:
    case TASK_DELAY: return FATE_BLOCKED;
    case TASK_DONE: return task->failed ? FATE_FAILED : FATE_RETURNED;
    case TASK_STOPPED: return FATE_STOPPED;
    default: return FATE_WAITING;
    }
}

static bool waited_for_clock(const SequenceDrawing *drawing, const Event *event)
{
    for (uint32_t i = 0; i < event->access_count; i++)
        if (drawing->ex->accesses[event->first_access + i].resource == footprint_moment(drawing->machine))
            return true;
    return false;
}

static void set_fate_from_next(const SequenceDrawing *drawing, SequenceStep *step, const Event *next)
{
    const Task *task = &drawing->machine->tasks[next->agent];
    AgentId awaited = find_awaited(drawing, next);
    step->fate = fate_of_state(task, (TaskState)next->op);
    step->end_line = line_of(drawing, next->site);
    if (awaited != AGENT_NONE)
        step->awaits = describe_awaited(drawing->program, awaited, drawing->arena);
    else if (waited_for_clock(drawing, next))
        step->awaits = THE_CLOCK;
    else if (next->op == TASK_AWAIT)
        step->awaits = "its condition";
}

/* What a task waited for whose object died; the step in which that happened says so. */
static const char *awaited_by_killed(const SequenceDrawing *drawing, const Task *task)
{
    if (task->killed_state != TASK_AWAIT)
        return NULL;
    if (task->guard->future_count == 0)
        return "its condition";
    return describe_awaited(drawing->program, value_number(task->frame->registers[task->guard->futures[0]]),
                            drawing->arena);
}

static void set_last_fate(const SequenceDrawing *drawing, SequenceStep *step, AgentId agent)
{
    const Task *task = &drawing->machine->tasks[agent];
    bool killed = task->state == TASK_KILLED;
    step->fate = fate_of_state(task, (TaskState)(killed ? task->killed_state : task->state));
    if (step->fate != FATE_RETURNED)
        step->end_line = line_of(drawing, task->site);
    step->awaits = killed ? awaited_by_killed(drawing, task) : sequence_awaited(drawing->program, task, drawing->arena);
}

static void set_fate(const SequenceDrawing *drawing, SequenceStep *step, uint32_t position)
{
    uint32_t next = drawing->next_step[position];
    if (next != NO_STEP)
        set_fate_from_next(drawing, step, &drawing->ex->events[next]);
    else
        set_last_fate(drawing, step, drawing->ex->events[position].agent);
}

/* ---- Calls ------------------------------------------------------------------------------------ */

static void add_call(SequenceDrawing *drawing, SequenceStep *step, uint32_t object, AgentId task)
{
    Sequence *sequence = drawing->sequence;
    SequenceCall call = {.lifeline = lifeline_of(drawing, object)};
    if (sequence->call_count == drawing->room) {
        uint32_t room = drawing->room ? drawing->room * 2 : 32;
        SequenceCall *calls = arena_alloc(drawing->arena, room * sizeof *calls);
        if (drawing->room)
            memcpy(calls, sequence->calls, drawing->room * sizeof *calls);
        sequence->calls = calls;
        drawing->room = room;
    }
    if (task != AGENT_NONE) {
        call.task = task_name(drawing, task);
        call.path = path_of(drawing, task);
    }
    sequence->calls[sequence->call_count++] = call;
    step->call_count++;
}

static void add_calls(SequenceDrawing *drawing, SequenceStep *step, uint32_t position)
{
    step->first_call = drawing->sequence->call_count;
    for (uint32_t line = drawing->born[position]; line; line = drawing->next_born[line])
        add_call(drawing, step, drawing->objects[line - 1], AGENT_NONE);
    for (AgentId agent = drawing->made[position]; agent != AGENT_NONE; agent = drawing->next_made[agent])
        add_call(drawing, step, drawing->machine->tasks[agent].object, agent);
}

/* The results that the step read: the machine has noted them in the order of the steps. */
static void add_receipts(SequenceDrawing *drawing, SequenceStep *step, uint32_t position)
{
    const Machine *machine = drawing->machine;
    step->first_receipt = drawing->sequence->receipt_count;
    for (; drawing->receipt < machine->receipts.count; drawing->receipt++) {
        const Receipt *receipt = &machine->receipts.items[drawing->receipt];
        if (receipt->stamp > position + 1)
            break;
        if (receipt->stamp < position + 1)
            continue;
        drawing->sequence->receipts[drawing->sequence->receipt_count++] =
            (SequenceCall){.lifeline = lifeline_of(drawing, machine->tasks[receipt->from].object),
                           .task = task_name(drawing, receipt->from), .path = path_of(drawing, receipt->from)};
        step->receipt_count++;
    }
}

/* ---- Steps --------------------------------------------------------------------------------------- */

static const char *changes_of(const SequenceDrawing *drawing, uint32_t position)
{
    Text text = {0};
    program_abs_print_changes(drawing->program, drawing->ex, position, &text);
    const char *kept = keep(drawing->arena, &text);
    return *kept ? kept + 2 : kept; /* it begins with "; " */
}

static const char *clock_text(const SequenceDrawing *drawing, const Event *event)
{
    Text text = {0};
    program_abs_print_time(drawing->program, drawing->ex, event, &text);
    return keep(drawing->arena, &text);
}

static void add_step(SequenceDrawing *drawing, uint32_t position)
{
    const Event *event = &drawing->ex->events[position];
    const Task *task = &drawing->machine->tasks[event->agent];
    SequenceStep *step = &drawing->sequence->steps[drawing->sequence->step_count++];
    Place place = {0};
    if (event->op == TASK_CLOCK) {
        *step = (SequenceStep){.task = "clock", .clock = clock_text(drawing, event), .fate = FATE_OMITTED,
                               .file = "", .changes = ""};
        return;
    }
    drawing->base->ops->place(drawing->base, event->site, &place);
    *step = (SequenceStep){.lifeline = lifeline_of(drawing, task->object), .task = task_name(drawing, event->agent),
                           .path = path_of(drawing, event->agent), .file = place.file, .line = place.line,
                           .starts = event->op == TASK_NEW, .changes = changes_of(drawing, position)};
    set_fate(drawing, step, position);
    add_calls(drawing, step, position);
    add_receipts(drawing, step, position);
}

Sequence *sequence_of_execution(AbsProgram *program, const Execution *ex, uint32_t length, Arena *arena)
{
    SequenceDrawing drawing = {.program = program, .base = program_abs_program(program), .ex = ex, .arena = arena,
                       .machine = program_abs_machine(program), .sequence = arena_zero(arena, sizeof(Sequence))};
    add_lifelines(&drawing);
    add_indices(&drawing);
    drawing.sequence->steps = arena_alloc(arena, (length + 1) * sizeof(SequenceStep));
    drawing.sequence->receipts = arena_alloc(arena, (drawing.machine->receipts.count + 1) * sizeof(SequenceCall));
    for (uint32_t i = 0; i < length; i++)
        add_step(&drawing, i);
    map_release(&drawing.ends);
    return drawing.sequence;
}

static bool is_task(const char *path, const char *wanted) { return path && strcmp(path, wanted) == 0; }

static void mark(Sequence *sequence, const char *path)
{
    for (uint32_t i = 0; i < sequence->step_count; i++)
        sequence->steps[i].responsible |= is_task(sequence->steps[i].path, path);
    for (uint32_t i = 0; i < sequence->call_count; i++)
        sequence->calls[i].responsible |= is_task(sequence->calls[i].path, path);
}

void sequence_mark_tasks(AbsProgram *program, Sequence *sequence, const AgentId *tasks, uint32_t count)
{
    Program *base = program_abs_program(program);
    for (uint32_t i = 0; i < count; i++) {
        char path[256];
        base->ops->agent_path(base, tasks[i], path, sizeof path);
        mark(sequence, path);
    }
}
