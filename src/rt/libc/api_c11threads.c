/* api_c11threads.c - C11 threads, on the primitives of the pthread functions
 *
 * glibc's mtx_t, cnd_t and once_flag have the layout of the pthread types, as its own
 * implementation relies on.
 */
#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_call.h"
#include "rt/kernel/thread.h"
#include "rt/kernel/transient.h"
#include "rt/libc/api.h"
#include "rt/sync/cancel.h"
#include "rt/sync/condvar.h"
#include "rt/sync/keys.h"
#include "rt/sync/mutex.h"
#include "rt/sync/once.h"
#include "rt/sync/plain.h"

_Static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t), "mtx_t is laid out as a mutex");
_Static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t), "cnd_t is laid out as a condition variable");
_Static_assert(sizeof(once_flag) == sizeof(int), "once_flag is one int");

static int answer(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
    case EAGAIN:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

static Lock *mutex(mtx_t *mtx)
{
    return mutex_of((pthread_mutex_t *)mtx);
}

static Condvar *condvar(cnd_t *cnd)
{
    return condvar_of((pthread_cond_t *)cnd);
}

/* ---- Threads ----------------------------------------------------------------- */

/* A start function of C11 returns an int; it is kept in the pointer. */
typedef struct Start {
    thrd_start_t function;
    void *argument;
} Start;

/* The shadow of that pointer from that of the int. */
static uint32_t widen(uint32_t shadow)
{
    return shadow ? sennit_rt_shadow_cast(SENNIT_SHADOW_SEXT, 32, 64, shadow) : 0;
}

static void *run(void *argument)
{
    Start *start = argument;
    void *own = start->argument;
    shadow_pass(CALLEE(start->function), &start->argument);
    start->argument = NULL; /* see lifetime.c */
    int result = start->function(own);
    shadow_give_result(CALLEE(run), widen(shadow_result(CALLEE(start->function))));
    return (void *)(intptr_t)result;
}

int sennit_rt_thrd_create(thrd_t *handle, thrd_start_t function, void *argument)
{
    uint32_t shadow = shadow_argument(CALLEE(sennit_rt_thrd_create), 2);
    if (!thread_inside())
        report_not_modelled("thrd_create before main");
    Start *start = transient_alloc(sizeof *start);
    *start = (Start){.function = function, .argument = argument};
    shadow_keep(&start->argument, shadow);
    ThreadRecord *thread = lifetime_create(run, start, (const void *)(uintptr_t)function, false);
    PLAIN_STORE(handle, lifetime_handle(thread));
    return thrd_success;
}

int sennit_rt_thrd_join(thrd_t handle, int *result)
{
    void *pointer = NULL;
    API_OUTSIDE(thrd_error);
    int error = lifetime_join(handle, &pointer, JOIN_WAIT, NULL);
    if (!error && result)
        lifetime_hand_over(&pointer, result, sizeof *result); /* the low bytes come first */
    return answer(error);
}

int sennit_rt_thrd_detach(thrd_t handle)
{
    API_OUTSIDE(thrd_error);
    return answer(lifetime_detach(handle));
}

void sennit_rt_thrd_exit(int result)
{
    uint32_t shadow = shadow_argument(CALLEE(sennit_rt_thrd_exit), 0);
    lifetime_self()->result = (void *)(intptr_t)result;
    shadow_keep(&lifetime_self()->result, widen(shadow));
    lifetime_exit(lifetime_self()->result);
}

thrd_t sennit_rt_thrd_current(void)
{
    API_OUTSIDE(1);
    return lifetime_handle(lifetime_self());
}

int sennit_rt_thrd_equal(thrd_t a, thrd_t b)
{
    return a == b;
}

/* ---- Mutexes ------------------------------------------------------------------- */

int sennit_rt_mtx_init(mtx_t *mtx, int type)
{
    API_OUTSIDE(mtx_init(mtx, type));
    if (type & ~(mtx_plain | mtx_timed | mtx_recursive))
        return thrd_error;
    return answer(mutex_init((pthread_mutex_t *)mtx, type & mtx_recursive ? MUTEX_RECURSIVE : MUTEX_NORMAL, false));
}

void sennit_rt_mtx_destroy(mtx_t *mtx)
{
    if (thread_inside())
        mutex_destroy(mutex(mtx));
}

int sennit_rt_mtx_lock(mtx_t *mtx)
{
    API_OUTSIDE(mtx_lock(mtx));
    return answer(mutex_lock(mutex(mtx)));
}

int sennit_rt_mtx_trylock(mtx_t *mtx)
{
    API_OUTSIDE(mtx_trylock(mtx));
    return answer(mutex_try(mutex(mtx)));
}

int sennit_rt_mtx_timedlock(mtx_t *mtx, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(mtx_timedlock(mtx, deadline));
    return answer(mutex_lock_timed(mutex(mtx), deadline));
}

int sennit_rt_mtx_unlock(mtx_t *mtx)
{
    API_OUTSIDE(mtx_unlock(mtx));
    return answer(mutex_unlock(mutex(mtx)));
}

/* ---- Condition variables --------------------------------------------------------- */

int sennit_rt_cnd_init(cnd_t *cnd)
{
    API_OUTSIDE(cnd_init(cnd));
    return answer(condvar_init((pthread_cond_t *)cnd));
}

void sennit_rt_cnd_destroy(cnd_t *cnd)
{
    if (thread_inside())
        condvar_destroy(condvar(cnd));
}

int sennit_rt_cnd_wait(cnd_t *cnd, mtx_t *mtx)
{
    API_OUTSIDE(cnd_wait(cnd, mtx));
    return answer(condvar_wait(condvar(cnd), mutex(mtx), NULL));
}

int sennit_rt_cnd_timedwait(cnd_t *cnd, mtx_t *mtx, const struct timespec *deadline)
{
    plain_use(deadline, sizeof *deadline);
    API_OUTSIDE(cnd_timedwait(cnd, mtx, deadline));
    return answer(condvar_wait(condvar(cnd), mutex(mtx), deadline));
}

int sennit_rt_cnd_signal(cnd_t *cnd)
{
    API_OUTSIDE(cnd_signal(cnd));
    return answer(condvar_signal(condvar(cnd)));
}

int sennit_rt_cnd_broadcast(cnd_t *cnd)
{
    API_OUTSIDE(cnd_broadcast(cnd));
    return answer(condvar_broadcast(condvar(cnd)));
}

/* ---- Thread-specific values, once --------------------------------------------------- */

int sennit_rt_tss_create(tss_t *key, tss_dtor_t destructor)
{
    return answer(keys_create(key, destructor));
}

void sennit_rt_tss_delete(tss_t key)
{
    keys_delete(key);
}

void *sennit_rt_tss_get(tss_t key)
{
    return keys_get(key, CALLEE(sennit_rt_tss_get));
}

int sennit_rt_tss_set(tss_t key, void *value)
{
    uint32_t shadow = shadow_argument(CALLEE(sennit_rt_tss_set), 1);
    return answer(keys_set(key, value, shadow));
}

void sennit_rt_call_once(once_flag *flag, void (*routine)(void))
{
    if (thread_inside())
        once_call((int *)flag, routine);
    else
        call_once(flag, routine);
}
