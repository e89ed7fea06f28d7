/* mutex.c - see mutex.h
 *
 * Whether the current thread holds a mutex, and how often, follows from its own history:
 * results that depend on nothing else (EDEADLK, EPERM, a recursive lock) are no steps.
 */
#include "rt/sync/mutex.h"

#include "rt/spin/changes.h"
#include "rt/sync/lifetime.h"

/* glibc keeps the type in the low bits of __kind; other bits are robustness, priority
 * protocol and process sharing. */
enum { KIND_TYPE_BITS = 3, KIND_ROBUST_BIT = 0x10, KIND_KNOWN_BITS = 0x1ff };

static pthread_mutex_t *object_of(const Lock *mutex)
{
    return sync_object(mutex->resource);
}

static void stamp(Lock *mutex)
{
    sync_write(&object_of(mutex)->__data.__nusers, SYNC_STAMP);
}

static void read_initialiser(Lock *mutex)
{
    int bits = object_of(mutex)->__data.__kind;
    int type = bits & KIND_TYPE_BITS;
    if (bits & ~KIND_KNOWN_BITS)
        lock_misuse(mutex, "uses", "which was never initialised", NULL);
    mutex->kind = type == PTHREAD_MUTEX_RECURSIVE ? MUTEX_RECURSIVE
                : type == PTHREAD_MUTEX_ERRORCHECK ? MUTEX_ERRORCHECK : MUTEX_NORMAL;
    mutex->robust = bits & KIND_ROBUST_BIT;
    stamp(mutex);
}

Lock *mutex_of(pthread_mutex_t *object)
{
    Lock *mutex = lock_of(object, LOCK_MUTEX, read_initialiser);
    if (object->__data.__nusers != SYNC_STAMP)
        lock_renew(mutex, read_initialiser);
    return mutex;
}

int mutex_init(pthread_mutex_t *object, MutexKind kind, bool robust)
{
    Lock *mutex = lock_init(object, LOCK_MUTEX, stamp);
    mutex->kind = (uint8_t)kind;
    mutex->robust = robust;
    return 0;
}

int mutex_destroy(Lock *mutex)
{
    lock_destroy(mutex);
    step_done();
    return 0;
}

/* ---- Locking ----------------------------------------------------------- */

int mutex_taken(Lock *mutex, unsigned nth)
{
    if (!mutex->robust)
        return 0;
    changes_gap();
    if (mutex->unrecoverable) {
        mutex->value = 0;
        step_value(nth, 0, 0);
        return ENOTRECOVERABLE;
    }
    ThreadRecord *self = lifetime_self();
    mutex->next_robust = self->robust_held;
    self->robust_held = mutex;
    return mutex->owner_died ? EOWNERDEAD : 0;
}

/* Ends a step that acquired the mutex or failed to: then the result is `failure`. */
static int end_lock(Lock *mutex, bool taken, int failure)
{
    int answer = taken ? mutex_taken(mutex, 0) : failure;
    step_done();
    return answer;
}

static int lock_again(Lock *mutex)
{
    if (mutex->kind == MUTEX_ERRORCHECK)
        return EDEADLK;
    if (mutex->kind == MUTEX_RECURSIVE) {
        if (mutex->depth == UINT32_MAX)
            return EAGAIN;
        mutex->depth++;
        changes_count(mutex->resource, 1);
        return 0;
    }
    lock_acquire(mutex, OP_LOCK); /* waits for itself: only a misuse can release it */
    return end_lock(mutex, true, 0);
}

int mutex_lock(Lock *mutex)
{
    if (lock_held_by_self(mutex))
        return lock_again(mutex);
    lock_acquire(mutex, OP_LOCK);
    return end_lock(mutex, true, 0);
}

int mutex_try(Lock *mutex)
{
    if (lock_held_by_self(mutex))
        return mutex->kind == MUTEX_RECURSIVE ? lock_again(mutex) : EBUSY;
    return end_lock(mutex, lock_try(mutex, OP_TRYLOCK), EBUSY);
}

int mutex_lock_timed(Lock *mutex, const struct timespec *deadline)
{
    if (lock_held_by_self(mutex))
        return mutex->kind == MUTEX_NORMAL ? sync_time_out(deadline) : lock_again(mutex);
    bool taken = lock_acquire_timed(mutex, OP_TIMEDLOCK);
    return end_lock(mutex, taken, taken ? 0 : sync_time_out(deadline));
}

/* ---- Unlocking --------------------------------------------------------- */

static void forget_robust(Lock *mutex)
{
    Lock **link = &lifetime_self()->robust_held;
    while (*link && *link != mutex)
        link = &(*link)->next_robust;
    if (*link)
        *link = mutex->next_robust;
}

void mutex_give(Lock *mutex, unsigned nth)
{
    if (mutex->robust) {
        forget_robust(mutex);
        mutex->unrecoverable = mutex->owner_died;
    }
    lock_give(mutex, nth);
}

int mutex_check_held(Lock *mutex, const char *verb)
{
    if (lock_held_by_self(mutex))
        return 0;
    if (!mutex->destroyed && (mutex->kind != MUTEX_NORMAL || mutex->robust))
        return EPERM;
    lock_misuse_unheld(mutex, verb);
}

int mutex_unlock(Lock *mutex)
{
    int error = mutex_check_held(mutex, "unlocks");
    if (error)
        return error;
    if (mutex->depth > 0) {
        mutex->depth--;
        changes_count(mutex->resource, -1);
        return 0;
    }
    step_begin(OP_UNLOCK, mutex->resource);
    lock_announce_release(mutex);
    step_wait();
    mutex_give(mutex, 0);
    step_done();
    return 0;
}

int mutex_consistent(Lock *mutex)
{
    if (!mutex->robust || !mutex->owner_died || !lock_held_by_self(mutex))
        return EINVAL;
    mutex->owner_died = false;
    return 0;
}

void mutex_release_robust(void)
{
    ThreadRecord *self = lifetime_self();
    while (self->robust_held) {
        Lock *mutex = self->robust_held;
        self->robust_held = mutex->next_robust;
        step_begin(OP_UNLOCK, mutex->resource);
        lock_announce_release(mutex);
        step_wait();
        mutex->depth = 0;
        mutex->owner_died = true;
        lock_give(mutex, 0);
        step_done();
    }
}
