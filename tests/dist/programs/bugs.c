/* bugs.c - several different bugs, some only in a few schedules: a lost update, a deadlock */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int n, rounds;

static void *first(void *argument)
{
    for (int i = 0; i < 2; i++) {
        int seen = atomic_load(&n);
        atomic_store(&n, seen + 1);
    }
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    atomic_fetch_add(&rounds, 1);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *second(void *argument)
{
    int seen = atomic_load(&n);
    atomic_store(&n, seen + 1);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    atomic_fetch_add(&rounds, 1);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return argument;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, first, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&n) == 5);
    return 0;
}
