// bug: invalid-free
// fixed: exhaustive
// The default settings are static; they are freed if nobody has replaced them yet.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int defaults = 1;
static int *settings = &defaults;

static void *replace(void *arg)
{
    int *fresh = calloc(1, sizeof *fresh);
    pthread_mutex_lock(&lock);
    int *old = settings;
    settings = fresh;
    pthread_mutex_unlock(&lock);
#ifdef FIXED
    if (old != &defaults)
#endif
        free(old); // BUG
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, replace, NULL);
    pthread_create(&b, NULL, replace, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(settings);
    return 0;
}
