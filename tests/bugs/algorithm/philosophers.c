// bug: deadlock
// fixed: exhaustive
// All three must hold their left fork before anyone reaches for the right one.
#include <pthread.h>

static pthread_mutex_t fork_[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                   PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *arg)
{
    int left = *(int *)arg, right = (left + 1) % 3;
#ifdef FIXED
    if (left == 2)
        left = 0, right = 2;
#endif
    pthread_mutex_lock(&fork_[left]);
    pthread_mutex_lock(&fork_[right]); // BUG
    pthread_mutex_unlock(&fork_[left]);
    pthread_mutex_unlock(&fork_[right]);
    return NULL;
}

int main(void)
{
    static int seat[3] = {0, 1, 2};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, dine, &seat[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL); // (BUG)
    return 0;
}
