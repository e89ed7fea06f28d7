/* sharelock.c - see sharelock.h */
#include "base/sharelock.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

enum { SPINS = 200 };

static bool is_dead(int process)
{
    return kill(process, 0) != 0 && errno == ESRCH;
}

bool sharelock_acquire(Sharelock *lock)
{
    int self = getpid();
    for (unsigned tries = 1;; tries++) {
        int holder = 0;
        if (atomic_compare_exchange_strong(&lock->holder, &holder, self))
            return true;
        if (tries % SPINS != 0)
            continue;
        if (is_dead(holder) && atomic_compare_exchange_strong(&lock->holder, &holder, self))
            return false;
        sched_yield();
    }
}

void sharelock_release(Sharelock *lock)
{
    atomic_store(&lock->holder, 0);
}
