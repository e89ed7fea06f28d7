// bug: use-after-free
// fixed: exhaustive
// POSIX leaves undefined what a key is after it was deleted.
#include <pthread.h>
#include <stddef.h>

static pthread_key_t key;

static void *worker(void *arg)
{
    pthread_setspecific(key, arg); // (BUG)
    return arg;
}

int main(void)
{
    pthread_t t;
    void *seen;
    pthread_key_create(&key, NULL); // (BUG)
#ifndef FIXED
    pthread_key_delete(key); // BUG
#endif
    pthread_create(&t, NULL, worker, &t);
    pthread_join(t, &seen);
#ifdef FIXED
    pthread_key_delete(key);
#endif
    return seen != &t;
}
