// bug: deadlock
// fixed: exhaustive
// The early return that keeps the lock is taken only by the thread that comes second.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int slots = 1;

static void *reserve(void *arg)
{
    pthread_mutex_lock(&lock); // BUG
    if (slots == 0) {
#ifdef FIXED
        pthread_mutex_unlock(&lock);
#endif
        return NULL;
    }
    slots--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, reserve, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL); // (BUG)
    return 0;
}
