/* Philosophers: each takes the fork at his left, then the one at his right. With -DGATED a
 * waiter serves one at a time; with -DORDERED the last one takes his forks the other way. */
#include <pthread.h>

#ifndef N
#define N 3
#endif

static pthread_mutex_t forks[N];
static pthread_mutex_t waiter = PTHREAD_MUTEX_INITIALIZER;
static int meals;

static void dine(pthread_mutex_t *first, pthread_mutex_t *second)
{
#ifdef GATED
    pthread_mutex_lock(&waiter);
#endif
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    __atomic_fetch_add(&meals, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
#ifdef GATED
    pthread_mutex_unlock(&waiter);
#endif
}

static void *philosopher(void *argument)
{
    long seat = (long)argument;
    pthread_mutex_t *left = &forks[seat], *right = &forks[(seat + 1) % N];
#ifdef ORDERED
    if (seat == N - 1) {
        dine(right, left);
        return NULL;
    }
#endif
    dine(left, right);
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    (void)waiter;
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
