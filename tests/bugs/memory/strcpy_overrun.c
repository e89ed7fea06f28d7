// bug: heap-bounds
// fixed: exhaustive
// The name is replaced by a longer one between measuring and copying.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char *_Atomic name = "bob";

static void *rename_it(void *arg)
{
    atomic_store(&name, "barnabas");
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, rename_it, NULL);
    const char *measured = atomic_load(&name);
    char *copy = malloc(strlen(measured) + 1); // (BUG)
#ifdef FIXED
    strcpy(copy, measured);
#else
    strcpy(copy, atomic_load(&name)); // BUG
#endif
    pthread_join(t, NULL);
    free(copy);
    return 0;
}
