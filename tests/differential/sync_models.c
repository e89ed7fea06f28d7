/* sync_models.c - the synchronisation models against brute force, see models.h */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>

#include "models.h"

/* ---- Programs ------------------------------------------------------------------- */

#define OPERATIONS(_) \
    _(lock) _(nest) _(trylock) _(timedlock) _(recursive) _(keep) _(robust) _(robust_keep) \
    _(rdlock) _(wrlock) _(reread) _(tryrdlock) _(trywrlock) _(timedrdlock) _(timedwrlock) _(read_keep) \
    _(spin) _(spin_try) \
    _(post) _(sem_wait) _(sem_try) _(sem_timed) _(sem_get) _(sem_open) _(sem_unlink) _(post_limit) \
    _(wait) _(wait_timed) _(wait_recursive) _(signal) _(broadcast) _(late_signal) _(late_broadcast) \
    _(once) _(barrier) _(choose) _(exit_thread) _(key_delete) _(key_set) \
    _(cancel) _(test_cancel) _(cancel_off) _(tryjoin) _(timedjoin) _(sleep)

static struct {
    pthread_mutex_t mutex[2], recursive, robust, condition_mutex;
    pthread_cond_t condition;
    pthread_rwlock_t rwlock[2]; /* the second prefers writers */
    pthread_spinlock_t spin;
    pthread_barrier_t barrier;
    pthread_once_t once;
    pthread_key_t key, unused_key;
    sem_t sem, limit;
    int locked[2], relocked, repaired, written[2], spun, signals, once_runner, destroyed;
} shared;

static const struct timespec soon = {.tv_sec = 1};

/* What the instrumenter would say of this program. */
__attribute__((section("sennit_redirected"), used)) static const char uses_cancel[] = "pthread_cancel";

/* ---- Operations: mutexes ---------------------------------------------------------- */

static void unlock(void *mutex)
{
    see(sennit_rt_pthread_mutex_unlock(mutex));
}

static void use_mutex(int error, int n)
{
    see(error);
    if (error)
        return;
    see(shared.locked[n]++);
    unlock(&shared.mutex[n]);
}

static void op_lock(int n) { use_mutex(sennit_rt_pthread_mutex_lock(&shared.mutex[n]), n); }
static void op_trylock(int n) { use_mutex(sennit_rt_pthread_mutex_trylock(&shared.mutex[n]), n); }
static void op_timedlock(int n) { use_mutex(sennit_rt_pthread_mutex_timedlock(&shared.mutex[n], &soon), n); }

/* In either order: may deadlock. */
static void op_nest(int n)
{
    sennit_rt_pthread_mutex_lock(&shared.mutex[n]);
    op_lock(1 - n);
    use_mutex(0, n);
}

static void op_keep(int n)
{
    sennit_rt_pthread_mutex_lock(&shared.mutex[n]);
    see(shared.locked[n]++);
}

static void op_recursive(int n)
{
    sennit_rt_pthread_mutex_lock(&shared.recursive);
    see(n ? sennit_rt_pthread_mutex_lock(&shared.recursive) : sennit_rt_pthread_mutex_trylock(&shared.recursive));
    see(shared.relocked++);
    unlock(&shared.recursive);
    unlock(&shared.recursive);
}

/* Takes it from an owner who died, and repairs what it protects or not. */
static int take_robust(int repair)
{
    int error = sennit_rt_pthread_mutex_lock(&shared.robust);
    see(error);
    if (error && error != EOWNERDEAD)
        return 0;
    see(shared.repaired++);
    if (error && repair)
        see(sennit_rt_pthread_mutex_consistent(&shared.robust));
    return 1;
}

static void op_robust(int n)
{
    if (take_robust(n))
        unlock(&shared.robust);
}

static void op_robust_keep(int n)
{
    if (take_robust(n))
        sennit_rt_pthread_exit(NULL);
}

/* ---- Operations: other locks -------------------------------------------------------- */

static void use_rwlock(int error, int n, int writes)
{
    see(error);
    if (error)
        return;
    see(writes ? shared.written[n]++ : shared.written[n]);
    see(sennit_rt_pthread_rwlock_unlock(&shared.rwlock[n]));
}

static void op_rdlock(int n) { use_rwlock(sennit_rt_pthread_rwlock_rdlock(&shared.rwlock[n]), n, 0); }
static void op_wrlock(int n) { use_rwlock(sennit_rt_pthread_rwlock_wrlock(&shared.rwlock[n]), n, 1); }
static void op_tryrdlock(int n) { use_rwlock(sennit_rt_pthread_rwlock_tryrdlock(&shared.rwlock[n]), n, 0); }
static void op_trywrlock(int n) { use_rwlock(sennit_rt_pthread_rwlock_trywrlock(&shared.rwlock[n]), n, 1); }
static void op_timedrdlock(int n) { use_rwlock(sennit_rt_pthread_rwlock_timedrdlock(&shared.rwlock[n], &soon), n, 0); }
static void op_timedwrlock(int n) { use_rwlock(sennit_rt_pthread_rwlock_timedwrlock(&shared.rwlock[n], &soon), n, 1); }
static void op_read_keep(int n) { see(sennit_rt_pthread_rwlock_rdlock(&shared.rwlock[n])); }

/* With a writer that waits in between, a deadlock. */
static void op_reread(int n)
{
    op_read_keep(n);
    op_rdlock(n);
    use_rwlock(0, n, 0);
}

static void use_spin(int error)
{
    see(error);
    if (error)
        return;
    see(shared.spun++);
    sennit_rt_pthread_spin_unlock(&shared.spin);
}

static void op_spin(int n)
{
    (void)n;
    use_spin(sennit_rt_pthread_spin_lock(&shared.spin));
}

static void op_spin_try(int n)
{
    (void)n;
    use_spin(sennit_rt_pthread_spin_trylock(&shared.spin));
}

/* ---- Operations: semaphores ----------------------------------------------------------- */

static void op_post(int n) { (void)n; see(sennit_rt_sem_post(&shared.sem)); }
static void op_sem_wait(int n) { (void)n; see(sennit_rt_sem_wait(&shared.sem)); }
static void op_sem_try(int n) { (void)n; see(sennit_rt_sem_trywait(&shared.sem) ? errno : 0); }
static void op_sem_timed(int n) { (void)n; see(sennit_rt_sem_timedwait(&shared.sem, &soon) ? errno : 0); }

static void op_sem_get(int n)
{
    int value = 0;
    (void)n;
    sennit_rt_sem_getvalue(&shared.sem, &value);
    see(value);
}

static void op_post_limit(int n)
{
    see(n ? sennit_rt_sem_wait(&shared.limit) : sennit_rt_sem_post(&shared.limit) ? errno : 0);
}

static void op_sem_open(int n)
{
    sem_t *sem = sennit_rt_sem_open("/sem", n ? O_CREAT | O_EXCL : O_CREAT, 0600, 1u);
    see(sem == SEM_FAILED ? errno : sennit_rt_sem_trywait(sem));
}

static void op_sem_unlink(int n)
{
    (void)n;
    see(sennit_rt_sem_unlink("/sem") ? errno : 0);
}

/* ---- Operations: conditions -------------------------------------------------------------- */

/* The cleanup macros, with their calls redirected as the instrumenter does. */
#define __pthread_register_cancel sennit_rt___pthread_register_cancel
#define __pthread_unregister_cancel sennit_rt___pthread_unregister_cancel
#define __pthread_unwind_next sennit_rt___pthread_unwind_next

static void await_signal(pthread_mutex_t *mutex, const struct timespec *deadline)
{
    sennit_rt_pthread_mutex_lock(mutex);
    pthread_cleanup_push(unlock, mutex);
    see(shared.signals);
    if (shared.signals == 0)
        see(deadline ? sennit_rt_pthread_cond_timedwait(&shared.condition, mutex, deadline)
                     : sennit_rt_pthread_cond_wait(&shared.condition, mutex));
    see(shared.signals);
    pthread_cleanup_pop(1);
}

static void op_wait(int n) { (void)n; await_signal(&shared.condition_mutex, NULL); }
static void op_wait_timed(int n) { (void)n; await_signal(&shared.condition_mutex, &soon); }

/* Keeps the mutex while it waits. */
static void op_wait_recursive(int n)
{
    (void)n;
    sennit_rt_pthread_mutex_lock(&shared.condition_mutex);
    await_signal(&shared.condition_mutex, n ? &soon : NULL);
    unlock(&shared.condition_mutex);
}

static void wake(int (*how)(pthread_cond_t *), int late)
{
    sennit_rt_pthread_mutex_lock(&shared.condition_mutex);
    see(shared.signals++);
    if (!late)
        how(&shared.condition);
    unlock(&shared.condition_mutex);
    if (late)
        how(&shared.condition);
}

static void op_signal(int n) { (void)n; wake(sennit_rt_pthread_cond_signal, 0); }
static void op_broadcast(int n) { (void)n; wake(sennit_rt_pthread_cond_broadcast, 0); }
static void op_late_signal(int n) { (void)n; wake(sennit_rt_pthread_cond_signal, 1); }
static void op_late_broadcast(int n) { (void)n; wake(sennit_rt_pthread_cond_broadcast, 1); }

/* ---- Operations: threads -------------------------------------------------------------------- */

static void run_once(void)
{
    shared.once_runner = (int)thread_self();
    if (models_self()->object[0])
        sennit_rt_pthread_testcancel();
}

static void op_once(int n)
{
    (void)n;
    sennit_rt_pthread_once(&shared.once, run_once);
    see(shared.once_runner);
}

const char sennit_asks_serial = 1; /* as in a program that looks at the results */

static void op_barrier(int n)
{
    (void)n;
    see(sennit_rt_pthread_barrier_wait(&shared.barrier));
}

static void op_choose(int n)
{
    see((int)sennit_rt_sennit_choose(2 + (unsigned)n));
}

static void op_exit_thread(int n)
{
    sennit_rt_pthread_exit(n ? &shared : NULL);
}

static void op_key_set(int n)
{
    see(sennit_rt_pthread_setspecific(shared.key, n ? &shared : NULL));
}

/* Using a key that another thread may delete would be a bug of the program. */
static void op_key_delete(int n)
{
    (void)n;
    see(sennit_rt_pthread_key_delete(shared.unused_key));
}

/* The others may cancel and join the first thread. */
static void op_cancel(int n)
{
    (void)n;
    if (models_self() != models_first())
        see(sennit_rt_pthread_cancel(models_first()->handle));
}

static void op_test_cancel(int n)
{
    (void)n;
    sennit_rt_pthread_testcancel();
}

static void op_cancel_off(int n)
{
    sennit_rt_pthread_setcancelstate(n ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE, NULL);
}

static void op_tryjoin(int n)
{
    (void)n;
    if (models_self() != models_first())
        see(sennit_rt_pthread_tryjoin_np(models_first()->handle, NULL));
}

static void op_timedjoin(int n)
{
    (void)n;
    if (models_self() != models_first())
        see(sennit_rt_pthread_timedjoin_np(models_first()->handle, NULL, &soon));
}

/* Time is a part of the state too. */
static void op_sleep(int n)
{
    struct timespec now;
    sennit_rt_sleep((unsigned)n);
    sennit_rt_clock_gettime(CLOCK_MONOTONIC, &now);
    see((int)now.tv_sec);
    see((int)now.tv_nsec);
}

/* ---- The test --------------------------------------------------------------------------------------- */

static const Operation operations[] = {
#define OPERATION(name) {#name, op_##name},
    OPERATIONS(OPERATION)
#undef OPERATION
};

static void count_destroyed(void *value)
{
    (void)value;
    see(-7);
}

static void reset(void)
{
    memset(&shared, 0, sizeof shared);
    shared.recursive = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
    shared.condition_mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
}

static void prepare(void)
{
    pthread_mutexattr_t robust;
    pthread_rwlockattr_t prefer;
    reset();
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    sennit_rt_pthread_mutex_init(&shared.robust, &robust);
    pthread_rwlockattr_init(&prefer);
    pthread_rwlockattr_setkind_np(&prefer, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    sennit_rt_pthread_rwlock_init(&shared.rwlock[1], &prefer);
    sennit_rt_pthread_barrier_init(&shared.barrier, NULL, (unsigned)models_threads());
    sennit_rt_pthread_spin_init(&shared.spin, PTHREAD_PROCESS_PRIVATE);
    sennit_rt_sem_init(&shared.sem, 0, 1);
    sennit_rt_sem_init(&shared.limit, 0, SEM_VALUE_MAX - 1);
    sennit_rt_pthread_key_create(&shared.key, count_destroyed);
    sennit_rt_pthread_key_create(&shared.unused_key, NULL);
}

int main(int argc, char **argv)
{
    static const Models models = {operations, sizeof operations / sizeof *operations, prepare};
    return models_main(argc, argv, &models);
}
