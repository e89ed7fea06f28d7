/* task_cycles.c - cycles of the wait-for graph, and when nothing can break them any more
 *
 * A suspended task ends when its object dies. So a cycle through one is a deadlock only if no task can kill that
 * object: a task of the cycle holds the object's cog, or no code that may still run contains a method of that class
 * which may kill (ABS-11).
 */
#include <stdlib.h>
#include <string.h>

#include "abs/program/program_internal.h"
#include "abs/run/waitgraph.h"
#include "base/mem.h"

typedef struct Members {
    uint8_t in[EXECUTION_MAX_AGENTS]; /* by task: is it part of the cycle? */
} Members;

/* ---- Reachable code ------------------------------------------------------------ */

static void add_successor(const Code *code, uint8_t *reached, const Code **todo, uint32_t *count)
{
    if (!code || reached[code->number])
        return;
    reached[code->number] = 1;
    todo[(*count)++] = code;
}

static void add_successors(const AbsProgram *self, const Instr *instr, uint8_t *reached, const Code **todo,
                           uint32_t *count)
{
    const Image *image = self->image;
    switch ((InstrOp)instr->op) {
    case INSTR_ASYNC:
    case INSTR_SYNC:
        for (uint32_t i = 0; i < self->model->classes.count; i++)
            add_successor(image->classes[i].methods[instr->x.selector], reached, todo, count);
        break;
    case INSTR_SYNC_SELF: add_successor(instr->x.code, reached, todo, count); break;
    case INSTR_NEW:
    case INSTR_NEW_LOCAL:
        add_successor(instr->x.class->init, reached, todo, count);
        add_successor(instr->x.class->run, reached, todo, count);
        break;
    default: break;
    }
}

/* By code: is it reachable from this code? A call reaches the methods of this name in all classes. */
static const uint8_t *find_reached(AbsProgram *self, const Code *code)
{
    uint32_t total = self->image->codes.count, count = 0;
    if (!self->reached)
        self->reached = mem_alloc(total * sizeof *self->reached);
    if (self->reached[code->number])
        return self->reached[code->number];
    uint8_t *reached = self->reached[code->number] = mem_alloc(total);
    const Code **todo = mem_alloc(total * sizeof *todo);
    add_successor(code, reached, todo, &count);
    while (count) {
        const Code *next = todo[--count];
        for (uint32_t i = 0; i < next->count; i++)
            add_successors(self, &next->instrs[i], reached, todo, &count);
        if (next->class)
            add_successor(next->class->recover, reached, todo, &count);
    }
    free(todo);
    return reached;
}

void task_cycles_release(AbsProgram *self)
{
    for (uint32_t i = 0; self->reached && i < self->image->codes.count; i++)
        free(self->reached[i]);
    free(self->reached);
    VEC_FREE(&self->cycles);
    VEC_FREE(&self->cycle_tasks);
    program_abs_set_killers(self, NULL);
}

/* ---- What may break a cycle ------------------------------------------------------------- */

static bool may_kill(AbsProgram *self, const Code *code, const ClassCode *class)
{
    const uint8_t *reached = find_reached(self, code);
    for (uint32_t i = 0; i < self->image->codes.count; i++) {
        const Code *method = self->image->codes.items[i];
        if (reached[i] && method->class == class && (!self->killers || self->killers->may_kill(self->killers, method)))
            return true;
    }
    return false;
}

static bool task_may_kill(AbsProgram *self, const Task *task, const ClassCode *class)
{
    for (const Frame *frame = task->frame; frame; frame = frame->caller)
        if (may_kill(self, frame->code, class))
            return true;
    return false;
}

/* Can the task take another step although the cycle exists? A task that a bound stopped counts as able. */
static bool can_step(const Machine *machine, const Task *task, const Members *members)
{
    return task->state != TASK_ABSENT && !task_is_over(task) && !members->in[task->id] &&
           !waitgraph_waits_for(machine, task, members->in);
}

/* Is it suspended, with a cog that no task of the cycle holds, so that its object may die? */
static bool is_exposed(const Machine *machine, const Task *task, const Members *members)
{
    AgentId holder = machine->objects[task->cog].holder;
    return task->state == TASK_AWAIT && task->object && (holder == AGENT_NONE || !members->in[holder]);
}

static bool can_be_broken(AbsProgram *self, const TaskCycle *cycle)
{
    const Machine *machine = self->machine;
    const AgentId *tasks = self->cycle_tasks.items + cycle->first;
    Members members = {{0}};
    for (uint32_t i = 0; i < cycle->count; i++)
        members.in[tasks[i]] = 1;
    for (uint32_t i = 0; i < cycle->count; i++) {
        const Task *task = &machine->tasks[tasks[i]];
        if (!is_exposed(machine, task, &members))
            continue;
        for (AgentId other = 0; other < machine->task_count; other++)
            if (can_step(machine, &machine->tasks[other], &members) &&
                task_may_kill(self, &machine->tasks[other], machine->objects[task->object].class))
                return true;
    }
    return false;
}

/* ---- While an execution runs ----------------------------------------------------------- */

static bool is_broken(const AbsProgram *self, const TaskCycle *cycle)
{
    for (uint32_t i = 0; i < cycle->count; i++)
        if (task_is_over(&self->machine->tasks[self->cycle_tasks.items[cycle->first + i]]))
            return true;
    return false;
}

static void settle(AbsProgram *self, Execution *ex, TaskCycle *cycle, bool nothing_can_step)
{
    if (cycle->state != CYCLE_OPEN)
        return;
    if (is_broken(self, cycle)) {
        cycle->state = CYCLE_BROKEN;
        self->open_cycles--;
    } else if (nothing_can_step || !can_be_broken(self, cycle)) {
        cycle->state = CYCLE_FINAL;
        cycle->position = ex->event_count;
        self->open_cycles--;
        findings_add_deadlock(self, ex, self->cycle_tasks.items + cycle->first, cycle->count);
    }
}

static void settle_all(AbsProgram *self, Execution *ex, bool nothing_can_step)
{
    for (uint32_t i = 0; self->open_cycles && i < self->cycles.count; i++)
        settle(self, ex, &self->cycles.items[i], nothing_can_step);
}

void task_cycles_reset(AbsProgram *self)
{
    self->cycles.count = self->cycle_tasks.count = self->open_cycles = 0;
}

void task_cycles_after_step(AbsProgram *self, Execution *ex, AgentId agent)
{
    const Task *task = &self->machine->tasks[agent];
    if (task->state == TASK_GET || task->state == TASK_AWAIT) {
        AgentId tasks[EXECUTION_MAX_AGENTS];
        uint32_t count = waitgraph_find_cycle(self->machine, agent, tasks, EXECUTION_MAX_AGENTS);
        if (count) {
            VEC_PUSH(&self->cycles, ((TaskCycle){.first = self->cycle_tasks.count, .count = count}));
            for (uint32_t i = 0; i < count; i++)
                VEC_PUSH(&self->cycle_tasks, tasks[i]);
            self->open_cycles++;
        }
    }
    if (self->open_cycles)
        settle_all(self, ex, false);
}

/* No task is enabled; unless a bound stopped one, none can ever step again. */
void task_cycles_at_end(AbsProgram *self, Execution *ex)
{
    bool nothing_can_step = true;
    for (AgentId agent = 0; self->open_cycles && agent < self->machine->task_count; agent++)
        nothing_can_step = nothing_can_step && self->machine->tasks[agent].state != TASK_STOPPED;
    if (self->open_cycles)
        settle_all(self, ex, nothing_can_step);
}

/* ---- Afterwards --------------------------------------------------------------------------- */

bool program_abs_deadlock(const AbsProgram *self, uint32_t *next, AbsDeadlock *deadlock)
{
    while (*next < self->cycles.count) {
        const TaskCycle *cycle = &self->cycles.items[(*next)++];
        *deadlock = (AbsDeadlock){self->cycle_tasks.items + cycle->first, cycle->count, cycle->position};
        if (cycle->state == CYCLE_FINAL)
            return true;
    }
    return false;
}
