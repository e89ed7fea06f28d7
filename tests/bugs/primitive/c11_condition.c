// bug: deadlock
// fixed: exhaustive
// The signal must come before the wait, and nothing remembers it.
#include <threads.h>

static mtx_t lock;
static cnd_t ready_cond;
static int ready;

static int waiter(void *arg)
{
    mtx_lock(&lock);
#ifdef FIXED
    while (!ready)
#endif
        cnd_wait(&ready_cond, &lock); // BUG
    mtx_unlock(&lock);
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    cnd_init(&ready_cond);
    thrd_create(&t, waiter, NULL);
    mtx_lock(&lock);
    ready = 1;
    cnd_signal(&ready_cond);
    mtx_unlock(&lock);
    thrd_join(t, NULL); // (BUG)
    cnd_destroy(&ready_cond);
    mtx_destroy(&lock);
    return ready == 1 ? 0 : 1;
}
