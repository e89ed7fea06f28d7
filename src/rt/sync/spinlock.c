/* spinlock.c - see spinlock.h */
#include "rt/sync/spinlock.h"

Lock *spinlock_of(pthread_spinlock_t *object)
{
    return lock_of((const void *)object, LOCK_SPIN, NULL);
}

int spinlock_init(pthread_spinlock_t *object)
{
    lock_init((void *)object, LOCK_SPIN, NULL);
    return 0;
}

int spinlock_destroy(Lock *spin)
{
    lock_destroy(spin);
    step_done();
    return 0;
}

int spinlock_lock(Lock *spin)
{
    lock_acquire(spin, OP_LOCK);
    step_done();
    return 0;
}

int spinlock_try(Lock *spin)
{
    if (lock_held_by_self(spin))
        return EBUSY;
    bool taken = lock_try(spin, OP_TRYLOCK);
    step_done();
    return taken ? 0 : EBUSY;
}

int spinlock_unlock(Lock *spin)
{
    if (!lock_held_by_self(spin))
        lock_misuse_unheld(spin, "unlocks");
    lock_release(spin, OP_UNLOCK);
    step_done();
    return 0;
}
