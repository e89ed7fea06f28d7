/* fgets_beyond.c - fgets writes beyond the end of a block */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    FILE *f = tmpfile();
    fputs("0123456789abcdef", f);
    rewind(f);
    char *a = malloc(8);
    fgets(a, 16, f);
    free(a);
}
