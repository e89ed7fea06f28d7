// not modelled: flock
// A lock of an open file, for which another thread that opened the file itself would wait unseen.
#include <fcntl.h>
#include <sys/file.h>

int main(void)
{
    int file = open("/dev/null", O_RDWR);
    return flock(file, LOCK_EX); // HERE
}
