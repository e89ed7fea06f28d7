// bug: use-after-free
// fixed: exhaustive
// executions: 1
// Asks for the position of a closed stream of open_memstream.
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *text;
    size_t size;
    FILE *stream = open_memstream(&text, &size); // BUG
    fputs("text", stream);
#ifdef FIXED
    long end = ftell(stream);
    fclose(stream);
#else
    fclose(stream); // BUG
    long end = ftell(stream); // BUG
#endif
    free(text);
    return end != 4;
}
