// bug: assertion
// fixed: exhaustive
// executions: 2
// Keys that a constructor makes are there in main and in all threads, in every execution;
// what the constructor sets is a value of main only.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <threads.h>

static pthread_key_t key, gone;
static tss_t second;
static char of_main;
static atomic_int destroyed;
static _Atomic(void *) last; // two orders

static void destroy(void *value) { destroyed += value != NULL; }

__attribute__((constructor)) static void before_main(void)
{
    pthread_key_create(&gone, NULL);
    pthread_key_create(&key, destroy);
    tss_create(&second, NULL);
    pthread_key_delete(gone);
    pthread_setspecific(key, &of_main);
    assert(pthread_getspecific(key) == &of_main);
}

static void *worker(void *arg)
{
#ifdef FIXED
    assert(!pthread_getspecific(key));
#else
    assert(pthread_getspecific(key)); // BUG
#endif
    last = arg;
    pthread_setspecific(key, arg);
    assert(!tss_get(second));
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_key_t late;
    assert(pthread_getspecific(key) == &of_main);
    pthread_key_create(&late, NULL);
    assert(late != key && late != gone && late != second && key != second);
    assert(pthread_key_delete(gone) != 0);
    pthread_create(&a, NULL, worker, &a);
    pthread_create(&b, NULL, worker, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(destroyed == 2 && last);
    assert(pthread_key_delete(key) == 0 && pthread_key_delete(key) != 0);
    return 0;
}
