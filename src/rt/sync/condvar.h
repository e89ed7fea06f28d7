/* condvar.h - condition variables
 *
 * A wait is two steps: the first releases the mutex and joins the queue, the second, after
 * a wake-up, takes the mutex again. A signal picks any waiter; that is a choice of its
 * step. RES_COND's value stands for the whole queue (0: empty), so it tells what a signal
 * will touch; RES_WAKE's value says what happened to the waiter.
 */
#ifndef RT_SYNC_CONDVAR_H
#define RT_SYNC_CONDVAR_H

#include <pthread.h>

#include "rt/sync/lifetime.h"
#include "rt/sync/misuse.h"

typedef enum Wake {
    WAKE_ASLEEP = -1,    /* waits; only written where the thread can be cancelled         */
    WAKE_NONE = 0,
    WAKE_SIGNAL = 1,
    WAKE_CANCEL = 2,
    WAKE_PERHAPS_LATE = 3 /* signalled, and no untimed waiter missed the signal: a timed
                             waiter may as well have timed out just before                */
} Wake;

struct Condvar {
    uint64_t resource;
    int64_t value;       /* stands for the queue; 0 if empty */
    ThreadRecord **queue;
    uint32_t count, capacity;
    Lock *mutex;         /* the one its waiters use          */
    bool destroyed;
    Witness last;        /* who destroyed it                 */
};

Condvar *condvar_of(pthread_cond_t *object);
int condvar_init(pthread_cond_t *object);
int condvar_destroy(Condvar *cond);
/* `deadline` NULL waits for ever. */
int condvar_wait(Condvar *cond, Lock *mutex, const struct timespec *deadline);
int condvar_signal(Condvar *cond);
int condvar_broadcast(Condvar *cond);

/* Wakes a sleeping thread because it is cancelled: inside a step that has `next` accesses
 * so far, of which one is on the thread's RES_WAKE. */
void condvar_cancel(ThreadRecord *thread, unsigned next);

/* For reports: the object a thread waits on, or NULL. */
const void *condvar_waited_on(AgentId agent);

#endif
