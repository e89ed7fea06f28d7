// bug: bounds
// fixed: exhaustive
// A mutex and a condition variable have different sizes.
#include <pthread.h>
#include <semaphore.h>

static union {
    pthread_mutex_t lock;
#ifdef FIXED
    pthread_cond_t condition;
#endif
} shared;
static sem_t enough;

int main(void)
{
    sem_init(&enough, 0, 1);
    sem_wait(&enough);
    pthread_cond_signal((pthread_cond_t *)&shared); // BUG
    return 0;
}
