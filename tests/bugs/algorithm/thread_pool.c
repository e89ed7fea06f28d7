// bug: deadlock
// fixed: exhaustive
// The stop flag is set without the lock: a worker that has just looked sleeps through the broadcast.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static int jobs = 1, done;
static atomic_int stop;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (jobs == 0 && !atomic_load(&stop))
            pthread_cond_wait(&work, &lock); // BUG
        if (jobs == 0)
            break;
        jobs--;
        done++;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, worker, NULL);
#ifdef FIXED
    pthread_mutex_lock(&lock);
#endif
    atomic_store(&stop, 1);
    pthread_cond_broadcast(&work);
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL); // (BUG)
    return done == 1 ? 0 : 1;
}
