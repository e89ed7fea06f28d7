// bug: data-race
// fixed: exhaustive
// A thread-local variable is one per thread; without the word it is one for all.
#include <pthread.h>

#ifdef FIXED
static _Thread_local int scratch = 1;
static __thread int extra = 1;
#else
static int scratch = 1;
static __thread int extra = 1;
#endif

static void *worker(void *arg)
{
    scratch += *(int *)arg; // BUG
    extra += *(int *)arg;
    return extra == 1 + *(int *)arg ? NULL : arg;
}

int main(void)
{
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &one);
    pthread_create(&b, NULL, worker, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return extra == 1 ? 0 : 1;
}
