/* sscanf_beyond.c - sscanf writes beyond the end of a block */
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char *a = malloc(3);
    sscanf("abcdef", "%s", a);
    free(a);
}
