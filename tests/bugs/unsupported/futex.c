// not modelled: an operation of SYS_futex with priority inheritance
// A lock that the kernel keeps, with the owner in the word.
#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word;

int main(void)
{
    syscall(SYS_futex, &word, FUTEX_LOCK_PI, 0, NULL, NULL, 0); // HERE
    return 0;
}
