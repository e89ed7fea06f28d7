// bug: use-after-free
// fixed: bounded
// options: --sym-file=in.txt=1
// Reads from a closed stream whose file is an input.
#include <stdio.h>

int main(void)
{
    FILE *stream = fopen("in.txt", "r"); // BUG
#ifdef FIXED
    int first = fgetc(stream);
    fclose(stream);
#else
    fclose(stream); // BUG
    int first = fgetc(stream); // BUG
#endif
    return first == 'x' && first == 'y';
}
