/* circles.c - circles of waiting tasks, and when nothing can break them any more
 *
 * A task that is suspended ends when its object dies. So a circle through one is a deadlock
 * only if no task can come to kill that object: the circle itself holds the object's cog, or
 * no code that may still run has a method of that class which may kill (ABS-11).
 */
#include <stdlib.h>
#include <string.h>

#include "abs/program/program_internal.h"
#include "abs/run/waitgraph.h"
#include "base/mem.h"

typedef struct Members {
    uint8_t in[EXECUTION_MAX_AGENTS]; /* by task: is it part of the circle? */
} Members;

/* ---- Code that may follow ------------------------------------------------------------ */

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

/* By code: may it run because this one does? Calls by name mean every class that has it. */
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

void circles_release(AbsProgram *self)
{
    for (uint32_t i = 0; self->reached && i < self->image->codes.count; i++)
        free(self->reached[i]);
    free(self->reached);
    VEC_FREE(&self->circles);
    VEC_FREE(&self->circle_tasks);
    program_abs_set_killers(self, NULL);
}

/* ---- Who may break a circle ------------------------------------------------------------- */

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

/* Can it take another step while the circle stands? What a bound stopped could. */
static bool may_move(const Machine *machine, const Task *task, const Members *members)
{
    return task->state != TASK_ABSENT && !task_is_over(task) && !members->in[task->id] &&
           !waitgraph_waits_for(machine, task, members->in);
}

/* Suspended, and its object may die although the circle stands? */
static bool is_exposed(const Machine *machine, const Task *task, const Members *members)
{
    AgentId holder = machine->objects[task->cog].holder;
    return task->state == TASK_AWAIT && task->object && (holder == AGENT_NONE || !members->in[holder]);
}

static bool can_be_broken(AbsProgram *self, const Circle *circle)
{
    const Machine *machine = self->machine;
    const AgentId *tasks = self->circle_tasks.items + circle->first;
    Members members = {{0}};
    for (uint32_t i = 0; i < circle->count; i++)
        members.in[tasks[i]] = 1;
    for (uint32_t i = 0; i < circle->count; i++) {
        const Task *task = &machine->tasks[tasks[i]];
        if (!is_exposed(machine, task, &members))
            continue;
        for (AgentId other = 0; other < machine->task_count; other++)
            if (may_move(machine, &machine->tasks[other], &members) &&
                task_may_kill(self, &machine->tasks[other], machine->objects[task->object].class))
                return true;
    }
    return false;
}

/* ---- While an execution runs ----------------------------------------------------------- */

static bool is_broken(const AbsProgram *self, const Circle *circle)
{
    for (uint32_t i = 0; i < circle->count; i++)
        if (task_is_over(&self->machine->tasks[self->circle_tasks.items[circle->first + i]]))
            return true;
    return false;
}

static void settle(AbsProgram *self, Execution *ex, Circle *circle, bool nothing_moves)
{
    if (circle->state != CIRCLE_OPEN)
        return;
    if (is_broken(self, circle)) {
        circle->state = CIRCLE_BROKEN;
        self->open_circles--;
    } else if (nothing_moves || !can_be_broken(self, circle)) {
        circle->state = CIRCLE_FINAL;
        circle->position = ex->event_count;
        self->open_circles--;
        findings_add_deadlock(self, ex, self->circle_tasks.items + circle->first, circle->count);
    }
}

static void settle_all(AbsProgram *self, Execution *ex, bool nothing_moves)
{
    for (uint32_t i = 0; self->open_circles && i < self->circles.count; i++)
        settle(self, ex, &self->circles.items[i], nothing_moves);
}

void circles_reset(AbsProgram *self)
{
    self->circles.count = self->circle_tasks.count = self->open_circles = 0;
}

void circles_after_step(AbsProgram *self, Execution *ex, AgentId agent)
{
    const Task *task = &self->machine->tasks[agent];
    if (task->state == TASK_GET || task->state == TASK_AWAIT) {
        AgentId tasks[EXECUTION_MAX_AGENTS];
        uint32_t count = waitgraph_find_cycle(self->machine, agent, tasks, EXECUTION_MAX_AGENTS);
        if (count) {
            VEC_PUSH(&self->circles, ((Circle){.first = self->circle_tasks.count, .count = count}));
            for (uint32_t i = 0; i < count; i++)
                VEC_PUSH(&self->circle_tasks, tasks[i]);
            self->open_circles++;
        }
    }
    if (self->open_circles)
        settle_all(self, ex, false);
}

/* Nothing can run; if no bound is the reason, nothing ever will. */
void circles_at_end(AbsProgram *self, Execution *ex)
{
    bool nothing_moves = true;
    for (AgentId agent = 0; self->open_circles && agent < self->machine->task_count; agent++)
        nothing_moves = nothing_moves && self->machine->tasks[agent].state != TASK_STOPPED;
    if (self->open_circles)
        settle_all(self, ex, nothing_moves);
}

/* ---- Afterwards --------------------------------------------------------------------------- */

bool program_abs_deadlock(const AbsProgram *self, uint32_t *next, AbsDeadlock *deadlock)
{
    while (*next < self->circles.count) {
        const Circle *circle = &self->circles.items[(*next)++];
        *deadlock = (AbsDeadlock){self->circle_tasks.items + circle->first, circle->count, circle->position};
        if (circle->state == CIRCLE_FINAL)
            return true;
    }
    return false;
}
