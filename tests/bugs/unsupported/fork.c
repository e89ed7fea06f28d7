// not modelled: fork
// A second process would leave the explorer.
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork(); // HERE
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return 0;
}
