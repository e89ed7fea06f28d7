// bug: lock-misuse
// fixed: exhaustive
// The C11 mutex is given back by a thread that did not get it.
#include <threads.h>

static mtx_t lock;
static int value;

static int worker(void *arg)
{
    mtx_lock(&lock); // (BUG)
    value++;
    mtx_unlock(&lock); // (BUG)
    return 0;
}

int main(void)
{
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    thrd_create(&t, worker, NULL);
    int got = mtx_trylock(&lock);
#ifdef FIXED
    if (got == thrd_success)
#endif
        mtx_unlock(&lock); // BUG
    thrd_join(t, NULL);
    mtx_destroy(&lock);
    return got < 0;
}
