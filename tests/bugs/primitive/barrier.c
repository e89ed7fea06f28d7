// bug: data-race
// fixed: exhaustive
// The barrier tells exactly one thread that it is the serial one; both do its work otherwise.
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2], total;

static void *worker(void *arg)
{
    *(int *)arg = 1;
    int serial = pthread_barrier_wait(&barrier);
#ifdef FIXED
    if (serial == PTHREAD_BARRIER_SERIAL_THREAD)
#endif
        total += cells[0] + cells[1]; // BUG
    return serial == 0 || serial == PTHREAD_BARRIER_SERIAL_THREAD ? NULL : arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, worker, &cells[0]);
    pthread_create(&b, NULL, worker, &cells[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&barrier);
#ifdef FIXED
    return total == 2 ? 0 : 1;
#else
    return total > 4;
#endif
}
