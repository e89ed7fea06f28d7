/* sem.c - see sem.h */
#include "rt/sync/sem.h"

#include "rt/detect/race_clock.h"
#include "rt/kernel/object.h"
#include "rt/sync/cancel.h"
#include "rt/signal/interrupt.h"
#include "rt/sync/plain.h"

static void read_object(void *state, const void *object)
{
    /* Initialised by uninstrumented code, or all zero: the count is the low half of the first
     * word in glibc's layout. */
    Semaphore *sem = state;
    *sem = (Semaphore){.resource = resource_of(RES_SEM, object), .value = *(const uint32_t *)object};
    if (sem->value > SEM_VALUE_MAX)
        misuse_report("uses", "semaphore", sem->resource, "which was never initialised", NULL);
}

Semaphore *semaphore_of(sem_t *object)
{
    sync_check_room(object, ROOM_SEMAPHORE);
    plain_use(object, 1);
    return object_state(RES_SEM, object, sizeof(Semaphore), read_object);
}

static void set_initial(Semaphore *sem, unsigned value)
{
    enum { MARGIN = 1 << 24 }; /* more posts than an execution can hold steps */
    *sem = (Semaphore){.resource = sem->resource, .value = value, .near_limit = value > SEM_VALUE_MAX - MARGIN};
}

static void make_empty(void *state, const void *object)
{
    ((Semaphore *)state)->resource = resource_of(RES_SEM, object);
}

void semaphore_make(sem_t *object, unsigned value)
{
    set_initial(object_state(RES_SEM, object, sizeof(Semaphore), make_empty), value);
}

/* A step only if the object is known, for the reason given at lock_init. */
int semaphore_init(sem_t *object, unsigned value)
{
    if (value > SEM_VALUE_MAX)
        return EINVAL;
    sync_check_room(object, ROOM_SEMAPHORE);
    plain_overwrite(object, 1);
    Semaphore *sem = object_find(RES_SEM, object);
    if (sem) {
        step_begin(OP_LOCK_INIT, sem->resource);
        step_wait();
        step_value(0, sem->value, value);
        set_initial(sem, value);
    } else {
        semaphore_make(object, value);
    }
    return 0;
}

static void check_alive(Semaphore *sem)
{
    if (!sem->destroyed)
        return;
    step_value(0, sem->value, sem->value);
    misuse_report("uses", "semaphore", sem->resource, "after it was destroyed", &sem->last);
}

int semaphore_destroy(Semaphore *sem)
{
    step_begin(OP_LOCK_DESTROY, sem->resource);
    step_wait();
    check_alive(sem);
    step_value(0, sem->value, 1);
    sem->value = 1;
    sem->destroyed = true;
    sem->last = misuse_witness();
    step_done();
    return 0;
}

/* ---- Waiting ------------------------------------------------------------- */

static void take(Semaphore *sem)
{
    step_value(0, sem->value, sem->value - 1);
    sem->value--;
    race_acquire(sem->resource);
}

int semaphore_wait(Semaphore *sem)
{
    step_guard(step_begin(OP_SEM_WAIT, sem->resource), &sem->value, REL_SGT, 0);
    cancel_watch(CANCEL_ENABLES);
    interrupt_allow(INTERRUPT_RESTARTS);
    step_wait();
    if (interrupt_happened())
        return EINTR;
    if (cancel_pending(1)) {
        step_value(0, sem->value, sem->value);
        step_done();
        cancel_act();
    }
    check_alive(sem);
    take(sem);
    step_done();
    return 0;
}

static bool try_take(Semaphore *sem)
{
    step_switch(step_begin(OP_SEM_TRYWAIT, sem->resource), REL_SGT, 0, MODE_WRITE, MODE_READ);
    step_wait();
    bool there = sem->value > 0;
    step_mode(0, there ? MODE_WRITE : MODE_READ);
    check_alive(sem);
    if (there)
        take(sem);
    else
        step_value(0, sem->value, sem->value);
    step_done();
    return there;
}

int semaphore_try(Semaphore *sem)
{
    return try_take(sem) ? 0 : EAGAIN;
}

int semaphore_wait_timed(Semaphore *sem, const struct timespec *deadline)
{
    cancel_test();
    if (sync_may_time_out())
        return try_take(sem) ? 0 : sync_time_out(deadline);
    sync_wait_past_bound(true);
    semaphore_wait(sem);
    sync_wait_past_bound(false);
    return 0;
}

/* ---- Posting ------------------------------------------------------------- */

/* Accumulates. Near the limit every post is a write, since its result depends on the others. */
int semaphore_post(Semaphore *sem)
{
    step_begin(OP_SEM_POST, sem->resource)->mode = sem->near_limit ? MODE_WRITE : MODE_ACCUMULATE;
    step_wait();
    check_alive(sem);
    bool fits = sem->value < SEM_VALUE_MAX;
    step_value(0, sem->value, sem->value + fits);
    sem->value += fits;
    if (fits)
        race_release(sem->resource);
    step_done();
    return fits ? 0 : EOVERFLOW;
}

int semaphore_get(Semaphore *sem, int *value)
{
    step_begin(OP_SEM_GET, sem->resource)->mode = MODE_READ;
    step_wait();
    check_alive(sem);
    step_value(0, sem->value, sem->value);
    step_done();
    PLAIN_STORE(value, (int)sem->value);
    return 0;
}
