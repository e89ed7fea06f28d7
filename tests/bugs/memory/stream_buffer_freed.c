// bug: use-after-free
// fixed: exhaustive
// executions: 1
// Frees the buffer of a stream before the stream is closed.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *buffer = malloc(BUFSIZ); // BUG
    FILE *stream = tmpfile();
    setbuf(stream, buffer);
    fputs("text", stream);
#ifdef FIXED
    fclose(stream);
    free(buffer);
#else
    free(buffer); // BUG
    fclose(stream); // BUG
#endif
    return 0;
}
