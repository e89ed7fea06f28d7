/* rwlock.h - read-write locks
 *
 * Readers commute with each other: a reader's lock and unlock accumulate on the lock's
 * value, guarded by "no writer". A writer that asks again gets EDEADLK, as with glibc; a
 * reader that asks for writing waits for itself, a deadlock.
 */
#ifndef RT_SYNC_RWLOCK_H
#define RT_SYNC_RWLOCK_H

#include <pthread.h>

#include "rt/sync/lock.h"

Lock *rwlock_of(pthread_rwlock_t *object);
int rwlock_init(pthread_rwlock_t *object);
int rwlock_destroy(Lock *rw);
int rwlock_read(Lock *rw);
int rwlock_try_read(Lock *rw);
int rwlock_read_timed(Lock *rw, const struct timespec *deadline);
int rwlock_write(Lock *rw);
int rwlock_try_write(Lock *rw);
int rwlock_write_timed(Lock *rw, const struct timespec *deadline);
int rwlock_unlock(Lock *rw);

#endif
