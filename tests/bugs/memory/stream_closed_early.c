// bug: use-after-free
// fixed: exhaustive
// Closes a stream that a thread still reads from.
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *read_one(void *unused)
{
    fgetc(stream); // BUG
    return unused;
}

int main(void)
{
    pthread_t thread;
    stream = tmpfile(); // BUG
    pthread_create(&thread, NULL, read_one, NULL);
#ifdef FIXED
    pthread_join(thread, NULL);
#endif
    fclose(stream); // BUG
#ifndef FIXED
    pthread_join(thread, NULL);
#endif
    return 0;
}
