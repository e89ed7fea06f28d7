// bug: data-race
// fixed: exhaustive
// The buffer of a stream is used otherwise while another thread writes to the stream.
#include <pthread.h>
#include <stdio.h>

static FILE *stream;
static char buffer[64], other[64];

static void *put(void *unused)
{
    fputc('a', stream); // BUG
    return unused;
}

int main(void)
{
    pthread_t thread;
    stream = tmpfile();
#ifdef FIXED
    setvbuf(stream, other, _IOFBF, sizeof other);
#else
    setvbuf(stream, buffer, _IOFBF, sizeof buffer);
#endif
    pthread_create(&thread, NULL, put, NULL);
    buffer[3] = 'x'; // BUG
    pthread_join(thread, NULL);
    return fclose(stream);
}
