/* The second order of the locks needs a schedule that a few runs do not show: the counter must be
 * seen at exactly 3. */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counter;

static void *forth(void *argument)
{
    for (int i = 0; i < 6; i++)
        atomic_fetch_add(&counter, 1);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return argument;
}

static void *back(void *argument)
{
    int first = atomic_load(&counter), second = atomic_load(&counter), third = atomic_load(&counter);
    if (first == 1 && second == 3 && third == 5) {
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
