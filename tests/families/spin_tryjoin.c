/* spin_tryjoin.c - a loop that asks until a thread has ended (-DLOCKS: one that gives a lock back if the other is held) */
#define _GNU_SOURCE
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int shared;
static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    for (;;) {
        pthread_mutex_lock(first);
        if (!pthread_mutex_trylock(second))
            break;
        pthread_mutex_unlock(first);
    }
    shared++;
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}
static void *work(void *argument)
{
    both(&b, &a);
    return argument;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifdef LOCKS
    both(&a, &b);
#endif
    while (pthread_tryjoin_np(t, NULL))
        ;
    return shared == 0;
}
