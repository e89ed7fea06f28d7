// bug: deadlock
// fixed: exhaustive
// Each thread must hold its first lock before either one asks for its second.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *forward(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b); // BUG
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return NULL;
}

static void *backward(void *arg)
{
#ifdef FIXED
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
#else
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); // BUG
#endif
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return NULL;
}

int main(void)
{
    pthread_t f, g;
    pthread_create(&f, NULL, forward, NULL);
    pthread_create(&g, NULL, backward, NULL);
    pthread_join(f, NULL); // (BUG)
    pthread_join(g, NULL); // (BUG)
    return 0;
}
