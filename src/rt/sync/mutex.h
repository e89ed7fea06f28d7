/* mutex.h - mutexes: normal, recursive, error checking, robust
 *
 * Answers are error numbers as POSIX has them. What POSIX leaves undefined is reported
 * as lock misuse; locking a normal mutex twice waits for ever, which is a deadlock.
 */
#ifndef RT_SYNC_MUTEX_H
#define RT_SYNC_MUTEX_H

#include <pthread.h>

#include "rt/sync/lock.h"

typedef enum MutexKind { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK } MutexKind;

/* The model of an object in use; made from the bytes of a static initialiser if need be. */
Lock *mutex_of(pthread_mutex_t *object);

int mutex_init(pthread_mutex_t *object, MutexKind kind, bool robust);
int mutex_destroy(Lock *mutex);
int mutex_lock(Lock *mutex);
int mutex_try(Lock *mutex);
int mutex_lock_timed(Lock *mutex, const struct timespec *deadline);
int mutex_unlock(Lock *mutex);
/* Robust mutexes: the state it protects is sound again. */
int mutex_consistent(Lock *mutex);

/* For condition variables. 0 if the current thread holds the mutex, EPERM if the kind
 * defines that answer; else reports the misuse. */
int mutex_check_held(Lock *mutex, const char *verb);
/* The answer of an operation that has just taken the mutex inside its step, whose nth
 * access is the mutex's. */
int mutex_taken(Lock *mutex, unsigned nth);
/* The same for giving it up. */
void mutex_give(Lock *mutex, unsigned nth);

/* Gives up the robust mutexes of the current thread, which is ending. A step for each. */
void mutex_release_robust(void);

#endif
