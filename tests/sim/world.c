/* world.c - see world.h */
#include "world.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/vec.h"

enum { STACK = 256 * 1024 };

struct Task {
    World *world;
    ucontext_t context;
    void *stack;
    void (*body)(void *argument);
    void *argument;
    uint64_t ticket;   /* alarms with another one are out of date */
    bool asleep;       /* nothing wakes it before its time        */
    bool woken, ended;
};

typedef struct Alarm {
    double time;
    uint64_t order;    /* first come, first served */
    Task *task;
    uint64_t ticket;
} Alarm;

struct World {
    double now;
    uint64_t order;
    ucontext_t context;
    Task *current;
    VEC(Alarm) alarms; /* a heap */
    VEC(Task *) tasks;
    VEC(void *) stacks; /* to be used again */
};

/* ---- Alarms ------------------------------------------------------------------ */

static bool is_earlier(const Alarm *a, const Alarm *b)
{
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void swap(World *world, uint32_t i, uint32_t k)
{
    Alarm held = world->alarms.items[i];
    world->alarms.items[i] = world->alarms.items[k];
    world->alarms.items[k] = held;
}

static void set_alarm(World *world, Task *task, double time)
{
    VEC_PUSH(&world->alarms, ((Alarm){.time = time, .order = world->order++, .task = task, .ticket = ++task->ticket}));
    const Alarm *heap = world->alarms.items;
    for (uint32_t i = world->alarms.count - 1; i > 0 && is_earlier(&heap[i], &heap[(i - 1) / 2]); i = (i - 1) / 2)
        swap(world, i, (i - 1) / 2);
}

static Alarm next_alarm(World *world)
{
    Alarm first = world->alarms.items[0];
    const Alarm *heap = world->alarms.items;
    uint32_t count = --world->alarms.count;
    world->alarms.items[0] = heap[count];
    for (uint32_t i = 0, least;; i = least) {
        least = i;
        for (uint32_t child = 2 * i + 1; child <= 2 * i + 2 && child < count; child++)
            if (is_earlier(&heap[child], &heap[least]))
                least = child;
        if (least == i)
            return first;
        swap(world, i, least);
    }
}

/* ---- Tasks -------------------------------------------------------------------- */

static void run_task(unsigned high, unsigned low)
{
    Task *task = (Task *)((uintptr_t)high << 32 | (uintptr_t)low);
    task->body(task->argument);
    task->ended = true;
    swapcontext(&task->context, &task->world->context);
}

static void *take_stack(World *world)
{
    if (world->stacks.count)
        return world->stacks.items[--world->stacks.count];
    void *stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED)
        abort();
    return stack;
}

Task *world_spawn(World *world, void (*body)(void *argument), void *argument)
{
    Task *task = mem_alloc(sizeof *task);
    *task = (Task){.world = world, .body = body, .argument = argument, .stack = take_stack(world)};
    getcontext(&task->context);
    task->context.uc_stack.ss_sp = task->stack;
    task->context.uc_stack.ss_size = STACK;
    uintptr_t address = (uintptr_t)task;
    makecontext(&task->context, (void (*)(void))run_task, 2, (unsigned)(address >> 32), (unsigned)address);
    VEC_PUSH(&world->tasks, task);
    set_alarm(world, task, world->now);
    return task;
}

bool task_has_ended(const Task *task) { return task->ended; }
Task *world_task(const World *world) { return world->current; }

static void leave(World *world) { swapcontext(&world->current->context, &world->context); }

void world_sleep(World *world, double seconds)
{
    Task *task = world->current;
    set_alarm(world, task, world->now + (seconds > 0 ? seconds : 0));
    task->asleep = true;
    leave(world);
    task->asleep = false;
}

bool world_wait(World *world, double seconds)
{
    Task *task = world->current;
    if (!task->woken) {
        set_alarm(world, task, world->now + (seconds > 0 ? seconds : 0));
        leave(world);
    }
    bool woken = task->woken;
    task->woken = false;
    return woken;
}

void world_wake(World *world, Task *task)
{
    if (!task || task->woken || task->ended)
        return;
    task->woken = true;
    if (task != world->current && !task->asleep)
        set_alarm(world, task, world->now);
}

void world_run(World *world, double until)
{
    while (world->alarms.count && world->alarms.items[0].time <= until) {
        Alarm alarm = next_alarm(world);
        if (alarm.ticket != alarm.task->ticket || alarm.task->ended)
            continue;
        world->now = alarm.time;
        world->current = alarm.task;
        swapcontext(&world->context, &alarm.task->context);
        world->current = NULL;
        if (alarm.task->ended) {
            VEC_PUSH(&world->stacks, alarm.task->stack);
            alarm.task->stack = NULL;
        }
    }
}

/* ---- Lifecycle ----------------------------------------------------------------- */

World *world_create(void) { return mem_alloc(sizeof(World)); }
double world_now(void *world) { return ((World *)world)->now; }

void world_destroy(World *world)
{
    for (uint32_t i = 0; i < world->tasks.count; i++) {
        if (world->tasks.items[i]->stack)
            munmap(world->tasks.items[i]->stack, STACK);
        free(world->tasks.items[i]);
    }
    for (uint32_t i = 0; i < world->stacks.count; i++)
        munmap(world->stacks.items[i], STACK);
    VEC_FREE(&world->tasks);
    VEC_FREE(&world->stacks);
    VEC_FREE(&world->alarms);
    free(world);
}
