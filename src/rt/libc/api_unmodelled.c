/* api_unmodelled.c - processes: rejected with a message */
#include "rt/detect/bug.h"
#include "rt/libc/api_libc.h"

/* Outside executions there is nothing to model. */
#define REFUSE(what, call)             \
    do {                               \
        if (rt.self)                   \
            report_not_modelled(what); \
        return call;                   \
    } while (0)

int sennit_rt_system(const char *command) { REFUSE("system", system(command)); }
FILE *sennit_rt_popen(const char *command, const char *mode) { REFUSE("popen", popen(command, mode)); }
int sennit_rt_execv(const char *path, char *const argv[]) { REFUSE("execv", execv(path, argv)); }
int sennit_rt_execvp(const char *file, char *const argv[]) { REFUSE("execvp", execvp(file, argv)); }
int sennit_rt_daemon(int nochdir, int noclose) { REFUSE("daemon", daemon(nochdir, noclose)); }
int sennit_rt_killpg(pid_t group, int number) { REFUSE("killpg", killpg(group, number)); }

int sennit_rt_execve(const char *path, char *const argv[], char *const envp[])
{
    REFUSE("execve", execve(path, argv, envp));
}

int sennit_rt_execvpe(const char *file, char *const argv[], char *const envp[])
{
    REFUSE("execvpe", execvpe(file, argv, envp));
}

int sennit_rt_fexecve(int file, char *const argv[], char *const envp[])
{
    REFUSE("fexecve", fexecve(file, argv, envp));
}

/* ---- Variadic or without a meaning outside executions ---------------------------------- */

int sennit_rt_execl(const char *path, const char *argument, ...)
{
    (void)path;
    (void)argument;
    report_not_modelled("execl");
}

int sennit_rt_execlp(const char *file, const char *argument, ...)
{
    (void)file;
    (void)argument;
    report_not_modelled("execlp");
}

int sennit_rt_execle(const char *path, const char *argument, ...)
{
    (void)path;
    (void)argument;
    report_not_modelled("execle");
}

int sennit_rt_clone(int (*function)(void *), void *stack, int flags, void *argument, ...)
{
    (void)function;
    (void)stack;
    (void)flags;
    (void)argument;
    report_not_modelled("clone");
}

int sennit_rt_posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions,
                          const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    REFUSE("posix_spawn", posix_spawn(process, path, actions, attributes, argv, envp));
}

int sennit_rt_posix_spawnp(pid_t *process, const char *file, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
    REFUSE("posix_spawnp", posix_spawnp(process, file, actions, attributes, argv, envp));
}

void sennit_rt_makecontext(ucontext_t *context, void (*function)(void), int count, ...)
{
    (void)context;
    (void)function;
    (void)count;
    report_not_modelled("makecontext");
}

int sennit_rt_swapcontext(ucontext_t *from, const ucontext_t *to)
{
    REFUSE("swapcontext", swapcontext(from, to));
}

int sennit_rt_setcontext(const ucontext_t *context) { REFUSE("setcontext", setcontext(context)); }
