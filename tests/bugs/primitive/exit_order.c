// bug: assertion
// fixed: exhaustive
// Exit handlers run last to first, whoever calls exit; the state they check is set too late.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int saved;
static int order;

static void first_registered(void)
{
    assert(order == 1);
}

static void last_registered(void)
{
    assert(atomic_load(&saved)); // BUG
    order = 1;
}

static void *saver(void *arg)
{
    atomic_store(&saved, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    atexit(first_registered);
    atexit(last_registered);
    pthread_create(&t, NULL, saver, NULL);
#ifdef FIXED
    pthread_join(t, NULL);
#endif
    return 0;
}
