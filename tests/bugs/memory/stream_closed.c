// bug: use-after-free
// fixed: exhaustive
// executions: 1
// Writes to a stream after fclose.
#include <stdio.h>

int main(void)
{
    FILE *log = fopen("log.tmp", "w"); // BUG
    fputs("begin\n", log);
#ifndef FIXED
    fclose(log); // BUG
#endif
    fprintf(log, "end %d\n", 1); // BUG
#ifdef FIXED
    fclose(log);
#endif
    return 0;
}
