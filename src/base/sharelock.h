/* sharelock.h - mutual exclusion between processes that share memory and may die at any time
 *
 * For short sections. The lock records its holder, so that a lock held by a dead process passes to the next process
 * that requests it.
 */
#ifndef BASE_SHARELOCK_H
#define BASE_SHARELOCK_H

#include <stdatomic.h>
#include <stdbool.h>

/* In shared memory; start with {0}. */
typedef struct Sharelock {
    _Atomic int holder; /* process id, 0: free */
} Sharelock;

/* False if the last holder died while holding it: the protected data may be in the middle of a change. */
bool sharelock_acquire(Sharelock *lock);
void sharelock_release(Sharelock *lock);

#endif
