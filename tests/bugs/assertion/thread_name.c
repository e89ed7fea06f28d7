// bug: assertion
// fixed: exhaustive
// options: --plain=visible
// The new thread may run before its creator knows its name. The one that is created after that sees it.
#include <assert.h>
#include <pthread.h>

static pthread_t first, second;

static void *work(void *arg)
{
#ifdef FIXED
    if (arg)
#endif
        assert(first != 0); // BUG
    return arg;
}

int main(void)
{
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, &second);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
