// not modelled: popen
// A second process would leave the explorer.
#include <stdio.h>

int main(void)
{
    FILE *listing = popen("ls", "r"); // HERE
    return listing ? pclose(listing) : 1;
}
