/* The second order of the locks needs one input of many. */
#include <pthread.h>
#include <sennit/sennit.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int code;

static void both(pthread_mutex_t *first, pthread_mutex_t *second)
{
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *forth(void *argument)
{
    both(&a, &b);
    return argument;
}

static void *back(void *argument)
{
    if (code * 3 == 14133)
        both(&b, &a);
    return argument;
}

int main(void)
{
    pthread_t first, second;
    code = sennit_int("code");
    pthread_create(&first, NULL, forth, NULL);
    pthread_create(&second, NULL, back, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
