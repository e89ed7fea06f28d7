/* crashes.c - what a crash is called, and which functions led to it */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static void (*volatile function)(void);
static int data[64];
static int *volatile wild;

static void fail(void)
{
#if defined NULL_CALL
    function();
#elif defined DATA_CALL
    function = (void (*)(void))(uintptr_t)data;
    function();
#elif defined NULL_READ
    data[0] = *wild;
#elif defined NOWHERE
    wild = (int *)(uintptr_t)0x1234567812345678;
    data[0] = *wild;
#else
    assert(data[0]);
#endif
}

static int compare(const void *a, const void *b)
{
    fail();
    return *(const int *)a - *(const int *)b;
}

static void *work(void *unused)
{
#ifdef SORT
    int numbers[] = {2, 1};
    qsort(numbers, 2, sizeof *numbers, compare);
#else
    (void)compare;
    fail();
#endif
    return unused;
}

int main(void)
{
#ifdef THREAD
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
#else
    work(NULL);
#endif
    return 0;
}
