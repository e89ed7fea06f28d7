// bug: use-after-free
// fixed: exhaustive
// The string is measured by the C library after the other thread freed it.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *name;

static void *drop(void *arg)
{
    pthread_mutex_lock(&lock);
    free(name); // (BUG)
#ifdef FIXED
    name = NULL;
#endif
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t;
    size_t length = 0;
    name = strdup("bob"); // (BUG)
    pthread_create(&t, NULL, drop, NULL);
    pthread_mutex_lock(&lock);
    if (name)
        length = strlen(name); // BUG
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return length > 3;
}
