/* A bug per number of arguments: for the wording of reports. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int zero;

static void *client(void *unused)
{
    assert(zero);
    return unused;
}

static void (*chosen(int n))(void)
{
    assert(n);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    void *block = malloc(8);
    (void)argv;
    switch (argc) {
    case 1:
        pthread_create(&thread, NULL, client, NULL);
        pthread_join(thread, NULL);
        break;
    case 2: chosen(zero); break;
    case 3: pthread_mutex_unlock(&m); break;
    case 4:
        pthread_mutex_lock(&m);
        pthread_cond_wait(&c, &m);
        break;
    case 5: free((char *)block + 4); break;
    case 6: free(block); break;
    }
    free(block);
    return 0;
}
