// bug: assertion
// fixed: exhaustive
// The lock must be held by the other thread when the time runs out.
#include <assert.h>
#include <threads.h>
#include <time.h>

static mtx_t lock;
static cnd_t never;
static int value;

static int holder(void *arg)
{
    mtx_lock(&lock);
    mtx_lock(&lock);
    value = 1;
    mtx_unlock(&lock);
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_t plain;
    struct timespec soon;
    mtx_init(&lock, mtx_timed | mtx_recursive);
    mtx_init(&plain, mtx_plain);
    cnd_init(&never);
    thrd_create(&t, holder, NULL);
    timespec_get(&soon, TIME_UTC);
    soon.tv_sec++;
    int got = mtx_timedlock(&lock, &soon);
#ifdef FIXED
    assert(got == thrd_success || got == thrd_timedout);
#else
    assert(got == thrd_success); // BUG
#endif
    if (got == thrd_success)
        mtx_unlock(&lock);
    mtx_lock(&plain);
    assert(cnd_timedwait(&never, &plain, &soon) == thrd_timedout);
    mtx_unlock(&plain);
    thrd_sleep(&(struct timespec){.tv_nsec = 10}, NULL);
    thrd_join(t, NULL);
    return 0;
}
