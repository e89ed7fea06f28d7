// bug: use-after-free
// fixed: exhaustive
// executions: 1
// Does not notice that freopen failed, which closes the stream.
#include <stdio.h>

int main(void)
{
    FILE *stream = fopen("a.tmp", "w"); // BUG
    FILE *again = freopen("missing/b.tmp", "w", stream); // BUG
#ifdef FIXED
    return again != NULL;
#endif
    fputc('x', stream); // BUG
    return again != NULL;
}
