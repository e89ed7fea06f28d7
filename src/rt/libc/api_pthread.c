/* api_pthread.c - pthread threads, keys, cancellation */
#include <errno.h>
#include <string.h>

#include "rt/detect/bug.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/layout.h"
#include "rt/kernel/node.h"
#include "rt/kernel/process.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/libc/api.h"
#include "rt/sync/cancel.h"
#include "rt/sync/hidden.h"
#include "rt/sync/keys.h"
#include "rt/sync/lifetime.h"
#include "rt/sync/once.h"
#include "rt/sync/plain.h"

static void require_inside(const char *what)
{
    if (!thread_inside())
        report_not_modelled(what);
}

/* ---- Life --------------------------------------------------------------------- */

static __attribute__((noinline)) size_t ask_default_stack_size(void)
{
    size_t size = 0;
    pthread_attr_t attr;
    if (pthread_getattr_default_np(&attr) == 0) {
        pthread_attr_getstacksize(&attr, &size);
        pthread_attr_destroy(&attr);
    }
    return size;
}

/* What pthread_setattr_default_np set, if the program calls it. */
static size_t default_stack_size(void)
{
    static enum { UNKNOWN, FIXED, VARIES } kind;
    static size_t fixed;
    if (UNLIKELY(kind == UNKNOWN)) {
        kind = calls_contain("pthread_setattr_default_np") ? VARIES : FIXED;
        fixed = ask_default_stack_size();
    }
    return LIKELY(kind == FIXED) ? fixed : ask_default_stack_size();
}

int sennit_rt_pthread_create(pthread_t *handle, const pthread_attr_t *attr, void *(*start)(void *), void *argument)
{
    int detached = PTHREAD_CREATE_JOINABLE;
    size_t stack_size = attr ? 0 : default_stack_size();
    sigset_t mask;
    uint32_t shadow = UNLIKELY(tracking.on) ? shadow_argument(CALLEE(sennit_rt_pthread_create), 3) : 0;
    require_inside("pthread_create before main");
    if (attr) {
        pthread_attr_getdetachstate(attr, &detached);
        pthread_attr_getstacksize(attr, &stack_size);
    }
    ThreadRecord *thread = lifetime_create(start, argument, (const void *)(uintptr_t)start,
                                           detached == PTHREAD_CREATE_DETACHED);
    thread->stack_size = stack_size;
    if (attr && pthread_attr_getsigmask_np(attr, &mask) == 0)
        memcpy(&thread->signals_blocked, &mask, sizeof thread->signals_blocked);
    if (!thread->unborn)
        thread_size_stack(thread->agent, stack_size);
    if (UNLIKELY(tracking.on))
        shadow_keep(&thread->argument, shadow);
    PLAIN_STORE(handle, lifetime_handle(thread)); /* the thread may already run, so it must not read the handle */
    return 0;
}

static int join(pthread_t handle, void **result, JoinPatience patience, const struct timespec *deadline)
{
    void *taken;
    int error = lifetime_join(handle, &taken, patience, deadline);
    if (!error && result)
        lifetime_hand_over(&taken, result, sizeof *result);
    return error;
}

int sennit_rt_pthread_join(pthread_t handle, void **result)
{
    require_inside("pthread_join before main");
    return join(handle, result, JOIN_WAIT, NULL);
}

int sennit_rt_pthread_tryjoin_np(pthread_t handle, void **result)
{
    require_inside("pthread_tryjoin_np before main");
    return join(handle, result, JOIN_TRY, NULL);
}

int sennit_rt_pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *deadline)
{
    if (deadline)
        plain_use(deadline, sizeof *deadline);
    require_inside("pthread_timedjoin_np before main");
    return join(handle, result, deadline ? JOIN_TIMED : JOIN_WAIT, deadline);
}

int sennit_rt_pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock, const struct timespec *deadline)
{
    if (deadline)
        plain_use(deadline, sizeof *deadline);
    (void)clock;
    return sennit_rt_pthread_timedjoin_np(handle, result, deadline);
}

int sennit_rt_pthread_detach(pthread_t handle)
{
    require_inside("pthread_detach before main");
    return lifetime_detach(handle);
}

void sennit_rt_pthread_exit(void *result)
{
    uint32_t shadow = shadow_argument(CALLEE(sennit_rt_pthread_exit), 0);
    require_inside("pthread_exit before main");
    if (node_is_first())
        report_not_modelled("pthread_exit in the first thread of a node");
    if (process_count() > 1 && process_is_first())
        report_not_modelled("pthread_exit in the first thread of a process beside others");
    lifetime_self()->result = result;
    shadow_keep(&lifetime_self()->result, shadow);
    lifetime_exit(result);
}

pthread_t sennit_rt_pthread_self(void)
{
    API_OUTSIDE(1);
    return lifetime_handle(lifetime_self());
}

int sennit_rt_pthread_equal(pthread_t a, pthread_t b)
{
    return a == b;
}

/* ---- Once, keys ------------------------------------------------------------------ */

int sennit_rt_pthread_once(pthread_once_t *control, void (*routine)(void))
{
    API_OUTSIDE(pthread_once(control, routine));
    once_call(control, routine);
    return 0;
}

int sennit_rt_pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    return keys_create(key, destructor);
}

int sennit_rt_pthread_key_delete(pthread_key_t key)
{
    return keys_delete(key);
}

void *sennit_rt_pthread_getspecific(pthread_key_t key)
{
    return keys_get(key, CALLEE(sennit_rt_pthread_getspecific));
}

int sennit_rt_pthread_setspecific(pthread_key_t key, const void *value)
{
    uint32_t shadow = shadow_argument(CALLEE(sennit_rt_pthread_setspecific), 1);
    return keys_set(key, value, shadow);
}

/* ---- Cancellation ------------------------------------------------------------------- */

int sennit_rt_pthread_cancel(pthread_t handle)
{
    require_inside("pthread_cancel before main");
    return cancel_request(handle);
}

void sennit_rt_pthread_testcancel(void)
{
    if (thread_inside())
        cancel_test();
}

int sennit_rt_pthread_setcancelstate(int state, int *old)
{
    API_OUTSIDE(pthread_setcancelstate(state, old));
    return cancel_set_state(state, old);
}

int sennit_rt_pthread_setcanceltype(int type, int *old)
{
    API_OUTSIDE(pthread_setcanceltype(type, old));
    return cancel_set_type(type, old);
}

/* What pthread_cleanup_push and _pop become in C. */
void sennit_rt___pthread_register_cancel(__pthread_unwind_buf_t *frame)
{
    cancel_push_frame(frame);
}

void sennit_rt___pthread_register_cancel_defer(__pthread_unwind_buf_t *frame)
{
    cancel_push_frame(frame);
}

void sennit_rt___pthread_unregister_cancel(__pthread_unwind_buf_t *frame)
{
    (void)frame;
    cancel_pop(false);
}

void sennit_rt___pthread_unregister_cancel_restore(__pthread_unwind_buf_t *frame)
{
    (void)frame;
    cancel_pop(false);
}

void sennit_rt___pthread_unwind_next(__pthread_unwind_buf_t *frame)
{
    (void)frame;
    cancel_unwind_next();
}

void sennit_rt__pthread_cleanup_push(struct _pthread_cleanup_buffer *buffer, void (*routine)(void *), void *argument)
{
    (void)buffer;
    cancel_push_routine(routine, argument);
}

void sennit_rt__pthread_cleanup_pop(struct _pthread_cleanup_buffer *buffer, int execute)
{
    (void)buffer;
    cancel_pop(execute);
}

/* ---- Names, attributes, priorities ------------------------------------------------------ */

int sennit_rt_pthread_getattr_np(pthread_t handle, pthread_attr_t *attr)
{
    API_OUTSIDE(pthread_getattr_np(pthread_self(), attr));
    const ThreadRecord *thread = lifetime_find(handle);
    if (!thread)
        return ESRCH;
    plain_write(address_of(attr), sizeof *attr);
    pthread_attr_init(attr);
    shadow_memory_overwritten(attr, sizeof *attr);
    pthread_attr_setdetachstate(attr, thread->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
    if (thread->unborn)
        return 0;
    uint64_t size = thread->stack_size ? thread->stack_size : default_stack_size();
    uint64_t top = stack_bottom(thread_get(thread->agent)->seat) + STACK_STRIDE;
    return pthread_attr_setstack(attr, (void *)(uintptr_t)(top - size), size);
}

/* A call that uses the name of a thread is a step, as other hidden state is: the record, or NULL if it is gone. */
static ThreadRecord *use_name(pthread_t handle, OpKind op)
{
    ThreadRecord *thread = lifetime_find(handle);
    if (!thread || thread->unborn || !hidden_is_shared())
        return thread;
    bool sets = op == OP_HIDDEN_WRITE;
    step_begin(op, resource_make(RES_THREAD_NAME, thread->agent))->mode = sets ? MODE_WRITE : MODE_READ;
    step_wait();
    step_value(0, thread->named, thread->named + sets);
    thread->named += sets;
    step_done();
    return lifetime_find(handle);
}

int sennit_rt_pthread_setname_np(pthread_t handle, const char *name)
{
    API_OUTSIDE(0);
    if (strlen(name) >= sizeof lifetime_self()->name)
        return ERANGE;
    ThreadRecord *thread = use_name(handle, OP_HIDDEN_WRITE);
    if (!thread)
        return ESRCH;
    strcpy(thread->name, name);
    return 0;
}

int sennit_rt_pthread_getname_np(pthread_t handle, char *name, size_t size)
{
    API_OUTSIDE(ENOENT);
    const ThreadRecord *thread = use_name(handle, OP_HIDDEN_READ);
    if (!thread)
        return ESRCH;
    size_t length = strlen(thread->name) + 1;
    if (length > size)
        return ERANGE;
    plain_write(address_of(name), length);
    memcpy(name, thread->name, length);
    shadow_memory_overwritten(name, length);
    return 0;
}

int sennit_rt_pthread_setconcurrency(int level)
{
    return level < 0 ? EINVAL : 0;
}

int sennit_rt_pthread_getconcurrency(void)
{
    return 0;
}

static int known(pthread_t handle)
{
    API_OUTSIDE(0);
    return lifetime_find(handle) ? 0 : ESRCH;
}

int sennit_rt_pthread_setschedparam(pthread_t handle, int policy, const struct sched_param *param)
{
    (void)policy;
    (void)param;
    return known(handle);
}

int sennit_rt_pthread_getschedparam(pthread_t handle, int *policy, struct sched_param *param)
{
    PLAIN_STORE(policy, SCHED_OTHER);
    PLAIN_STORE(param, (struct sched_param){0});
    return known(handle);
}

int sennit_rt_pthread_setschedprio(pthread_t handle, int priority)
{
    (void)priority;
    return known(handle);
}

int sennit_rt_pthread_setaffinity_np(pthread_t handle, size_t size, const cpu_set_t *set)
{
    (void)size;
    (void)set;
    return known(handle);
}

int sennit_rt_pthread_getaffinity_np(pthread_t handle, size_t size, cpu_set_t *set)
{
    plain_write(address_of(set), size);
    memset(set, 0, size);
    shadow_memory_overwritten(set, size);
    CPU_SET_S(0, size, set);
    return known(handle);
}

int sennit_rt_pthread_getcpuclockid(pthread_t handle, clockid_t *clock)
{
    PLAIN_STORE(clock, CLOCK_THREAD_CPUTIME_ID);
    return known(handle);
}
