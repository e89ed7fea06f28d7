// bug: use-after-return
// fixed: exhaustive
// executions: 1
// What a thread returns is a variable of its own, which has ended with it.
#include <pthread.h>

static int elsewhere = 3;

static void *work(void *arg)
{
    int own = 3, *volatile result = &own;
#ifdef FIXED
    result = &elsewhere;
#endif
    return result;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, &elsewhere);
    pthread_join(thread, &result);
    return *(int *)result == 3 ? 0 : 0; // BUG
}
