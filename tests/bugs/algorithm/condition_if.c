// bug: assertion
// fixed: exhaustive
// Between the signal and the wake-up another thread takes the item.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *patient(void *arg)
{
    pthread_mutex_lock(&lock);
#ifdef FIXED
    while (items == 0)
#else
    if (items == 0)
#endif
        pthread_cond_wait(&filled, &lock);
    assert(items > 0); // BUG
    items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *hasty(void *arg)
{
    pthread_mutex_lock(&lock);
    if (items > 0)
        items--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t p, h;
    pthread_create(&p, NULL, patient, NULL);
    pthread_create(&h, NULL, hasty, NULL);
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        items++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(p, NULL);
    pthread_join(h, NULL);
    return 0;
}
