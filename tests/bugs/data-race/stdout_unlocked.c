// bug: data-race
// fixed: exhaustive
// Two threads print without the lock of stdout.
#include <pthread.h>
#include <stdio.h>

static void *print(void *text)
{
#ifdef FIXED
    flockfile(stdout);
#endif
    for (const char *at = text; *at; at++)
        putchar_unlocked(*at); // BUG
#ifdef FIXED
    funlockfile(stdout);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, print, "a");
    print("b");
    pthread_join(thread, NULL);
    return 0;
}
