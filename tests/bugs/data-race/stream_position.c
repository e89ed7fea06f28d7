// bug: data-race
// fixed: exhaustive
// Looks at a stream without its lock while another thread reads from it.
#include <pthread.h>
#include <stdio.h>

static FILE *stream;

static void *get(void *unused)
{
    fgetc(stream); // BUG
    return unused;
}

int main(void)
{
    pthread_t thread;
    stream = tmpfile();
    pthread_create(&thread, NULL, get, NULL);
#ifdef FIXED
    flockfile(stream);
#endif
    int end = feof_unlocked(stream); // BUG
#ifdef FIXED
    funlockfile(stream);
#endif
    ftell(stream);
    pthread_join(thread, NULL);
    fclose(stream);
    return end && end != 1 && end != 16;
}
