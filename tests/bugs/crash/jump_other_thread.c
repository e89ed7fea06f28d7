// bug: crash
// fixed: exhaustive
// A jump leads only to functions of the same thread that have not returned.
#include <pthread.h>
#include <setjmp.h>

static jmp_buf place;

static void *work(void *argument)
{
#ifdef FIXED
    if (setjmp(place))
        return argument;
#endif
    longjmp(place, 1); // BUG
}

int main(void)
{
    pthread_t thread;
    if (setjmp(place))
        return 0;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
