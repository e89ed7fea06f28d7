// not modelled: fork
// The call is reached on one schedule only; that is enough to stop the exploration.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int flag;

static void *worker(void *arg)
{
    if (atomic_load(&flag))
        fork(); // HERE
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    atomic_store(&flag, 1);
    pthread_join(t, NULL);
    return 0;
}
