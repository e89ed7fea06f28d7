/* large_write.c - large writes to a Unix stream socket, which the kernel appends in pieces of 36544 bytes
 *
 * litmus: -DSIZE=36544 -> executions 1
 * litmus: -DSIZE=36545 -> executions 2 bugs assertion
 * litmus: -DSIZE=100000 -> executions 3 bugs assertion
 * litmus: -DSIZE=36544 -DWRITERS -> executions 2
 * litmus: -DSIZE=73088 -DWRITERS -> executions 6
 * litmus: -DSIZE=100000 -DCLOSES -> executions 4
 *
 * One read for all of it gets what is there: one piece, or two, or three. WRITERS: two threads write, and their pieces
 * may alternate. CLOSES: the other end closes before the first piece, or behind the first, second or last; SIGPIPE is
 * ignored, and the call answers what was written, which is what the kernel had appended.
 */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "litmus.h"

static char much[SIZE], all[2 * SIZE];
static int ends[2];

static void *writer(void *argument)
{
    ssize_t count = write(ends[0], much, SIZE);
#ifdef CLOSES
    assert(count == SIZE || count == 73088 || count == 36544 || (count == -1 && errno == EPIPE));
#else
    assert(count == SIZE);
#endif
    return argument;
}

int main(void)
{
    assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    signal(SIGPIPE, SIG_IGN);
    start(writer, 0);
#if defined WRITERS
    start(writer, 1);
#elif defined CLOSES
    close(ends[1]);
#else
    assert(recv(ends[1], all, SIZE, 0) == SIZE);
#endif
    join_all();
    return 0;
}
