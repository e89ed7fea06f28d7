// bug: deadlock
// fixed: exhaustive
// Two threads block each other while main and a third thread work on and finish.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int beats;

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

static void *heartbeat(void *arg)
{
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&beats, 1);
    return NULL;
}

int main(void)
{
    pthread_t f, g, h;
    pthread_create(&f, NULL, forward, NULL);
    pthread_create(&g, NULL, backward, NULL);
    pthread_create(&h, NULL, heartbeat, NULL);
    pthread_detach(f);
    pthread_detach(g);
    pthread_join(h, NULL);
    return 0;
}
