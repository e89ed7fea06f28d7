// not modelled: pthread_create before main
// Before main there is no execution that a thread could belong to.
#include <pthread.h>

static void *worker(void *arg) { return arg; }

__attribute__((constructor)) static void before_main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL); // HERE
    pthread_detach(t);
}

int main(void) { return 0; }
