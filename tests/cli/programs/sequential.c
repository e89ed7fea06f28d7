/* what a configure script compiles and runs: no threads, output, an exit status */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    printf("%d\n", (int)sizeof(long));
    fprintf(stderr, "to standard error\n");
    return argc > 1 ? atoi(argv[1]) : 0;
}
