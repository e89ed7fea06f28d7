// bug: lock-misuse
// fixed: exhaustive
// Main releases the thread's spin lock if its own trylock failed.
#include <pthread.h>

static pthread_spinlock_t lock;
static int value;

static void *worker(void *arg)
{
    pthread_spin_lock(&lock); // (BUG)
    value++;
    pthread_spin_unlock(&lock); // (BUG)
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&t, NULL, worker, NULL);
    int got = pthread_spin_trylock(&lock);
#ifdef FIXED
    if (got == 0)
#endif
        pthread_spin_unlock(&lock); // BUG
    pthread_join(t, NULL);
    pthread_spin_destroy(&lock);
    return got < 0;
}
