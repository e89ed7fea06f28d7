// not modelled: a second stream of one descriptor
// Each stream reads ahead, so what the other one gets depends on the size of its buffer.
#include <stdio.h>

int main(void)
{
    FILE *first = tmpfile();
    FILE *second = fdopen(fileno(first), "r"); // HERE
    return first && second && fgetc(second) == EOF ? 0 : 0;
}
