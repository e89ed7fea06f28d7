/* api_syscall.c - system calls by number, and what inline assembly of the processor was translated to
 *
 * Calls with a function of the library are that function. Calls that no thread can observe are passed on. All others
 * could block, share memory or start threads: they are rejected.
 */
#include <sys/syscall.h>

#include "rt/detect/bug.h"
#include "rt/io/futex.h"
#include "rt/kernel/identity.h"
#include "rt/libc/api_libc.h"
#include "rt/sync/vtime.h"

enum { MAX_ARGUMENTS = 6 };

/* ---- Rejected calls -------------------------------------------------------------------- */

static const char *name_of(long number)
{
    switch (number) {
#define NAMED(name) case SYS_##name: return #name;
#include "rt/io/syscalls.def"
#ifdef SYS_epoll_wait /* not on AArch64 */
    NAMED(alarm)
    NAMED(arch_prctl)
    NAMED(fork)
    NAMED(inotify_init)
    NAMED(pause)
    NAMED(signalfd)
    NAMED(vfork)
#endif
#ifdef SYS_clone3
    NAMED(clone3)
#endif
#ifdef SYS_epoll_pwait2
    NAMED(epoll_pwait2)
#endif
#ifdef SYS_futex_waitv
    NAMED(futex_waitv)
#endif
#ifdef SYS_rseq
    NAMED(rseq)
#endif
#undef NAMED
    default: return NULL;
    }
}

static _Noreturn void refuse(long number)
{
    char what[64];
    const char *name = name_of(number);
    if (name)
        snprintf(what, sizeof what, "system call %s (%ld)", name, number);
    else
        snprintf(what, sizeof what, "system call %ld", number);
    report_not_modelled(what);
}

/* ---- Calls that differ from the functions of the library ---------------------------------- */

static long call_futex(const long *a)
{
    const FutexCall call = {.word = (uint32_t *)a[0], .operation = (int)a[1], .value = (uint32_t)a[2],
                            .timeout = (uint64_t)a[3], .other = (uint32_t *)a[4], .third = (uint32_t)a[5]};
    return futex_call(&call);
}

static long open_at(const long *a)
{
    if ((int)a[0] != AT_FDCWD && *(const char *)a[1] != '/')
        report_not_modelled("system call openat relative to a directory");
    return sennit_rt_open((const char *)a[1], (int)a[2], (int)a[3]);
}

/* There is one processor. */
static long get_processor(unsigned *processor, unsigned *node)
{
    if (processor)
        PLAIN_STORE(processor, 0u);
    if (node)
        PLAIN_STORE(node, 0u);
    return 0;
}

/* The library's function returns the error. */
static long sleep_on_clock(const long *a)
{
    int error = sennit_rt_clock_nanosleep((clockid_t)a[0], (int)a[1], (const struct timespec *)a[2],
                                          (struct timespec *)a[3]);
    if (error)
        errno = error;
    return error ? -1 : 0;
}

/* ---- By number -------------------------------------------------------------------------- */

#define TEXT(n) ((const char *)a[n])
#define BYTES(n) ((void *)a[n])
#define INT(n) ((int)a[n])
#define SIZE(n) ((size_t)a[n])

static long call_on_descriptors(long number, const long *a)
{
    switch (number) {
    case SYS_read: return sennit_rt_read(INT(0), BYTES(1), SIZE(2));
    case SYS_write: return sennit_rt_write(INT(0), BYTES(1), SIZE(2));
    case SYS_readv: return sennit_rt_readv(INT(0), BYTES(1), INT(2));
    case SYS_writev: return sennit_rt_writev(INT(0), BYTES(1), INT(2));
    case SYS_close: return sennit_rt_close(INT(0));
    case SYS_lseek: return sennit_rt_lseek(INT(0), a[1], INT(2));
    case SYS_fcntl: return sennit_rt_fcntl(INT(0), INT(1), a[2]);
    case SYS_ioctl: return sennit_rt_ioctl(INT(0), (unsigned long)a[1], a[2]);
    case SYS_dup: return sennit_rt_dup(INT(0));
    case SYS_dup3: return sennit_rt_dup3(INT(0), INT(1), INT(2));
    case SYS_openat: return open_at(a);
    case SYS_pipe2: return sennit_rt_pipe2(BYTES(0), INT(1));
    case SYS_socketpair: return sennit_rt_socketpair(INT(0), INT(1), INT(2), BYTES(3));
    case SYS_eventfd2: return sennit_rt_eventfd((unsigned)a[0], INT(1));
    case SYS_epoll_create1: return sennit_rt_epoll_create1(INT(0));
    case SYS_epoll_ctl: return sennit_rt_epoll_ctl(INT(0), INT(1), INT(2), BYTES(3));
    case SYS_epoll_pwait: return sennit_rt_epoll_pwait(INT(0), BYTES(1), INT(2), INT(3), NULL);
    case SYS_ppoll: return sennit_rt_ppoll(BYTES(0), (nfds_t)a[1], BYTES(2), NULL);
    case SYS_pselect6: return sennit_rt_pselect(INT(0), BYTES(1), BYTES(2), BYTES(3), BYTES(4), NULL);
#ifdef SYS_poll
    case SYS_open: return sennit_rt_open(TEXT(0), INT(1), INT(2));
    case SYS_access: return sennit_rt_access(TEXT(0), INT(1));
    case SYS_poll: return sennit_rt_poll(BYTES(0), (nfds_t)a[1], INT(2));
    case SYS_select: return sennit_rt_select(INT(0), BYTES(1), BYTES(2), BYTES(3), BYTES(4));
    case SYS_epoll_create: return sennit_rt_epoll_create(INT(0));
    case SYS_epoll_wait: return sennit_rt_epoll_wait(INT(0), BYTES(1), INT(2), INT(3));
    case SYS_eventfd: return sennit_rt_eventfd((unsigned)a[0], 0);
    case SYS_pipe: return sennit_rt_pipe(BYTES(0));
    case SYS_dup2: return sennit_rt_dup2(INT(0), INT(1));
#endif
    default: refuse(number);
    }
}

static long call(long number, const long *a)
{
    switch (number) {
    case SYS_gettid: return sennit_rt_gettid();
    case SYS_getpid: return sennit_rt_getpid();
    case SYS_kill: return sennit_rt_kill((pid_t)a[0], INT(1));
    case SYS_futex: return call_futex(a);
    case SYS_sched_yield: return sennit_rt_sched_yield();
    case SYS_getrandom: return sennit_rt_getrandom(BYTES(0), SIZE(1), (unsigned)a[2]);
    /* As on kernels without them, or where they are forbidden. A fence in all other threads at once, which membarrier
     * is, has no place in an execution graph; programs that ask for it have a fence of their own to fall back on. */
    case SYS_io_uring_setup:
    case SYS_membarrier: errno = ENOSYS; return -1;
    case SYS_getcpu: return get_processor(BYTES(0), BYTES(1));
    case SYS_nanosleep: return sennit_rt_nanosleep(BYTES(0), BYTES(1));
    case SYS_clock_nanosleep: return sleep_on_clock(a);
    case SYS_clock_gettime: return sennit_rt_clock_gettime((clockid_t)a[0], BYTES(1));
    case SYS_gettimeofday: return sennit_rt_gettimeofday(BYTES(0), BYTES(1));
#ifdef SYS_time
    case SYS_time: return sennit_rt_time(BYTES(0));
#endif
    case SYS_mmap: return (long)sennit_rt_mmap(BYTES(0), SIZE(1), INT(2), INT(3), INT(4), a[5]);
    case SYS_munmap: return sennit_rt_munmap(BYTES(0), SIZE(1));
    case SYS_mremap: return (long)sennit_rt_mremap(BYTES(0), SIZE(1), SIZE(2), INT(3), BYTES(4));
    case SYS_mprotect: return sennit_rt_mprotect(BYTES(0), SIZE(1), INT(2));
    case SYS_madvise: return sennit_rt_madvise(BYTES(0), SIZE(1), INT(2));
    case SYS_exit_group: sennit_rt__exit(INT(0)); return 0;
    case SYS_getppid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid: return syscall(number);
    default: return call_on_descriptors(number, a);
    }
}

/* What a constructor learns of these must hold in executions too. */
static bool answers_alike(long number)
{
    return number == SYS_gettid || number == SYS_getpid || number == SYS_io_uring_setup || number == SYS_membarrier;
}

static long call_or_pass_on(long number, const long *a)
{
    if (rt.self || answers_alike(number))
        return call(number, a);
    return syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

long sennit_rt_syscall(long number, ...)
{
    long a[MAX_ARGUMENTS];
    va_list args;
    va_start(args, number);
    for (int i = 0; i < MAX_ARGUMENTS; i++)
        a[i] = va_arg(args, long);
    va_end(args);
    return call_or_pass_on(number, a);
}

/* ---- Assembly ------------------------------------------------------------------------------- */

/* The instruction returns errors as negative numbers and does not know errno. */
long sennit_rt___sennit_system_call(long number, long a, long b, long c, long d, long e, long f)
{
    const long arguments[MAX_ARGUMENTS] = {a, b, c, d, e, f};
    int before = errno;
    long result = call_or_pass_on(number, arguments);
    if (result == -1)
        result = -errno;
    errno = before;
    return result;
}

/* A counter of the processor: nanoseconds of the virtual clock. */
unsigned long sennit_rt___sennit_time_stamp(void)
{
    struct timespec now;
    if (!rt.self || !vtime_read(CLOCK_MONOTONIC, &now))
        return 0;
    return (unsigned long)now.tv_sec * 1000000000ul + (unsigned long)now.tv_nsec;
}
