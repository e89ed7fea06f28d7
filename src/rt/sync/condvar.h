/* condvar.h - condition variables
 *
 * A wait is two steps: the first releases the mutex and joins the queue, the second, after
 * a wake-up, acquires the mutex again. A signal wakes any waiter; that is a choice of its
 * step. RES_COND's value stands for the whole queue (0: empty), so it determines what a signal
 * will access; RES_WAKE's value says how the waiter was woken.
 * All operations return 0 or an error number of POSIX.
 */
#ifndef RT_SYNC_CONDVAR_H
#define RT_SYNC_CONDVAR_H

#include <pthread.h>

#include "rt/sync/lifetime.h"
#include "rt/sync/misuse.h"

typedef enum Wake {
    WAKE_ASLEEP = -1,    /* waits; only set where the thread can be cancelled             */
    WAKE_NONE = 0,
    WAKE_SIGNAL = 1,
    WAKE_CANCEL = 2,
    WAKE_PERHAPS_LATE = 3 /* signalled, and no other waiter missed the signal: a timed waiter
                             may as well have timed out just before                       */
} Wake;

struct Condvar {
    uint64_t resource;
    int64_t value;       /* stands for the queue; 0 if empty */
    ThreadRecord **queue;
    uint32_t count, capacity;
    Lock *mutex;         /* the one its waiters use          */
    bool destroyed;
    Witness last;        /* of its destruction               */
};

/* The state of an object that is used; made on first use. */
Condvar *condvar_of(pthread_cond_t *object);
int condvar_init(pthread_cond_t *object);
/* A misuse if threads wait. */
int condvar_destroy(Condvar *cond);
/* `deadline` NULL: no time-out. EPERM if the mutex is not held and its kind defines that, else a
 * misuse; ETIMEDOUT; what acquiring a robust mutex returns. */
int condvar_wait(Condvar *cond, Lock *mutex, const struct timespec *deadline);
int condvar_signal(Condvar *cond);
int condvar_broadcast(Condvar *cond);

/* Wakes a waiting thread because it is cancelled: inside a step that has `next` accesses so
 * far, of which one is to the thread's RES_WAKE. */
void condvar_cancel(ThreadRecord *thread, unsigned next);

/* For reports: the object that a thread waits on, or NULL. */
const void *condvar_waited_on(AgentId agent);

#endif
