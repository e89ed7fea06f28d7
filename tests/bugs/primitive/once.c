// bug: assertion
// fixed: exhaustive
// Both threads must find the work undone before either one notes it as done.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int setups;

static void set_up(void)
{
    atomic_fetch_add(&setups, 1);
}

static void *user(void *arg)
{
#ifdef FIXED
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_up);
#else
    if (!atomic_load(&setups))
        set_up();
#endif
    assert(atomic_load(&setups) == 1); // BUG
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
