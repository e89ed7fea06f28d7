// bug: data-race
// fixed: exhaustive
// Two threads write to one stream, one of them without its lock.
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *put(void *unused)
{
#ifdef FIXED
    flockfile(stream);
#endif
    putc_unlocked('a', stream); // BUG
#ifdef FIXED
    funlockfile(stream);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    stream = tmpfile();
    pthread_create(&thread, NULL, put, NULL);
    fputc('b', stream); // BUG
    pthread_join(thread, NULL);
    return fclose(stream);
}
