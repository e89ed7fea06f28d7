// not modelled: system call
// A wait that the scheduler would not know of.
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

int main(void)
{
    syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0); // HERE
    return 0;
}
