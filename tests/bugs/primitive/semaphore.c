// bug: assertion
// fixed: exhaustive
// The last place must be taken between the look at the count and the attempt.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t places;

static void *guest(void *arg)
{
#ifdef FIXED
    if (sem_trywait(&places) == 0)
        return NULL;
    assert(errno == EAGAIN);
#else
    int left;
    sem_getvalue(&places, &left);
    if (left > 0)
        assert(sem_trywait(&places) == 0); // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    struct timespec now = {0, 0};
    sem_init(&places, 0, 0);
    assert(sem_timedwait(&places, &now) == -1 && errno == ETIMEDOUT);
    sem_post(&places);
    pthread_create(&a, NULL, guest, NULL);
    pthread_create(&b, NULL, guest, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int left;
    assert(sem_getvalue(&places, &left) == 0 && left == 0);
    assert(sem_destroy(&places) == 0);
    return 0;
}
