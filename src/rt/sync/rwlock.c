/* rwlock.c - see rwlock.h
 *
 * Happens-before has two points: writers release into the lock's own address, readers
 * into the next word. A reader acquires the first only, so readers are not ordered with
 * each other; a writer acquires both.
 */
#include "rt/sync/rwlock.h"

static const void *readers_point(const Lock *rw)
{
    return (const char *)sync_object(rw->resource) + 8;
}

static void stamp(Lock *rw)
{
    ((pthread_rwlock_t *)sync_object(rw->resource))->__data.__pad3 = SYNC_STAMP;
}

Lock *rwlock_of(pthread_rwlock_t *object)
{
    Lock *rw = lock_of(object, LOCK_RWLOCK, stamp);
    if (object->__data.__pad3 != SYNC_STAMP)
        lock_renew(rw, stamp);
    return rw;
}

int rwlock_init(pthread_rwlock_t *object)
{
    lock_init(object, LOCK_RWLOCK, stamp);
    return 0;
}

int rwlock_destroy(Lock *rw)
{
    lock_destroy(rw);
    step_done();
    return 0;
}

/* ---- Reading ----------------------------------------------------------- */

/* Inside a step whose access 0 accumulates on the lock. */
static void enter_reader(Lock *rw)
{
    step_value(0, rw->value, rw->value + 1);
    rw->value++;
    ++*agent_table_at(&rw->readers, thread_strand());
    sync_acquire(&rw->time, sync_object(rw->resource));
    step_done();
}

static int wait_read(Lock *rw, OpKind op)
{
    Access *access = step_begin(op, rw->resource);
    access->mode = MODE_ACCUMULATE;
    step_guard(access, &rw->value, REL_SLT, RWLOCK_WRITER_MIN);
    step_wait();
    lock_check_alive(rw, 0);
    enter_reader(rw);
    return 0;
}

static bool try_read(Lock *rw, OpKind op)
{
    step_switch(step_begin(op, rw->resource), REL_SLT, RWLOCK_WRITER_MIN, MODE_ACCUMULATE, MODE_READ);
    step_wait();
    bool written = rw->value >= RWLOCK_WRITER_MIN;
    step_mode(0, written ? MODE_READ : MODE_ACCUMULATE);
    lock_check_alive(rw, 0);
    if (written) {
        step_value(0, rw->value, rw->value);
        step_done();
        return false;
    }
    enter_reader(rw);
    return true;
}

int rwlock_read(Lock *rw)
{
    return lock_held_by_self(rw) ? EDEADLK : wait_read(rw, OP_RDLOCK);
}

int rwlock_try_read(Lock *rw)
{
    if (lock_held_by_self(rw))
        return EBUSY;
    return try_read(rw, OP_TRYRDLOCK) ? 0 : EBUSY;
}

int rwlock_read_timed(Lock *rw, const struct timespec *deadline)
{
    if (lock_held_by_self(rw))
        return EDEADLK;
    if (sync_may_time_out())
        return try_read(rw, OP_TRYRDLOCK) ? 0 : sync_time_out(deadline);
    sync_wait_past_bound(true);
    wait_read(rw, OP_RDLOCK);
    sync_wait_past_bound(false);
    return 0;
}

static void leave_reader(Lock *rw)
{
    step_begin(OP_RWUNLOCK, rw->resource)->mode = MODE_ACCUMULATE;
    step_wait();
    step_value(0, rw->value, rw->value - 1);
    rw->value--;
    --*agent_table_at(&rw->readers, thread_strand());
    sync_release(&rw->readers_time, readers_point(rw));
    step_done();
}

/* ---- Writing ----------------------------------------------------------- */

/* Ends a step that acquired the lock for writing or failed to: then the result is `failure`. */
static int end_write(Lock *rw, bool entered, int failure)
{
    if (entered)
        sync_acquire(&rw->readers_time, readers_point(rw));
    step_done();
    return entered ? 0 : failure;
}

int rwlock_write(Lock *rw)
{
    if (lock_held_by_self(rw))
        return EDEADLK;
    lock_acquire(rw, OP_WRLOCK);
    return end_write(rw, true, 0);
}

/* While a thread holds the lock for reading, its attempt to acquire it for writing fails whatever others do. */
static bool cannot_write(const Lock *rw)
{
    return lock_held_by_self(rw) || agent_table_get(&rw->readers, thread_strand()) > 0;
}

int rwlock_try_write(Lock *rw)
{
    if (cannot_write(rw))
        return EBUSY;
    return end_write(rw, lock_try(rw, OP_TRYWRLOCK), EBUSY);
}

int rwlock_write_timed(Lock *rw, const struct timespec *deadline)
{
    if (lock_held_by_self(rw))
        return EDEADLK;
    if (cannot_write(rw))
        return sync_time_out(deadline);
    bool entered = lock_acquire_timed(rw, OP_TRYWRLOCK);
    return end_write(rw, entered, entered ? 0 : sync_time_out(deadline));
}

int rwlock_unlock(Lock *rw)
{
    if (lock_held_by_self(rw)) {
        lock_release(rw, OP_RWUNLOCK);
        step_done();
    } else if (agent_table_get(&rw->readers, thread_strand()) > 0) {
        leave_reader(rw);
    } else {
        lock_misuse_unheld(rw, "unlocks");
    }
    return 0;
}
