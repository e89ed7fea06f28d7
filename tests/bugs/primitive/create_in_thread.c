// bug: data-race
// fixed: exhaustive
// A thread's children are not its own end: joining it does not wait for what it started.
#include <pthread.h>

static pthread_t grandchild;
static int result;

static void *compute(void *arg)
{
    result = 1; // BUG
    return NULL;
}

static void *child(void *arg)
{
    pthread_create(&grandchild, NULL, compute, NULL);
    return NULL;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, child, NULL);
    pthread_join(t, NULL);
#ifdef FIXED
    pthread_join(grandchild, NULL);
#endif
    int seen = result; // BUG
#ifndef FIXED
    pthread_join(grandchild, NULL);
#endif
    return seen > 1;
}
