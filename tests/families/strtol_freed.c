/* strtol_freed.c - strtol reads a block that has been freed */
#include <stdlib.h>
int main(void)
{
    char *a = malloc(2);
    a[0] = '1';
    a[1] = 0;
    free(a);
    volatile long v = strtol(a, 0, 10);
}
