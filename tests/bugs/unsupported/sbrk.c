// not modelled: sbrk
// Memory that all threads take from one place.
#define _DEFAULT_SOURCE
#include <unistd.h>

int main(void)
{
    char *end = sbrk(4096); // HERE
    return end[0];
}
