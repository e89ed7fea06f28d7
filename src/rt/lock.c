/* lock.c - see lock.h */
#include "rt/lock.h"

static void make_fresh(Lock *lock, LockType type, void (*fresh)(Lock *lock))
{
    const void *object = lock->object;
    *lock = (Lock){.object = object, .type = (uint8_t)type};
    if (fresh)
        fresh(lock);
}

static ResourceKind kind_of(LockType type)
{
    return type == LOCK_RWLOCK ? RES_RWLOCK : RES_LOCK;
}

static void remember_object(void *state, const void *object)
{
    ((Lock *)state)->object = object;
}

Lock *lock_of(const void *object, LockType type, void (*fresh)(Lock *lock))
{
    Lock *lock = object_state(kind_of(type), object, sizeof *lock, remember_object);
    if (lock->type != type)
        make_fresh(lock, type, fresh);
    return lock;
}

uint64_t lock_resource(const Lock *lock)
{
    return resource_of(kind_of((LockType)lock->type), lock->object);
}

const char *lock_type_name(const Lock *lock)
{
    return lock->type == LOCK_RWLOCK ? "read-write lock" : lock->type == LOCK_SPIN ? "spin lock" : "mutex";
}

/* A step that leaves the lock free; answers the value it had. */
static int64_t overwrite(Lock *lock)
{
    step_begin(OP_LOCK_INIT, lock_resource(lock));
    step_wait();
    int64_t before = lock->value;
    step_value(0, before, 0);
    return before;
}

Lock *lock_init(void *object, LockType type, void (*fresh)(Lock *lock))
{
    race_overwrite(object, 1);
    Lock *lock = object_find(kind_of(type), object);
    if (!lock)
        return lock_of(object, type, fresh);
    if (overwrite(lock) != 0)
        report_bug(BUG_LOCK_MISUSE, "initialises a %s that is held", lock_type_name(lock));
    make_fresh(lock, type, fresh);
    return lock;
}

void lock_renew(Lock *lock, void (*fresh)(Lock *lock))
{
    if (lock->value != 0)
        overwrite(lock);
    make_fresh(lock, (LockType)lock->type, fresh);
}

void lock_check_alive(Lock *lock, unsigned nth)
{
    if (!lock->destroyed)
        return;
    step_value(nth, lock->value, lock->value);
    report_bug(BUG_LOCK_MISUSE, "uses a %s after it was destroyed", lock_type_name(lock));
}

void lock_take(Lock *lock, unsigned nth)
{
    step_value(nth, lock->value, lock_own_value(lock));
    lock->value = lock_own_value(lock);
    sync_acquire(&lock->time, lock->object);
}

void lock_give(Lock *lock, unsigned nth)
{
    step_value(nth, lock->value, 0);
    lock->value = 0;
    sync_release(&lock->time, lock->object);
}

void lock_acquire(Lock *lock, OpKind op)
{
    Access *access = step_begin(op, lock_resource(lock));
    step_guard(access, &lock->value, REL_EQ, 0);
    step_wait();
    lock_check_alive(lock, 0);
    lock_take(lock, 0);
}

bool lock_try(Lock *lock, OpKind op)
{
    step_switch(step_begin(op, lock_resource(lock)), REL_EQ, 0, MODE_WRITE, MODE_READ);
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
    step_begin(op, lock_resource(lock));
    step_wait();
    lock_give(lock, 0);
}

void lock_destroy(Lock *lock)
{
    step_begin(OP_LOCK_DESTROY, lock_resource(lock));
    step_wait();
    lock_check_alive(lock, 0);
    step_value(0, lock->value, lock->value);
    if (lock->value != 0)
        report_bug(BUG_LOCK_MISUSE, "destroys a %s that is held", lock_type_name(lock));
    lock->destroyed = true;
}
