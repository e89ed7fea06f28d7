/* spinlock.h - pthread_spinlock_t: like a normal mutex; waiting for it is a blocking wait */
#ifndef RT_SYNC_SPINLOCK_H
#define RT_SYNC_SPINLOCK_H

#include <pthread.h>

#include "rt/sync/lock.h"

/* The state of an object that is used. The operations return 0 or an error number. */
Lock *spinlock_of(pthread_spinlock_t *object);
int spinlock_init(pthread_spinlock_t *object);
int spinlock_destroy(Lock *spin);
/* By its owner: blocks forever, a deadlock. */
int spinlock_lock(Lock *spin);
/* EBUSY if it is held. */
int spinlock_try(Lock *spin);
/* A misuse if the current thread does not hold it. */
int spinlock_unlock(Lock *spin);

#endif
