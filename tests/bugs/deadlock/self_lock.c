// bug: deadlock
// fixed: exhaustive
// The thread locks a second time only if it sees the flag that main raises.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int verbose;
static int work, lines;

static void print_line(void)
{
#ifndef FIXED
    pthread_mutex_lock(&lock); // BUG
#endif
    lines++;
#ifndef FIXED
    pthread_mutex_unlock(&lock);
#endif
}

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    work++;
    if (atomic_load(&verbose))
        print_line();
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&verbose, 1);
    pthread_join(t, NULL); // (BUG)
    return 0;
}
