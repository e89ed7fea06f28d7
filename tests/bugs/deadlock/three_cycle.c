// bug: deadlock
// fixed: exhaustive
// All three threads must hold their first lock before anyone takes a second one.
#include <pthread.h>

static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER};

static void *pair(void *arg)
{
    int first = *(int *)arg, second = (first + 1) % 3;
#ifdef FIXED
    if (first > second) {
        int swap = first;
        first = second;
        second = swap;
    }
#endif
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[second]); // BUG
    pthread_mutex_unlock(&lock[second]);
    pthread_mutex_unlock(&lock[first]);
    return NULL;
}

int main(void)
{
    static int number[3] = {0, 1, 2};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, pair, &number[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL); // (BUG)
    return 0;
}
