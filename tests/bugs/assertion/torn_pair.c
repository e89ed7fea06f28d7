// bug: assertion
// fixed: exhaustive
// The reader must run between the two halves of the update.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int left = 10, right = 0;

static void *move(void *arg)
{
    pthread_mutex_lock(&lock);
    left -= 1;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
#endif
    right += 1;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t mover;
    pthread_create(&mover, NULL, move, NULL);
    pthread_mutex_lock(&lock);
    int sum = left + right;
    pthread_mutex_unlock(&lock);
    assert(sum == 10); // BUG
    pthread_join(mover, NULL);
    return 0;
}
