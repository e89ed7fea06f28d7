/* lock.c - see lock.h */
#include "rt/sync/lock.h"

#include "rt/detect/race_clock.h"
#include "rt/kernel/object.h"
#include "rt/sync/plain.h"
#include "rt/spin/spin.h"

static void make_fresh(Lock *lock, LockType type, void (*fresh)(Lock *lock))
{
    *lock = (Lock){.resource = lock->resource, .type = (uint8_t)type, .waiting = lock->waiting};
    if (fresh)
        fresh(lock);
}

static ResourceKind kind_of(LockType type)
{
    return type == LOCK_RWLOCK ? RES_RWLOCK : RES_LOCK;
}

static size_t room_of(LockType type)
{
    return type == LOCK_RWLOCK ? ROOM_RWLOCK : type == LOCK_SPIN ? ROOM_SPIN : ROOM_MUTEX;
}

static Lock *make_first(Lock *lock, const void *object, LockType type, void (*fresh)(Lock *lock))
{
    lock->resource = resource_of(kind_of(type), object);
    make_fresh(lock, type, fresh);
    return lock;
}

Lock *lock_of(const void *object, LockType type, void (*fresh)(Lock *lock))
{
    sync_check_room(object, room_of(type));
    Lock *lock = object_state(kind_of(type), object, sizeof *lock, NULL);
    sync_note_use(object, &lock->users);
    return lock->type == type ? lock : make_first(lock, object, type, fresh);
}

/* ---- Misuse ------------------------------------------------------------ */

void lock_misuse(const Lock *lock, const char *verb, const char *how, const Witness *other)
{
    static const char *const types[] = {
        [LOCK_MUTEX] = "mutex", [LOCK_SPIN] = "spin lock", [LOCK_RWLOCK] = "read-write lock"};
    misuse_report(verb, types[lock->type], lock->resource, how, other);
}

void lock_misuse_unheld(const Lock *lock, const char *verb)
{
    lock_misuse(lock, verb, lock->destroyed ? "after it was destroyed" : "which it does not hold", NULL);
}

void lock_check_alive(Lock *lock, unsigned nth)
{
    if (!lock->destroyed)
        return;
    step_value(nth, lock->value, lock->value);
    lock_misuse(lock, "uses", "after it was destroyed", &lock->last);
}

/* Inside a step that initialises or destroys the lock. Readers have no witness, since there may be several. */
static void check_free(const Lock *lock, const char *verb)
{
    bool readers = lock->type == LOCK_RWLOCK && lock->value < RWLOCK_WRITER_MIN;
    if (lock->value != 0)
        lock_misuse(lock, verb, readers ? "which is held for reading" : "which is held", readers ? NULL : &lock->last);
}

/* ---- Initialising, acquiring, releasing -------------------------------- */

/* A step that leaves the lock free. */
static void overwrite(Lock *lock)
{
    step_begin(OP_LOCK_INIT, lock->resource);
    step_wait();
    step_value(0, lock->value, 0);
}

Lock *lock_init(void *object, LockType type, void (*fresh)(Lock *lock))
{
    sync_check_room(object, room_of(type));
    plain_overwrite(object, 1);
    Lock *lock = object_find(kind_of(type), object);
    if (!lock)
        return make_first(object_state(kind_of(type), object, sizeof *lock, NULL), object, type, fresh);
    overwrite(lock);
    check_free(lock, "initialises");
    make_fresh(lock, type, fresh);
    return lock;
}

void lock_renew(Lock *lock, void (*fresh)(Lock *lock))
{
    if (lock->value != 0)
        overwrite(lock);
    make_fresh(lock, (LockType)lock->type, fresh);
}

void lock_take(Lock *lock, unsigned nth)
{
    step_value(nth, lock->value, lock_own_value(lock));
    lock->value = lock_own_value(lock);
    lock->last = misuse_witness();
    race_acquire(lock->resource);
}

void lock_announce_release(const Lock *lock)
{
    if (spin_polls_locks && lock->type != LOCK_RWLOCK)
        spin_announce_release(lock->resource);
}

void lock_give(Lock *lock, unsigned nth)
{
    step_value(nth, lock->value, 0);
    lock->value = 0;
    if (spin_polls_locks)
        spin_count_release(lock->resource);
    race_release(lock->resource);
}

void lock_acquire(Lock *lock, OpKind op)
{
    Access *access = step_begin(op, lock->resource);
    step_guard(access, &lock->value, REL_EQ, 0);
    step_wait();
    lock_check_alive(lock, 0);
    lock_take(lock, 0);
}

bool lock_try(Lock *lock, OpKind op)
{
    step_switch(step_begin(op, lock->resource), REL_EQ, 0, MODE_WRITE, MODE_READ);
    step_wait();
    lock_check_alive(lock, 0);
    if (lock->value != 0) {
        step_mode(0, MODE_READ);
        step_value(0, lock->value, lock->value);
        return false;
    }
    step_mode(0, MODE_WRITE);
    lock_take(lock, 0);
    return true;
}

bool lock_acquire_timed(Lock *lock, OpKind op)
{
    if (sync_may_time_out())
        return lock_try(lock, op);
    sync_wait_past_bound(true);
    lock_acquire(lock, op);
    sync_wait_past_bound(false);
    return true;
}

void lock_release(Lock *lock, OpKind op)
{
    step_begin(op, lock->resource);
    lock_announce_release(lock);
    step_wait();
    lock_give(lock, 0);
}

void lock_destroy(Lock *lock)
{
    step_begin(OP_LOCK_DESTROY, lock->resource);
    step_wait();
    lock_check_alive(lock, 0);
    step_value(0, lock->value, lock->value);
    check_free(lock, "destroys");
    lock->destroyed = true;
    lock->last = misuse_witness();
}
