// bug: deadlock
// fixed: exhaustive
// Each thread must hold its first spin lock before either one asks for its second.
#include <pthread.h>

static pthread_spinlock_t a, b;

static void *forward(void *arg)
{
    pthread_spin_lock(&a);
    pthread_spin_lock(&b); // BUG
    pthread_spin_unlock(&b);
    pthread_spin_unlock(&a);
    return NULL;
}

static void *backward(void *arg)
{
#ifdef FIXED
    pthread_spin_lock(&a);
    pthread_spin_lock(&b);
#else
    pthread_spin_lock(&b);
    pthread_spin_lock(&a); // BUG
#endif
    pthread_spin_unlock(&a);
    pthread_spin_unlock(&b);
    return NULL;
}

int main(void)
{
    pthread_t f, g;
    pthread_spin_init(&a, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_init(&b, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&f, NULL, forward, NULL);
    pthread_create(&g, NULL, backward, NULL);
    pthread_join(f, NULL); // (BUG)
    pthread_join(g, NULL); // (BUG)
    return 0;
}
