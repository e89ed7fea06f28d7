/* rwlock.h - read-write locks
 *
 * Readers commute with each other: a reader's lock and unlock accumulate on the lock's
 * value, guarded by "no writer". A writer that locks again gets EDEADLK, as with glibc; a
 * reader that locks for writing waits for itself, which is a deadlock.
 *
 * With PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP a reader waits for waiting writers too. Their number is a
 * resource of its own: a writer first joins them, then acquires the lock and leaves them, in two steps. The other
 * kinds do not differ: to glibc, PTHREAD_RWLOCK_PREFER_WRITER_NP means readers may enter.
 *
 * All operations return 0 or an error number of POSIX; what POSIX leaves undefined is reported
 * as lock misuse.
 */
#ifndef RT_SYNC_RWLOCK_H
#define RT_SYNC_RWLOCK_H

#include <pthread.h>

#include "rt/sync/lock.h"

/* The state of an object that is used; made on first use. */
Lock *rwlock_of(pthread_rwlock_t *object);
/* A step only if the object is known (lock_init). `kind` is one of PTHREAD_RWLOCK_*_NP. */
int rwlock_init(pthread_rwlock_t *object, int kind);
/* A misuse if the lock is held. */
int rwlock_destroy(Lock *rw);

/* Acquires it for reading: waits while there is a writer, fails with EBUSY, or may time out with
 * ETIMEDOUT. EDEADLK (rwlock_try_read: EBUSY) if the current thread is the writer. */
int rwlock_read(Lock *rw);
int rwlock_try_read(Lock *rw);
int rwlock_read_timed(Lock *rw, const struct timespec *deadline);
/* The same for writing: while it is held at all. */
int rwlock_write(Lock *rw);
int rwlock_try_write(Lock *rw);
int rwlock_write_timed(Lock *rw, const struct timespec *deadline);
/* Releases it, for writing or once for reading. A misuse if the current thread does not hold it. */
int rwlock_unlock(Lock *rw);

#endif
