// not modelled: fcntl with locks of files
// A lock of the system, for which a thread would wait unseen.
#include <fcntl.h>
#include <stdio.h>

int main(void)
{
    struct flock lock = {.l_type = F_WRLCK};
    int file = open("/dev/null", O_RDWR);
    return fcntl(file, F_SETLKW, &lock); // HERE
}
