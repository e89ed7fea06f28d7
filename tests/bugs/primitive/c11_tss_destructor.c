// bug: leak
// fixed: exhaustive
// options: --check=leak
// The value of a C11 thread-specific slot is freed by its destructor, or by nobody.
#include <stdlib.h>
#include <threads.h>

static tss_t slot;

static int worker(void *arg)
{
    tss_set(slot, malloc(4)); // BUG
    return 0;
}

int main(void)
{
    thrd_t t;
#ifdef FIXED
    tss_create(&slot, free);
#else
    tss_create(&slot, NULL);
#endif
    thrd_create(&t, worker, NULL);
    thrd_join(t, NULL);
    tss_delete(slot);
    return 0;
}
