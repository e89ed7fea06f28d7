// bug: leak
// fixed: exhaustive
// options: --check=leak
// The second message overwrites the first if the reader did not take it in between.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *message;

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    free(message);
    message = NULL;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, reader, NULL);
    for (int i = 0; i < 2; i++) {
        char *fresh = strdup("hello"); // BUG
        pthread_mutex_lock(&lock);
#ifdef FIXED
        free(message);
#endif
        message = fresh;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(t, NULL);
    free(message);
    return 0;
}
