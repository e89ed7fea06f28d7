/* descriptor_flags.c - what calls on descriptors tell of a file beside its contents: a call that changes it has both
 * orders with one that looks at it, and the next execution begins as the first one
 *
 * litmus: -DPART=0 -> executions 2 bugs assertion
 * litmus: -DPART=1 -> executions 2 bugs assertion
 * litmus: -DPART=2 -> executions 2 bugs assertion
 * litmus: -DPART=3 -> executions 2 bugs assertion
 * litmus: -DPART=4 -> executions 2 bugs assertion
 * litmus: -DPART=5 -> executions 2 bugs assertion
 * litmus: -DPART=6 -> executions 2 bugs assertion
 * litmus: -DPART=7 -> executions 2 bugs assertion
 * litmus: -DPART=8 -> executions 2
 * litmus: -DPART=9 -> executions 2
 * litmus: -DPART=10 -> executions 2 bugs assertion
 * litmus: -DPART=11 -> executions 2 bugs assertion
 * litmus: -DPART=12 -> executions 2 bugs assertion
 *
 * 0: is it open? 1: and a terminal? 2: fcntl sets its flags, or 3: those of the descriptor; 4: so does ioctl. 5: fchmod
 * and stat. 6: chmod and fstat. 7: standard input. 8: the flags of standard input, and the mode of a real file that
 * was opened for reading, are as before in the second execution (by a choice). 9: a copy of standard output has the
 * same number in each. 10 to 12: fcntl, isatty and fstat of the end of a pipe that is closed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../include/sennit/sennit.h"
#include "litmus.h"

#define NAME "litmus-flags.tmp"

static int file;

static int mode_of(const struct stat *status) { return (int)(status->st_mode & 0777); }

static void *change(void *unused)
{
    int on = 1;
    switch (PART) {
    case 0:
    case 1:
    case 10:
    case 11:
    case 12: close(file); break;
    case 2: fcntl(file, F_SETFL, O_NONBLOCK); break;
    case 3: fcntl(file, F_SETFD, FD_CLOEXEC); break;
    case 4: ioctl(file, FIONBIO, &on); break;
    case 5: fchmod(file, 0400); break;
    case 6: chmod(NAME, 0400); break;
    default: fcntl(0, F_SETFL, O_NONBLOCK);
    }
    return unused;
}

static int look(void)
{
    struct stat status;
    switch (PART) {
    case 0:
    case 3:
    case 10: return fcntl(file, F_GETFD);
    case 1:
    case 11: return isatty(file) ? 0 : errno;
    case 12: return fstat(file, &status) ? -1 : S_ISFIFO(status.st_mode);
    case 2:
    case 4: return fcntl(file, F_GETFL);
    case 5: return stat(NAME, &status) ? -1 : mode_of(&status);
    case 6: return fstat(file, &status) ? -1 : mode_of(&status);
    default: return fcntl(0, F_GETFL);
    }
}

/* Everything is as at first. */
static void change_everything(void)
{
    struct stat status;
    int real = open("/etc/passwd", O_RDONLY), flags = fcntl(0, F_GETFL);
    assert(real >= 0 && fstat(real, &status) == 0 && mode_of(&status) != 0111 && !(flags & O_NONBLOCK));
    assert(fcntl(real, F_GETFD) == 0 && fchmod(real, 0111) == 0 && fcntl(0, F_SETFL, flags | O_NONBLOCK) == 0);
    assert(stat("/etc/passwd", &status) == 0 && mode_of(&status) == 0111 && fcntl(0, F_GETFL) & O_NONBLOCK);
    sennit_choose(2);
}

int main(void)
{
    if (PART == 8) {
        change_everything();
    } else if (PART == 9) {
        int copy = dup(1);
        assert(copy == dup(1) - 1 && fcntl(copy, F_GETFD) == 0);
        assert(copy == 512 && write(copy, "dropped\n", 8) == 8);
        sennit_choose(2);
    } else {
        int ends[2];
        assert(pipe(ends) == 0);
        file = PART >= 10 ? ends[0] : open(NAME, O_CREAT | O_RDWR, 0600);
        int before = look();
        start(change, 0);
        assert(look() == before);
        join_all();
    }
    return 0;
}
