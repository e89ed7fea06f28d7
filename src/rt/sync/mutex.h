/* mutex.h - mutexes: normal, recursive, error checking, robust
 *
 * All operations return 0 or an error number of POSIX. What POSIX leaves undefined is reported
 * as lock misuse; locking a normal mutex twice blocks forever, which is a deadlock.
 */
#ifndef RT_SYNC_MUTEX_H
#define RT_SYNC_MUTEX_H

#include <pthread.h>

#include "rt/sync/lock.h"

typedef enum MutexKind { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK } MutexKind;

/* The state of an object that is used; on first use made from the bytes of its initialiser. */
Lock *mutex_of(pthread_mutex_t *object);

/* A step only if the object is known (lock_init). */
int mutex_init(pthread_mutex_t *object, MutexKind kind, bool robust);
int mutex_destroy(Lock *mutex);
/* EDEADLK if the owner locks an error-checking mutex; of robust ones also EOWNERDEAD, ENOTRECOVERABLE. */
int mutex_lock(Lock *mutex);
/* EBUSY if it is held. */
int mutex_try(Lock *mutex);
/* ETIMEDOUT if it is held and the thread may time out. */
int mutex_lock_timed(Lock *mutex, const struct timespec *deadline);
/* EPERM if an error-checking, recursive or robust mutex is not held by the current thread. */
int mutex_unlock(Lock *mutex);
/* Makes a robust mutex whose owner died usable again. */
int mutex_consistent(Lock *mutex);

/* For condition variables. 0 if the current thread holds the mutex, EPERM if its kind defines
 * that result; otherwise reports the misuse: "main VERB mutex m, which it does not hold". */
int mutex_check_held(Lock *mutex, const char *verb);
/* The result of an operation that has just acquired the mutex inside its step, whose nth
 * access is the mutex's. */
int mutex_taken(Lock *mutex, unsigned nth);
/* Releases the mutex inside a step whose nth access is the mutex's. */
void mutex_give(Lock *mutex, unsigned nth);

/* Releases the robust mutexes of the current thread, which is ending. A step for each. */
void mutex_release_robust(void);

#endif
