// bug: deadlock
// fixed: exhaustive
// Two kinds of waiters share a condition variable; the one signal must reach the wrong one.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *await_turn(void *arg)
{
    int mine = *(int *)arg;
    pthread_mutex_lock(&lock);
    while (turn < mine)
        pthread_cond_wait(&changed, &lock); // BUG
    turn = mine + 1;
#ifdef FIXED
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    static int number[3] = {0, 1, 2};
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, await_turn, &number[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL); // (BUG)
    return 0;
}
