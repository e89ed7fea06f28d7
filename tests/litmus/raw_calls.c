/* raw_calls.c - system calls by number on the descriptors of pipes are those of the functions with names
 *
 * litmus: -DPART=0 -> executions 1
 * litmus: -DPART=1 -> executions 4 bugs assertion
 * litmus: -DPART=2 -> executions 3
 *
 * 0: a thread blocks in read until main writes. 1: two threads write into a pipe made by number. 2: recursion in a
 * loop that waits, and a call through a pointer: one round or two before it is taken for waiting, or none.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "litmus.h"

static int ends[2], received;
static atomic_int flag;
static int (*volatile through)(int);

static void *receive(void *unused)
{
    char c;
    assert(syscall(SYS_read, ends[0], &c, 1) == 1);
    received = c;
    return unused;
}

static void *put(void *letter)
{
    char c = (char)(long)letter;
    assert(syscall(SYS_write, ends[1], &c, 1) == 1);
    return letter;
}

static __attribute__((noinline)) int look(int depth) { return depth ? look(depth - 1) : flag; }

static void *raise_flag(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    char first;
    switch (PART) {
    case 0:
        assert(!pipe(ends) && syscall(SYS_fcntl, ends[0], F_GETFD) == 0);
        start(receive, 0);
        put((void *)(long)'x');
        join_all();
        assert(received == 'x' && syscall(SYS_close, ends[0]) == 0 && syscall(SYS_close, ends[1]) == 0);
        break;
    case 1:
        assert(!syscall(SYS_pipe2, ends, 0));
        start(put, 'a');
        start(put, 'b');
        assert(syscall(SYS_read, ends[0], &first, 1) == 1);
        assert(first == 'a');
        join_all();
        break;
    case 2:
        through = look;
        start(raise_flag, 0);
        while (!look(3) || !through(2))
            ;
        join_all();
        break;
    }
}
