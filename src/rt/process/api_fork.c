/* api_fork.c - fork, and waiting for children */
#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/kernel/node.h"
#include "rt/kernel/process.h"
#include "rt/libc/api_libc.h"
#include "rt/process/children.h"

/* ---- Handlers of fork ------------------------------------------------------------------------ */

enum { MAX_FORK_HANDLERS = 64 };

static struct {
    uint32_t run; /* of the execution that this belongs to */
    uint32_t count;
    struct {
        void (*prepare)(void), (*parent)(void), (*child)(void);
    } items[MAX_FORK_HANDLERS];
} handlers;

void libc_init_fork(void)
{
    if (!node_count())
        node_keep(&handlers, sizeof handlers);
}

int sennit_rt_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void))
{
    if (!rt.self)
        return pthread_atfork(prepare, parent, child);
    if (handlers.run != rt.execution)
        handlers.count = 0;
    handlers.run = rt.execution;
    if (handlers.count == MAX_FORK_HANDLERS)
        return ENOMEM;
    handlers.items[handlers.count].prepare = prepare;
    handlers.items[handlers.count].parent = parent;
    handlers.items[handlers.count++].child = child;
    return 0;
}

static void prepare_fork(void)
{
    for (uint32_t i = handlers.run == rt.execution ? handlers.count : 0; i-- > 0;)
        if (handlers.items[i].prepare)
            handlers.items[i].prepare();
}

static void settle_fork(bool in_child)
{
    for (uint32_t i = 0; handlers.run == rt.execution && i < handlers.count; i++) {
        void (*handler)(void) = in_child ? handlers.items[i].child : handlers.items[i].parent;
        if (handler)
            handler();
    }
}

/* ---- fork --------------------------------------------------------------------------------------- */

static void begin_files(unsigned process)
{
    pipe_fork(process_get(process)->first, process);
    open_file_fork(process);
}

pid_t sennit_rt__Fork(void) { return rt.self ? children_fork(begin_files) : fork(); }

pid_t sennit_rt_fork(void)
{
    if (!rt.self)
        return fork();
    prepare_fork();
    pid_t child = sennit_rt__Fork();
    settle_fork(!child);
    return child;
}

/* The parent continues at once: what the child may do, which is to end, makes no difference. */
pid_t sennit_rt_vfork(void) { return sennit_rt__Fork(); }

pid_t sennit_rt_getppid(void) { return rt.self ? children_parent() : getppid(); }

/* ---- Waiting -------------------------------------------------------------------------------------- */

/* All processes are of one group. -1: any child. */
static int child_of(pid_t process)
{
    if (process < -1)
        report_not_modelled("waiting for a group of processes");
    return process > 0 ? process : -1;
}

static pid_t wait_for(pid_t process, int *status, int options, struct rusage *usage)
{
    EndedChild ended;
    int error = options & ~(WNOHANG | WUNTRACED | WCONTINUED) ? EINVAL : 0;
    if (!error)
        error = children_wait(child_of(process), !(options & WNOHANG), false, &ended);
    if (error) {
        errno = error;
        return -1;
    }
    if (ended.number && status)
        PLAIN_STORE(status, ended.status);
    if (ended.number && usage)
        PLAIN_STORE(usage, (struct rusage){0});
    return ended.number;
}

pid_t sennit_rt_wait(int *status) { return rt.self ? wait_for(-1, status, 0, NULL) : wait(status); }

pid_t sennit_rt_waitpid(pid_t process, int *status, int options)
{
    return rt.self ? wait_for(process, status, options, NULL) : waitpid(process, status, options);
}

pid_t sennit_rt_wait3(int *status, int options, struct rusage *usage)
{
    return rt.self ? wait_for(-1, status, options, usage) : wait3(status, options, usage);
}

pid_t sennit_rt_wait4(pid_t process, int *status, int options, struct rusage *usage)
{
    return rt.self ? wait_for(process, status, options, usage) : wait4(process, status, options, usage);
}

static void tell(const EndedChild *ended, siginfo_t *result)
{
    siginfo_t found;
    memset(&found, 0, sizeof found);
    if (ended->number) {
        bool exited = WIFEXITED(ended->status);
        found.si_signo = SIGCHLD;
        found.si_code = exited ? CLD_EXITED : CLD_KILLED;
        found.si_pid = ended->number;
        found.si_uid = getuid();
        found.si_status = exited ? WEXITSTATUS(ended->status) : WTERMSIG(ended->status);
    }
    PLAIN_STORE(result, found);
}

int sennit_rt_waitid(idtype_t type, id_t process, siginfo_t *result, int options)
{
    const int known = WEXITED | WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT;
    if (!rt.self)
        return waitid(type, process, result, options);
    if (options & ~known || !(options & (WEXITED | WSTOPPED | WCONTINUED))) {
        errno = EINVAL;
        return -1;
    }
    if ((type != P_ALL && type != P_PID) || !(options & WEXITED))
        report_not_modelled("waitid for something other than the end of a process");
    EndedChild ended;
    int error = children_wait(type == P_PID ? (int)process : -1, !(options & WNOHANG), options & WNOWAIT, &ended);
    if (error) {
        errno = error;
        return -1;
    }
    if (result)
        tell(&ended, result);
    return 0;
}
