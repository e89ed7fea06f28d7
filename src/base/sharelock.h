/* sharelock.h - mutual exclusion between processes that share memory and may die any time
 *
 * For short sections. The lock knows which process holds it, so that one held by a dead
 * process passes to the next who wants it.
 */
#ifndef BASE_SHARELOCK_H
#define BASE_SHARELOCK_H

#include <stdatomic.h>
#include <stdbool.h>

/* In shared memory; start with {0}. */
typedef struct Sharelock {
    _Atomic int holder; /* process id, 0: free */
} Sharelock;

/* False if the last holder died inside: what the lock protects may be half changed. */
bool sharelock_acquire(Sharelock *lock);
void sharelock_release(Sharelock *lock);

#endif
