// bug: use-after-free
// fixed: exhaustive
// options: --check=scope
// The thread is given a variable of a function that returns before the thread ends.
#include <pthread.h>
#include <stdatomic.h>

static pthread_t worker;
static atomic_int seen;

static void *work(void *arg)
{
    atomic_store(&seen, *(int *)arg); // BUG
    return NULL;
}

static void start(void) // (BUG)
{
#ifdef FIXED
    static int number;
#else
    int number;
#endif
    number = 3;
    pthread_create(&worker, NULL, work, &number);
} // BUG

int main(void)
{
    start();
    pthread_join(worker, NULL);
    return 0;
}
