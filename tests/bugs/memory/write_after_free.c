// bug: use-after-free
// fixed: exhaustive
// The owner frees its request as soon as it is done; the worker still writes a note into it.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct request {
    sem_t done;
    int result, note;
};

static void *worker(void *arg)
{
    struct request *request = arg;
    request->result = 1;
#ifdef FIXED
    request->note = 1;
    sem_post(&request->done);
#else
    sem_post(&request->done);
    request->note = 1; // BUG
#endif
    return NULL;
}

int main(void)
{
    pthread_t t;
    struct request *request = calloc(1, sizeof *request); // (BUG)
    sem_init(&request->done, 0, 0);
    pthread_create(&t, NULL, worker, request);
    sem_wait(&request->done);
    int result = request->result;
#ifndef FIXED
    sem_destroy(&request->done);
    free(request); // (BUG)
    pthread_join(t, NULL);
#else
    pthread_join(t, NULL);
    sem_destroy(&request->done);
    free(request);
#endif
    return result == 1 ? 0 : 1;
}
