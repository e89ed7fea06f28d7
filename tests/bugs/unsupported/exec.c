// not modelled: execl
// Another program would replace the explorer.
#include <unistd.h>

int main(void)
{
    execl("/bin/true", "true", (char *)NULL); // HERE
    return 1;
}
