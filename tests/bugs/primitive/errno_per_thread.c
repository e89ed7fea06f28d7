// bug: assertion
// fixed: exhaustive
// errno is one per thread; a global copy is overwritten by the other thread.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int last_error;

static void *fail(void *arg)
{
    errno = *(int *)arg;
    atomic_store(&last_error, errno);
#ifdef FIXED
    atomic_load(&last_error);
    assert(errno == *(int *)arg);
#else
    assert(atomic_load(&last_error) == *(int *)arg); // BUG
#endif
    return NULL;
}

int main(void)
{
    static int codes[2] = {EAGAIN, ENOENT};
    pthread_t a, b;
    pthread_create(&a, NULL, fail, &codes[0]);
    pthread_create(&b, NULL, fail, &codes[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return errno;
}
