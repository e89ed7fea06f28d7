/* api_pthread_sync.c - pthread locks, condition variables and barriers */
#include <errno.h>

#include "rt/libc/api.h"
#include "rt/sync/barrier.h"
#include "rt/sync/condvar.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/mutex.h"
#include "rt/sync/plain.h"
#include "rt/sync/rwlock.h"
#include "rt/sync/spinlock.h"

/* ---- Mutexes ------------------------------------------------------------- */

static MutexKind kind_of(int type)
{
    return type == PTHREAD_MUTEX_RECURSIVE ? MUTEX_RECURSIVE
         : type == PTHREAD_MUTEX_ERRORCHECK ? MUTEX_ERRORCHECK : MUTEX_NORMAL;
}

int sennit_rt_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
    int type = PTHREAD_MUTEX_DEFAULT, robust = PTHREAD_MUTEX_STALLED;
    API_OUTSIDE(pthread_mutex_init(mutex, attr));
    if (attr) {
        pthread_mutexattr_gettype(attr, &type);
        pthread_mutexattr_getrobust(attr, &robust);
    }
    return mutex_init(mutex, kind_of(type), robust == PTHREAD_MUTEX_ROBUST);
}

int sennit_rt_pthread_mutex_destroy(pthread_mutex_t *mutex)
{
    API_OUTSIDE(pthread_mutex_destroy(mutex));
    return mutex_destroy(mutex_of(mutex));
}

int sennit_rt_pthread_mutex_lock(pthread_mutex_t *mutex)
{
    API_OUTSIDE(pthread_mutex_lock(mutex));
    interrupt_unsafe("pthread_mutex_lock");
    return mutex_lock(mutex_of(mutex));
}

int sennit_rt_pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    API_OUTSIDE(pthread_mutex_trylock(mutex));
    return mutex_try(mutex_of(mutex));
}

int sennit_rt_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(pthread_mutex_timedlock(mutex, deadline));
    return mutex_lock_timed(mutex_of(mutex), deadline);
}

int sennit_rt_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(pthread_mutex_clocklock(mutex, clock, deadline));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return mutex_lock_timed(mutex_of(mutex), deadline);
}

int sennit_rt_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    API_OUTSIDE(pthread_mutex_unlock(mutex));
    return mutex_unlock(mutex_of(mutex));
}

int sennit_rt_pthread_mutex_consistent(pthread_mutex_t *mutex)
{
    API_OUTSIDE(pthread_mutex_consistent(mutex));
    return mutex_consistent(mutex_of(mutex));
}

int sennit_rt_pthread_mutex_consistent_np(pthread_mutex_t *mutex)
{
    return sennit_rt_pthread_mutex_consistent(mutex);
}

/* Priorities have no meaning in a search over all schedules. */
int sennit_rt_pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling)
{
    (void)mutex;
    (void)ceiling;
    return EINVAL;
}

int sennit_rt_pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old)
{
    (void)mutex;
    (void)ceiling;
    (void)old;
    return EINVAL;
}

/* ---- Read-write locks ------------------------------------------------------ */

int sennit_rt_pthread_rwlock_init(pthread_rwlock_t *rwlock, const pthread_rwlockattr_t *attr)
{
    int kind = PTHREAD_RWLOCK_DEFAULT_NP;
    API_OUTSIDE(pthread_rwlock_init(rwlock, attr));
    if (attr)
        pthread_rwlockattr_getkind_np(attr, &kind);
    return rwlock_init(rwlock, kind);
}

int sennit_rt_pthread_rwlock_destroy(pthread_rwlock_t *rwlock)
{
    API_OUTSIDE(pthread_rwlock_destroy(rwlock));
    return rwlock_destroy(rwlock_of(rwlock));
}

int sennit_rt_pthread_rwlock_rdlock(pthread_rwlock_t *rwlock)
{
    API_OUTSIDE(pthread_rwlock_rdlock(rwlock));
    return rwlock_read(rwlock_of(rwlock));
}

int sennit_rt_pthread_rwlock_tryrdlock(pthread_rwlock_t *rwlock)
{
    API_OUTSIDE(pthread_rwlock_tryrdlock(rwlock));
    return rwlock_try_read(rwlock_of(rwlock));
}

int sennit_rt_pthread_rwlock_timedrdlock(pthread_rwlock_t *rwlock, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(pthread_rwlock_timedrdlock(rwlock, deadline));
    return rwlock_read_timed(rwlock_of(rwlock), deadline);
}

int sennit_rt_pthread_rwlock_clockrdlock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(pthread_rwlock_clockrdlock(rwlock, clock, deadline));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return rwlock_read_timed(rwlock_of(rwlock), deadline);
}

int sennit_rt_pthread_rwlock_wrlock(pthread_rwlock_t *rwlock)
{
    API_OUTSIDE(pthread_rwlock_wrlock(rwlock));
    return rwlock_write(rwlock_of(rwlock));
}

int sennit_rt_pthread_rwlock_trywrlock(pthread_rwlock_t *rwlock)
{
    API_OUTSIDE(pthread_rwlock_trywrlock(rwlock));
    return rwlock_try_write(rwlock_of(rwlock));
}

int sennit_rt_pthread_rwlock_timedwrlock(pthread_rwlock_t *rwlock, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(pthread_rwlock_timedwrlock(rwlock, deadline));
    return rwlock_write_timed(rwlock_of(rwlock), deadline);
}

int sennit_rt_pthread_rwlock_clockwrlock(pthread_rwlock_t *rwlock, clockid_t clock, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(pthread_rwlock_clockwrlock(rwlock, clock, deadline));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return rwlock_write_timed(rwlock_of(rwlock), deadline);
}

int sennit_rt_pthread_rwlock_unlock(pthread_rwlock_t *rwlock)
{
    API_OUTSIDE(pthread_rwlock_unlock(rwlock));
    return rwlock_unlock(rwlock_of(rwlock));
}

/* ---- Spin locks -------------------------------------------------------------- */

int sennit_rt_pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    API_OUTSIDE(pthread_spin_init(lock, shared));
    return spinlock_init(lock);
}

int sennit_rt_pthread_spin_destroy(pthread_spinlock_t *lock)
{
    API_OUTSIDE(pthread_spin_destroy(lock));
    return spinlock_destroy(spinlock_of(lock));
}

int sennit_rt_pthread_spin_lock(pthread_spinlock_t *lock)
{
    API_OUTSIDE(pthread_spin_lock(lock));
    return spinlock_lock(spinlock_of(lock));
}

int sennit_rt_pthread_spin_trylock(pthread_spinlock_t *lock)
{
    API_OUTSIDE(pthread_spin_trylock(lock));
    return spinlock_try(spinlock_of(lock));
}

int sennit_rt_pthread_spin_unlock(pthread_spinlock_t *lock)
{
    API_OUTSIDE(pthread_spin_unlock(lock));
    return spinlock_unlock(spinlock_of(lock));
}

/* ---- Condition variables ------------------------------------------------------- */

int sennit_rt_pthread_cond_init(pthread_cond_t *cond, const pthread_condattr_t *attr)
{
    API_OUTSIDE(pthread_cond_init(cond, attr));
    return condvar_init(cond);
}

int sennit_rt_pthread_cond_destroy(pthread_cond_t *cond)
{
    API_OUTSIDE(pthread_cond_destroy(cond));
    return condvar_destroy(condvar_of(cond));
}

int sennit_rt_pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex)
{
    API_OUTSIDE(pthread_cond_wait(cond, mutex));
    return condvar_wait(condvar_of(cond), mutex_of(mutex), NULL);
}

int sennit_rt_pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(pthread_cond_timedwait(cond, mutex, deadline));
    return condvar_wait(condvar_of(cond), mutex_of(mutex), deadline);
}

int sennit_rt_pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock,
                                     const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(pthread_cond_clockwait(cond, mutex, clock, deadline));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return condvar_wait(condvar_of(cond), mutex_of(mutex), deadline);
}

int sennit_rt_pthread_cond_signal(pthread_cond_t *cond)
{
    API_OUTSIDE(pthread_cond_signal(cond));
    return condvar_signal(condvar_of(cond));
}

int sennit_rt_pthread_cond_broadcast(pthread_cond_t *cond)
{
    API_OUTSIDE(pthread_cond_broadcast(cond));
    return condvar_broadcast(condvar_of(cond));
}

/* ---- Barriers -------------------------------------------------------------------- */

int sennit_rt_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned count)
{
    API_OUTSIDE(pthread_barrier_init(barrier, attr, count));
    return barrier_init(barrier, count);
}

int sennit_rt_pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    API_OUTSIDE(pthread_barrier_destroy(barrier));
    return barrier_destroy(barrier_of(barrier));
}

int sennit_rt_pthread_barrier_wait(pthread_barrier_t *barrier)
{
    API_OUTSIDE(pthread_barrier_wait(barrier));
    return barrier_wait(barrier_of(barrier));
}
