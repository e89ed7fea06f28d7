// bug: use-after-free
// fixed: exhaustive
// executions: 1
// Closes a stream on two paths.
#include <stdio.h>

static void finish(FILE *stream)
{
    fclose(stream); // BUG
}

int main(void)
{
    FILE *log = tmpfile(); // BUG
    FILE *other;
    finish(log);
    other = tmpfile(); /* would get the same address */
#ifndef FIXED
    finish(log);
#endif
    return fputc('x', other) != 'x' || fclose(other);
}
