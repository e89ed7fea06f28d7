/* machine_end.c - how frames, tasks and objects end: results, exceptions, death; see machine.h */
#include "abs/run/machine.h"

#include "abs/run/footprint.h"
#include "abs/run/turn.h"

/* ---- Ends ------------------------------------------------------------------------------- */

static void end_task(Machine *machine, Value result, bool failed)
{
    Task *task = machine->task;
    task->state = TASK_DONE;
    task->result = result;
    task->failed = failed;
    footprint_write_end(machine, task);
}

static void start_run_method(Machine *machine, uint32_t object)
{
    const ClassCode *class = machine->objects[object].class;
    if (class->run)
        machine_add_task(machine, object, class->run, NULL, 0);
}

static const Instr *back_to_caller(Machine *machine)
{
    Frame *frame = machine->frame;
    machine->frame = frame->caller;
    machine_free_frame(machine, frame);
    machine->registers = machine->frame->registers;
    return machine->frame->pc + 1;
}

const Instr *machine_finish(Machine *machine, Value result)
{
    Frame *frame = machine->frame;
    CodeKind kind = frame->code->kind;
    uint32_t object = frame->object;
    if (kind == CODE_INIT && !machine->objects[object].dead)
        start_run_method(machine, object);
    if (kind == CODE_RECOVER) {
        machine->task->handled = result == VALUE_TRUE;
        if (result != VALUE_TRUE)
            machine_kill(machine, object);
        if (!frame->caller)
            return NULL;
    }
    if (!frame->caller) {
        end_task(machine, kind == CODE_INIT ? VALUE_UNIT : result, false);
        return NULL;
    }
    if (kind == CODE_METHOD)
        frame->caller->registers[frame->caller->pc->a] = result;
    return back_to_caller(machine);
}

/* Suspended tasks of the object are over; those that have not begun fail when they do. */
void machine_kill(Machine *machine, uint32_t number)
{
    ModelObject *object = &machine->objects[number];
    if (object->dead || number == 0)
        return;
    footprint_write_life(machine, object);
    object->dead = true;
    object->killer = machine->task->id;
    machine->killed = true;
    for (AgentId agent = 0; agent < machine->task_count; agent++) {
        Task *task = &machine->tasks[agent];
        if (task->object != number || task == machine->task || (task->state != TASK_READY && task->state != TASK_AWAIT))
            continue;
        turn_note_kill(machine, task);
        task->killed_state = task->state;
        task->state = TASK_KILLED;
        task->failed = task->handled = true;
        task->result = machine->image->object_dead;
        task->failure_from = machine->task->id;
        task->last = machine->task->known;
        footprint_write_end(machine, task);
    }
}

/* ---- Exceptions ------------------------------------------------------------------------- */

static const TryRegion *find_region(const Code *code, const Instr *pc)
{
    uint32_t at = (uint32_t)(pc - code->instrs);
    for (uint32_t i = 0; i < code->try_count; i++)
        if (at >= code->tries[i].first && at < code->tries[i].end)
            return &code->tries[i];
    return NULL;
}

/* The task fails: its future gets the exception, its object may recover or dies. */
static const Instr *fail_task(Machine *machine, Value exception)
{
    uint32_t object = machine->frame->object;
    const Code *recover = object && !machine->objects[object].dead ? machine->objects[object].class->recover : NULL;
    end_task(machine, exception, true);
    if (recover) {
        Frame *bottom = machine->frame;
        machine->frame = NULL;
        machine_free_frame(machine, bottom);
        return machine_enter(machine, recover, object, &exception, 1);
    }
    if (object)
        machine_kill(machine, object);
    return NULL;
}

/* Leaves the newest frame because of an exception that it does not handle. Answers where to continue, or NULL if the
 * search for a handler continues in the caller. */
static const Instr *leave_frame(Machine *machine, bool *over, Value exception)
{
    Frame *frame = machine->frame;
    *over = true;
    if (frame->code->kind == CODE_RECOVER) { /* it must not throw: the object dies */
        machine_kill(machine, frame->object);
        return frame->caller ? back_to_caller(machine) : NULL;
    }
    if (frame->code->kind == CODE_INIT && frame->caller) {
        machine->objects[frame->object].dead = true;
        machine->init_failed = true;
        machine->init_site = machine->task->site;
        return back_to_caller(machine);
    }
    if (!frame->caller)
        return fail_task(machine, exception);
    *over = false;
    machine->frame = frame->caller;
    machine->registers = machine->frame->registers;
    machine_free_frame(machine, frame);
    return NULL;
}

/* The instruction of the method that threw: `instr`, or the call of the pure code that contains it. */
static const Instr *unwind_calls(Machine *machine, const Instr *instr)
{
    if (machine->call_count > machine->call_base) {
        instr = machine->calls[machine->call_base].next - 1;
        machine->call_count = machine->call_base;
        machine->top = machine->stack;
        machine->registers = machine->frame->registers;
    }
    return instr;
}

static const Instr *throw_from(Machine *machine, const Instr *instr, Value exception, bool leave)
{
    instr = unwind_calls(machine, instr);
    machine->task->site = machine_site(machine->frame->code, instr);
    machine->task->failure_from = AGENT_NONE;
    for (;; leave = false) {
        Frame *frame = machine->frame;
        const TryRegion *region = leave ? NULL : find_region(frame->code, instr);
        if (region) {
            frame->registers[region->exception] = exception;
            return frame->code->instrs + region->target;
        }
        bool over;
        const Instr *next = leave_frame(machine, &over, exception);
        if (over)
            return next;
        instr = machine->frame->pc;
    }
}

const Instr *machine_throw(Machine *machine, const Instr *instr, Value exception)
{
    if (machine->evaluating) {
        machine->raised = exception;
        return NULL;
    }
    return throw_from(machine, instr, exception, false);
}

const Instr *machine_throw_out(Machine *machine, const Instr *instr, Value exception)
{
    return throw_from(machine, instr, exception, true);
}
