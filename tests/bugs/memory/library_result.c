// bug: use-after-free
// fixed: exhaustive
// executions: 1
// options: --check=leak
// A path is used after it was freed.
#define _GNU_SOURCE
#include <stdlib.h>

int main(void)
{
    char *path = realpath("/", NULL); // BUG
#ifndef FIXED
    free(path); // BUG
#endif
    char first = path[0]; // BUG
#ifdef FIXED
    free(path);
#endif
    return first != '/';
}
