// bug: use-after-free
// fixed: exhaustive
// A thread may still use the key that another one deletes.
#include <stddef.h>
#include <threads.h>

static tss_t key;

static int worker(void *arg)
{
    tss_set(key, arg); // BUG
    return 0;
}

int main(void)
{
    thrd_t t;
    tss_create(&key, NULL); // (BUG)
    thrd_create(&t, worker, &t);
#ifdef FIXED
    thrd_join(t, NULL);
    tss_delete(key);
#else
    tss_delete(key); // BUG
    thrd_join(t, NULL);
#endif
    return 0;
}
