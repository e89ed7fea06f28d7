/* compares an input with the number of its run, which is kept in files */
#include <sennit/sennit.h>
#include <stdio.h>
#include <unistd.h>

int main(void)
{
    char name[32];
    int run = 0, x = sennit_int("x");
    while (snprintf(name, sizeof name, "drifting.%d", run), access(name, F_OK) == 0)
        run++;
    fclose(fopen(name, "w"));
    return x > run ? x > 2 * run + 5 : 0;
}
