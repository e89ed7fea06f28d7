/* Main reads x after its third store, having created a thread before; with LATE the thread reads before its first step. */
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int a;

static void *work(void *argument)
{
#ifdef LATE
    (void)*(volatile int *)&x;
#else
    a = 4;
    x = 1;
#endif
    return argument;
}

int main(void)
{
    pthread_t thread;
    a = 1;
    pthread_create(&thread, NULL, work, NULL);
    a = 2;
    a = 3;
#ifdef LATE
    x = 1;
#else
    (void)*(volatile int *)&x;
#endif
    a = 5;
    pthread_join(thread, NULL);
}
