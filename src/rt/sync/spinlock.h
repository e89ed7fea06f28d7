/* spinlock.h - pthread_spinlock_t: a mutex without kinds; waiting is waiting */
#ifndef RT_SYNC_SPINLOCK_H
#define RT_SYNC_SPINLOCK_H

#include <pthread.h>

#include "rt/sync/lock.h"

Lock *spinlock_of(pthread_spinlock_t *object);
int spinlock_init(pthread_spinlock_t *object);
int spinlock_destroy(Lock *spin);
/* By its owner: waits for ever, a deadlock. */
int spinlock_lock(Lock *spin);
int spinlock_try(Lock *spin);
int spinlock_unlock(Lock *spin);

#endif
