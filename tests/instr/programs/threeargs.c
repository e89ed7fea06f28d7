/* threeargs.c - main with the environment, called by itself once more */
#include <stdio.h>
#include <string.h>
int main(int argc, char *argv[], char *envp[])
{
    for (int i = 0; envp[i]; i++)
        if (strncmp(envp[i], "SEEN=", 5) == 0)
            puts(envp[i]);
    return argc > 0 ? main(-1, argv, envp) + 4 : 1;
}
