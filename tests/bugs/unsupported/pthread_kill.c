// not modelled: pthread_kill
// A signal sent to a thread needs a handler or ends the process.
#include <pthread.h>
#include <signal.h>

static void *worker(void *arg)
{
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    pthread_kill(t, SIGUSR1); // HERE
    pthread_join(t, NULL);
    return 0;
}
