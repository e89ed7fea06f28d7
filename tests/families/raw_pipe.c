/* raw_pipe.c - system calls by number on the descriptors of a pipe */
#include <assert.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
int main(void)
{
    int p[2];
    assert(!pipe(p));
    assert(syscall(SYS_fcntl, p[0], F_GETFD) >= 0);
    assert(syscall(SYS_write, p[1], "x", 1) == 1);
    return 0;
}
