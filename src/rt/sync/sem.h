/* sem.h - POSIX semaphores, unnamed and named
 *
 * Posts commute with each other (they accumulate); waits are ordered with everything.
 * Waits on a destroyed semaphore are enabled, so that the misuse is reported.
 */
#ifndef RT_SYNC_SEM_H
#define RT_SYNC_SEM_H

#include <limits.h>
#include <semaphore.h>

#include "rt/sync/misuse.h"
#include "rt/sync/sync.h"

typedef struct Semaphore {
    uint64_t resource;
    int64_t value;
    bool destroyed;
    bool near_limit;    /* posts may overflow, so they are ordered */
    Witness last;       /* of its destruction                      */
} Semaphore;

/* The state of an object that is used; on first use read from the bytes that glibc initialised. */
Semaphore *semaphore_of(sem_t *object);
/* These return 0 or an error number. */
int semaphore_init(sem_t *object, unsigned value);
/* The same for an object that is not part of the program, and not known yet. */
void semaphore_make(sem_t *object, unsigned value);
int semaphore_destroy(Semaphore *sem);
int semaphore_wait(Semaphore *sem);
int semaphore_try(Semaphore *sem);
int semaphore_wait_timed(Semaphore *sem, const struct timespec *deadline);
int semaphore_post(Semaphore *sem);
int semaphore_get(Semaphore *sem, int *value);

/* Is it one with a name? All processes have those. */
bool semaphore_is_named(uint64_t address);

/* sem_named.c: named ones live as long as an execution. Returns the object, or NULL with *error set. */
sem_t *semaphore_open(const char *name, int flags, unsigned value, int *error);
int semaphore_unlink(const char *name);

#endif
