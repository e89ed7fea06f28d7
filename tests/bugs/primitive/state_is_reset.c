// bug: assertion
// fixed: exhaustive
// Every execution starts afresh: globals, static locals, environment; the thread counts twice otherwise.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int initialised = 5, zero;
static char text[] = "fresh";
static atomic_int calls;

static int count(void)
{
    static int n;
    return ++n;
}

static void *worker(void *arg)
{
    atomic_fetch_add(&calls, 1);
    return NULL;
}

int main(void)
{
    pthread_t t;
    assert(count() == 1 && initialised == 5 && zero == 0);
    assert(strcmp(text, "fresh") == 0 && getenv("SPOILED") == NULL);
    initialised = zero = 9;
    text[0] = 'F';
    setenv("SPOILED", "yes", 1);
    assert(strcmp(getenv("SPOILED"), "yes") == 0);
    pthread_create(&t, NULL, worker, NULL);
    int early = atomic_load(&calls);
    pthread_join(t, NULL);
#ifdef FIXED
    assert(early == 0 || early == 1);
#else
    assert(early == 0); // BUG
#endif
    return 0;
}
