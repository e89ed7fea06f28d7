/* rounds.c - a loop as long as its input; two threads with -DTHREADS */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>

static atomic_uint total;

static void *sum(void *unused)
{
    unsigned n = sennit_uint("n"), s = 0;
    for (unsigned i = 0; i < n; i++)
        s += i;
    total += s;
    return unused;
}

int main(void)
{
#ifdef THREADS
    pthread_t thread;
    pthread_create(&thread, 0, sum, 0);
    sum(0);
    pthread_join(thread, 0);
#else
    sum(0);
#endif
    sennit_assert(total != 10);
    return 0;
}
