// bug: crash
// fixed: exhaustive
// The buffer still points to the string literal if the thread is first.
#include <pthread.h>
#include <stdatomic.h>

static char writable[] = "none";
static char *_Atomic name = "none";

static void *capitalise(void *arg)
{
    char *text = atomic_load(&name);
    text[0] = 'N'; // BUG
    return NULL;
}

int main(void)
{
    pthread_t t;
#ifdef FIXED
    atomic_store(&name, writable);
#endif
    pthread_create(&t, NULL, capitalise, NULL);
#ifndef FIXED
    atomic_store(&name, writable);
#endif
    pthread_join(t, NULL);
    return 0;
}
