/* mcslock.c - the queue lock of Mellor-Crummey and Scott, one acquisition per thread
 *
 * litmus: -DN=2 -> executions 6
 * litmus: -DN=3 -> executions 66
 * litmus: -DN=4 -> executions 1080
 *
 * What a releasing thread sees of its successor multiplies the N! orders of the queue.
 */
#include <assert.h>
#include <stdatomic.h>

#include "threads.h"

#ifndef N
#define N 4
#endif

typedef struct Waiter {
    _Atomic(struct Waiter *) next;
    atomic_int locked;
} Waiter;

static Waiter waiters[N];
static _Atomic(Waiter *) tail;
static int counter;

static void acquire(Waiter *self)
{
    atomic_store(&self->next, NULL);
    atomic_store(&self->locked, 1);
    Waiter *before = atomic_exchange(&tail, self);
    if (!before)
        return;
    atomic_store(&before->next, self);
    while (atomic_load(&self->locked) != 0)
        ;
}

static void release(Waiter *self)
{
    if (!atomic_load(&self->next)) {
        Waiter *expected = self;
        if (atomic_compare_exchange_strong(&tail, &expected, NULL))
            return;
        while (atomic_load(&self->next) == NULL)
            ;
    }
    atomic_store(&atomic_load(&self->next)->locked, 0);
}

static void *body(void *argument)
{
    Waiter *self = &waiters[number_of(argument)];
    acquire(self);
    counter++;
    release(self);
    return NULL;
}

int main(void)
{
    start_all(N, body);
    join_all();
    assert(counter == N);
    return 0;
}
