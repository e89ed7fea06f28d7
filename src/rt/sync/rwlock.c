/* rwlock.c - see rwlock.h
 *
 * Happens-before has two points: writers release into the lock's own address, readers
 * into the next word. A reader acquires the first only, so readers are not ordered with
 * each other; a writer acquires both.
 */
#include "rt/detect/race_clock.h"
#include "rt/sync/rwlock.h"

static uint64_t readers_point(const Lock *rw) { return rw->resource + 8; }

static pthread_rwlock_t *object_of(const Lock *rw)
{
    return sync_object(rw->resource);
}

/* The object holds its kind, as glibc's initialisers leave it. */
static void adopt(Lock *rw)
{
    rw->prefers_writers = object_of(rw)->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    sync_write(&object_of(rw)->__data.__pad3, SYNC_STAMP);
}

static void prefer_none(Lock *rw)
{
    sync_write(&object_of(rw)->__data.__flags, PTHREAD_RWLOCK_DEFAULT_NP);
    adopt(rw);
}

static void prefer_writers(Lock *rw)
{
    sync_write(&object_of(rw)->__data.__flags, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    adopt(rw);
}

Lock *rwlock_of(pthread_rwlock_t *object)
{
    Lock *rw = lock_of(object, LOCK_RWLOCK, adopt);
    if (object->__data.__pad3 != SYNC_STAMP)
        lock_renew(rw, adopt);
    return rw;
}

int rwlock_init(pthread_rwlock_t *object, int kind)
{
    bool prefers_writers = kind == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
    lock_init(object, LOCK_RWLOCK, prefers_writers ? prefer_writers : prefer_none);
    return 0;
}

int rwlock_destroy(Lock *rw)
{
    lock_destroy(rw);
    step_done();
    return 0;
}

/* ---- Waiting writers ---------------------------------------------------- */

static uint64_t writers(const Lock *rw)
{
    return resource_of(RES_WRITERS, sync_object(rw->resource));
}

/* The thread waits for writing from now on: readers see it. */
static void join_writers(Lock *rw)
{
    step_begin(OP_WRLOCK_ASK, writers(rw))->mode = MODE_ACCUMULATE;
    step_wait();
    step_value(0, rw->waiting, rw->waiting + 1);
    rw->waiting++;
}

/* Inside a step whose nth access accumulates on the waiting writers. */
static void leave_writers(Lock *rw, unsigned nth)
{
    step_value(nth, rw->waiting, rw->waiting - 1);
    rw->waiting--;
}

/* The announced try of a lock that prefers writers depends on two values, which no switch can express. */
static void look_at_writers(Lock *rw)
{
    step_touch(writers(rw), MODE_READ);
    step_opaque();
}

/* ---- Reading ----------------------------------------------------------- */

/* Inside a step whose access 0 accumulates on the lock. */
static void enter_reader(Lock *rw)
{
    step_value(0, rw->value, rw->value + 1);
    rw->value++;
    ++*agent_table_at(&rw->readers, thread_strand());
    race_acquire(rw->resource);
    step_done();
}

static int wait_read(Lock *rw, OpKind op)
{
    Access *access = step_begin(op, rw->resource);
    access->mode = MODE_ACCUMULATE;
    step_guard(access, &rw->value, REL_SLT, RWLOCK_WRITER_MIN);
    if (rw->prefers_writers)
        step_guard(step_touch(writers(rw), MODE_READ), &rw->waiting, REL_EQ, 0);
    step_wait();
    lock_check_alive(rw, 0);
    if (rw->prefers_writers)
        step_value(1, rw->waiting, rw->waiting);
    enter_reader(rw);
    return 0;
}

static bool try_read(Lock *rw, OpKind op)
{
    step_switch(step_begin(op, rw->resource), REL_SLT, RWLOCK_WRITER_MIN, MODE_ACCUMULATE, MODE_READ);
    if (rw->prefers_writers)
        look_at_writers(rw);
    step_wait();
    bool written = rw->value >= RWLOCK_WRITER_MIN || (rw->prefers_writers && rw->waiting > 0);
    step_mode(0, written ? MODE_READ : MODE_ACCUMULATE);
    if (rw->prefers_writers)
        step_value(1, rw->waiting, rw->waiting);
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
    race_release(readers_point(rw));
    step_done();
}

/* ---- Writing ----------------------------------------------------------- */

/* Ends a step that acquired the lock for writing or failed to: then the result is `failure`. */
static int end_write(Lock *rw, bool entered, int failure)
{
    if (entered)
        race_acquire(readers_point(rw));
    step_done();
    return entered ? 0 : failure;
}

/* Of a lock that prefers writers; the thread has joined them. */
static void wait_write(Lock *rw)
{
    step_guard(step_begin(OP_WRLOCK, rw->resource), &rw->value, REL_EQ, 0);
    step_touch(writers(rw), MODE_ACCUMULATE);
    step_wait();
    leave_writers(rw, 1);
    lock_check_alive(rw, 0);
    lock_take(rw, 0);
}

int rwlock_write(Lock *rw)
{
    if (lock_held_by_self(rw))
        return EDEADLK;
    if (rw->prefers_writers) {
        join_writers(rw);
        wait_write(rw);
    } else {
        lock_acquire(rw, OP_WRLOCK);
    }
    return end_write(rw, true, 0);
}

/* While a thread holds the lock for reading, its attempt to acquire it for writing fails whatever others do. */
static bool cannot_write(const Lock *rw)
{
    return lock_held_by_self(rw) || agent_table_get(&rw->readers, thread_strand()) > 0;
}

/* Of a lock that prefers writers: a writer that waits has precedence. */
static bool try_write(Lock *rw)
{
    step_begin(OP_TRYWRLOCK, rw->resource);
    look_at_writers(rw);
    step_wait();
    bool taken = rw->value != 0 || rw->waiting > 0;
    step_mode(0, taken ? MODE_READ : MODE_WRITE);
    step_value(1, rw->waiting, rw->waiting);
    lock_check_alive(rw, 0);
    if (taken)
        step_value(0, rw->value, rw->value);
    else
        lock_take(rw, 0);
    return !taken;
}

int rwlock_try_write(Lock *rw)
{
    if (cannot_write(rw))
        return EBUSY;
    return end_write(rw, rw->prefers_writers ? try_write(rw) : lock_try(rw, OP_TRYWRLOCK), EBUSY);
}

/* Of a lock that prefers writers: readers wait for the thread until it has the lock or times out. */
static bool wait_write_timed(Lock *rw)
{
    join_writers(rw);
    if (!sync_may_time_out()) {
        sync_wait_past_bound(true);
        wait_write(rw);
        sync_wait_past_bound(false);
        return true;
    }
    step_switch(step_begin(OP_TRYWRLOCK, rw->resource), REL_EQ, 0, MODE_WRITE, MODE_READ);
    step_touch(writers(rw), MODE_ACCUMULATE);
    step_wait();
    leave_writers(rw, 1);
    bool free = rw->value == 0;
    step_mode(0, free ? MODE_WRITE : MODE_READ);
    lock_check_alive(rw, 0);
    if (free)
        lock_take(rw, 0);
    else
        step_value(0, rw->value, rw->value);
    return free;
}

int rwlock_write_timed(Lock *rw, const struct timespec *deadline)
{
    if (lock_held_by_self(rw))
        return EDEADLK;
    if (cannot_write(rw) && !rw->prefers_writers)
        return sync_time_out(deadline);
    bool entered = rw->prefers_writers ? wait_write_timed(rw) : lock_acquire_timed(rw, OP_TRYWRLOCK);
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
