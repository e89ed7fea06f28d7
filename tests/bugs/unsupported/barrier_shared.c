// not modelled: needs --barriers=ordered
/* Four threads compete for the rounds of a barrier of two. */
#include <pthread.h>

static pthread_barrier_t barrier;

static void *meet(void *argument)
{
    pthread_barrier_wait(&barrier); // HERE
    return argument;
}

int main(void)
{
    pthread_t threads[4];
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, meet, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
