// not modelled: system call io_uring_enter
// A system call by number that has no model.
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
    return (int)syscall(SYS_io_uring_enter, 1, NULL); // HERE
}
