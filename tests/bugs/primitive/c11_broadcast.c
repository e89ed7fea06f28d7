// bug: deadlock
// fixed: exhaustive
// Two waiters of a C11 condition variable, one signal; a detached thread gives it.
#include <threads.h>

static mtx_t lock;
static cnd_t opened;
static int open_;

static int enter(void *arg)
{
    mtx_lock(&lock);
    while (!open_)
        cnd_wait(&opened, &lock); // BUG
    mtx_unlock(&lock);
    return 0;
}

static int opener(void *arg)
{
    mtx_lock(&lock);
    open_ = 1;
#ifdef FIXED
    cnd_broadcast(&opened);
#else
    cnd_signal(&opened);
#endif
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t a, b, o;
    mtx_init(&lock, mtx_plain);
    cnd_init(&opened);
    thrd_create(&a, enter, NULL);
    thrd_create(&b, enter, NULL);
    thrd_create(&o, opener, NULL);
    thrd_detach(o);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
