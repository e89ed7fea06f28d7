// bug: data-race
// fixed: exhaustive
// The second thread must come while the lock is taken: it goes on without it.
#include <errno.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int hits;

static void *enter(void *arg)
{
#ifdef FIXED
    pthread_spin_lock(&lock);
#else
    if (pthread_spin_trylock(&lock) == EBUSY) {
        hits++; // BUG
        return NULL;
    }
#endif
    hits++; // BUG
    pthread_spin_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_spin_destroy(&lock);
    return 0;
}
