// bug: use-after-return
// fixed: exhaustive
// executions: 1
// A stream keeps a buffer that is a variable of a function that has returned.
#include <stdio.h>

static FILE *make(void)
{
    FILE *stream = tmpfile();
#ifdef FIXED
    static
#endif
    char buffer[256];
    setvbuf(stream, buffer, _IOFBF, sizeof buffer);
    return stream;
}

int main(void)
{
    FILE *stream = make();
    fputs("text", stream); // BUG
    return fclose(stream);
}
