/* Both orders of two locks; a flag that only the explored schedules know keeps them apart. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;

static void *forth(void *argument)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    atomic_store(&ready, 1);
    return argument;
}

static void *back(void *argument)
{
    if (atomic_load(&ready)) {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return argument;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, forth, NULL);
    pthread_create(&second, NULL, back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
