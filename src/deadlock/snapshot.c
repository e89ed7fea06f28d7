/* snapshot.c - see snapshot.h */
#include "deadlock/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "deadlock/bits.h"

void snapshot_init(Snapshot *snapshot, const Analysis *analysis)
{
    *snapshot = (Snapshot){.analysis = analysis, .lost = mem_alloc(EXECUTION_MAX_AGENTS)};
    reach_init(&snapshot->reach, analysis);
    snapshot->startable = mem_alloc((analysis->graph->mhp->words + 1) * sizeof(uint64_t));
}

void snapshot_release(Snapshot *snapshot)
{
    for (uint32_t i = 0; i < snapshot->tasks.room; i++) {
        free(snapshot->tasks.items[i].waits);
        free(snapshot->tasks.items[i].tasks);
    }
    VEC_FREE(&snapshot->tasks);
    VEC_FREE(&snapshot->waits);
    VEC_FREE(&snapshot->hopes);
    free(snapshot->startable);
    free(snapshot->lost);
    reach_release(&snapshot->reach);
}

/* The next view, with empty sets; reuses their memory. */
static TaskView *add_view(Snapshot *s)
{
    const DepGraph *graph = s->analysis->graph;
    uint32_t room = s->tasks.room;
    VEC_RESERVE(&s->tasks, s->tasks.count + 1);
    for (; room < s->tasks.room; room++) {
        s->tasks.items[room].waits = mem_alloc((bits_words(graph->waits.count) + 1) * sizeof(uint64_t));
        s->tasks.items[room].tasks = mem_alloc((graph->mhp->words + 1) * sizeof(uint64_t));
    }
    TaskView *view = &s->tasks.items[s->tasks.count++];
    memset(view->waits, 0, bits_words(graph->waits.count) * sizeof(uint64_t));
    memset(view->tasks, 0, graph->mhp->words * sizeof(uint64_t));
    return view;
}

/* Adds what a frame may still do; without waits of other tasks in the same code. */
static void add_frame(Snapshot *s, Machine *machine, TaskView *view, const Task *task, const Frame *frame)
{
    const DepGraph *graph = s->analysis->graph;
    uint32_t activation = alpha_activation(s->analysis, machine, frame),
             at = (uint32_t)(frame->pc - frame->code->instrs);
    if (activation == ALPHA_NONE) {
        s->unknown = true;
        return;
    }
    bool stands_on = frame != task->frame || task->state == TASK_GET;
    const ReachSet *set = stands_on ? reach_after(&s->reach, activation, at) : reach_from(&s->reach, activation, at);
    bits_join(view->tasks, set->tasks, graph->mhp->words);
    for (uint32_t i = 0; i < graph->waits.count; i++)
        if (bits_has(set->waits, i) && graph->waits.items[i].task == view->abstract)
            bits_add(view->waits, i);
}

static void add_wait(Snapshot *s, Machine *machine, const Task *task, AgentId wanted)
{
    const Task *other = &machine->tasks[wanted];
    if (task_is_over(other))
        return;
    WaitView view = {.task = task->id, .wanted = wanted, .cog = task->cog, .wanted_cog = other->cog,
                     .lost = s->lost[task->id]};
    view.wait = alpha_wait(s->analysis, machine, task, wanted);
    if (view.wait == ALPHA_NONE)
        s->unknown = true;
    else
        VEC_PUSH(&s->waits, view);
}

/* One view for each unfinished task that could make the condition true. */
static void add_hopes(Snapshot *s, Machine *machine, const Task *task)
{
    const DepGraph *graph = s->analysis->graph;
    uint32_t waiter = alpha_task(s->analysis, machine, task->id);
    uint32_t activation = alpha_activation(s->analysis, machine, task->frame);
    uint32_t at = (uint32_t)(task->frame->pc - task->frame->code->instrs) - 1;
    for (uint32_t i = 0; i < graph->waits.count; i++) {
        const WaitEdge *wait = &graph->waits.items[i];
        if (!wait->condition || wait->task != waiter || wait->activation != activation || wait->at != at)
            continue;
        for (AgentId other = 0; other < machine->task_count; other++)
            if (other != task->id && task_is_unfinished(&machine->tasks[other]) &&
                alpha_task(s->analysis, machine, other) == wait->target)
                VEC_PUSH(&s->hopes, ((WaitView){.wait = i, .task = task->id, .wanted = other, .cog = task->cog,
                                                .wanted_cog = machine->tasks[other].cog, .lost = s->lost[task->id]}));
    }
}

static void add_task(Snapshot *s, Machine *machine, const Task *task)
{
    TaskView *view = add_view(s);
    view->id = task->id;
    view->cog = task->cog;
    view->abstract = alpha_task(s->analysis, machine, task->id);
    view->enabled = machine_enabled(machine, task->id);
    view->lost = s->lost[task->id];
    if (view->abstract == ALPHA_NONE)
        s->unknown = true;
    for (const Frame *frame = task->frame; frame; frame = frame->caller)
        add_frame(s, machine, view, task, frame);
    if (task->state == TASK_GET)
        add_wait(s, machine, task, task->wanted);
    for (uint32_t i = 0; task->state == TASK_AWAIT && i < task->guard->future_count; i++)
        add_wait(s, machine, task, value_number(task->frame->registers[task->guard->futures[i]]));
    if (task->state == TASK_AWAIT && task->guard->condition)
        add_hopes(s, machine, task);
    if (!view->lost)
        bits_join(s->startable, view->tasks, s->analysis->graph->mhp->words);
}

void snapshot_take(Snapshot *s, Machine *machine)
{
    s->tasks.count = s->waits.count = s->hopes.count = 0;
    s->unknown = false;
    memset(s->startable, 0, s->analysis->graph->mhp->words * sizeof(uint64_t));
    for (AgentId agent = 0; agent < machine->task_count; agent++)
        if (task_is_unfinished(&machine->tasks[agent]))
            add_task(s, machine, &machine->tasks[agent]);
}
