/* compares an input with the number of its run, which is the name of its process */
#include <sennit/sennit.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

int main(void)
{
    char name[16];
    prctl(PR_GET_NAME, name);
    int run = atoi(name), x = sennit_int("x");
    snprintf(name, sizeof name, "%d", run + 1);
    prctl(PR_SET_NAME, name);
    return x > run ? x > 2 * run + 5 : 0;
}
