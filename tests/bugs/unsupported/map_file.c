// not modelled: a shared mapping of a file
// What is written there would survive the execution.
#include <fcntl.h>
#include <stddef.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void)
{
    int file = open("/proc/self/exe", O_RDONLY);
    char *copy = mmap(NULL, 64, PROT_READ, MAP_PRIVATE, file, 0);
    if (copy[1] != 'E')
        return 1;
    mmap(NULL, 64, PROT_READ, MAP_SHARED, file, 0); // HERE
    return 0;
}
