/* api_identity.c - numbers of threads and of the process; system calls by number
 *
 * The numbers are the same in every process (identity.h): programs keep them in locks, and the values of steps are
 * compared when a trace is replayed.
 */
#include <sys/syscall.h>

#include "rt/detect/bug.h"
#include "rt/kernel/identity.h"
#include "rt/libc/api_libc.h"
#include "rt/sync/futex.h"

pid_t sennit_rt_gettid(void) { return identity_number(); }
pid_t sennit_rt_getpid(void) { return IDENTITY_PROCESS; }

int *sennit_rt___errno_location(void) { return identity_error(); }

/* ---- System calls ------------------------------------------------------------------- */

enum { MAX_ARGUMENTS = 6 };

static _Noreturn void refuse(long number)
{
    char what[48];
    snprintf(what, sizeof what, "system call %ld", number);
    report_not_modelled(what);
}

static long futex(const long *a)
{
    const FutexCall call = {.word = (uint32_t *)a[0], .operation = (int)a[1], .value = (uint32_t)a[2],
                            .timeout = (uint64_t)a[3], .other = (uint32_t *)a[4], .third = (uint32_t)a[5]};
    return futex_call(&call);
}

/* Calls that no thread can observe are passed on; those with a function of the library are that function; others
 * could block, share memory or start threads. */
static long call(long number, const long *a)
{
    switch (number) {
    case SYS_gettid: return sennit_rt_gettid();
    case SYS_getpid: return sennit_rt_getpid();
    case SYS_sched_yield: return sennit_rt_sched_yield();
    case SYS_futex: return futex(a);
    case SYS_membarrier: return 0; /* memory is sequentially consistent, and every command is available */
    case SYS_write: return sennit_rt_write((int)a[0], (const void *)a[1], (size_t)a[2]);
    case SYS_read: return sennit_rt_read((int)a[0], (void *)a[1], (size_t)a[2]);
    case SYS_close: return sennit_rt_close((int)a[0]);
    case SYS_mmap: return (long)sennit_rt_mmap((void *)a[0], (size_t)a[1], (int)a[2], (int)a[3], (int)a[4], a[5]);
    case SYS_munmap: return sennit_rt_munmap((void *)a[0], (size_t)a[1]);
    case SYS_mprotect: return sennit_rt_mprotect((void *)a[0], (size_t)a[1], (int)a[2]);
    case SYS_madvise: return sennit_rt_madvise((void *)a[0], (size_t)a[1], (int)a[2]);
    case SYS_exit_group: sennit_rt__exit((int)a[0]); return 0;
    case SYS_getppid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid: return syscall(number);
    default: refuse(number);
    }
}

long sennit_rt_syscall(long number, ...)
{
    long a[MAX_ARGUMENTS];
    va_list args;
    va_start(args, number);
    for (int i = 0; i < MAX_ARGUMENTS; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    if (rt.self || number == SYS_gettid || number == SYS_getpid)
        return call(number, a);
    return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
