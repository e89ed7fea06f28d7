/* The numbers of the threads are handed over through one variable, without care: only a schedule in which
 * each reads it in time has the deadlock. */
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *both(void *argument)
{
    int first = *(int *)argument;
    pthread_mutex_lock(&locks[first]);
    pthread_mutex_lock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[1 - first]);
    pthread_mutex_unlock(&locks[first]);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int number = 0;
    pthread_create(&threads[0], NULL, both, &number);
    number = 1;
    pthread_create(&threads[1], NULL, both, &number);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
