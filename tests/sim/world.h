/* world.h - tasks in virtual time: a discrete-event simulator whose processes are coroutines
 *
 * One task runs at a time, until it waits. Time passes only when all wait.
 */
#ifndef SIM_WORLD_H
#define SIM_WORLD_H

#include <stdbool.h>

typedef struct World World;
typedef struct Task Task;

World *world_create(void);
/* Tasks that have not ended are forgotten. */
void world_destroy(World *world);
double world_now(void *world);

/* A new task, which begins when the present one waits. Valid until the world is destroyed. */
Task *world_spawn(World *world, void (*body)(void *argument), void *argument);
bool task_has_ended(const Task *task);
/* The one that runs. */
Task *world_task(const World *world);

/* In a task: */
void world_sleep(World *world, double seconds);
/* Waits for world_wake, or for so many seconds; false if it was not woken. A task that was woken
 * since it last waited does not wait. */
bool world_wait(World *world, double seconds);
void world_wake(World *world, Task *task);

/* Runs until all tasks have ended or wait forever, or `until` has come. */
void world_run(World *world, double until);

#endif
