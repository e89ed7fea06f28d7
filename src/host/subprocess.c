/* subprocess.c - see subprocess.h
 *
 * Design: the signals are blocked and received with sigwaitinfo, so no handler and
 * no global state is needed.
 */
#include "host/subprocess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A signal that this process was started to ignore (a background job, nohup) stays ignored. */
static void watch(sigset_t *set, int signal)
{
    struct sigaction action;
    if (sigaction(signal, NULL, &action) == 0 && action.sa_handler != SIG_IGN)
        sigaddset(set, signal);
}

static sigset_t watched_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    watch(&set, SIGINT);
    watch(&set, SIGTERM);
    watch(&set, SIGHUP);
    return set;
}

static bool start(const char *const *argv, const sigset_t *mask, pid_t *pid, Error *error)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    int failure = posix_spawn(pid, argv[0], NULL, &attributes, (char *const *)(uintptr_t)argv, environ);
    posix_spawnattr_destroy(&attributes);
    return failure ? error_set(error, EXIT_USAGE, "cannot run %s: %s", argv[0], strerror(failure)) : true;
}

static int status_of(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

/* Waits for the child; forwards requests to terminate. */
static void wait_for(pid_t pid, const sigset_t *set, Subprocess *result)
{
    int wait_status;
    while (waitpid(pid, &wait_status, WNOHANG) == 0) {
        int signal = sigwaitinfo(set, NULL);
        if (signal > 0 && signal != SIGCHLD) {
            result->signal = signal;
            kill(pid, signal);
        }
    }
    result->status = status_of(wait_status);
}

bool subprocess_run(const char *const *argv, Subprocess *result, Error *error)
{
    sigset_t set = watched_signals(), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    /* An ignored SIGCHLD (inherited from some build tools) would discard the child's status. */
    struct sigaction default_action = {.sa_handler = SIG_DFL}, old_action;
    sigaction(SIGCHLD, &default_action, &old_action);
    pid_t pid;
    *result = (Subprocess){0};
    bool started = start(argv, &before, &pid, error);
    if (started)
        wait_for(pid, &set, result);
    sigaction(SIGCHLD, &old_action, NULL);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return started;
}

/* Redirects a stream of this process to /dev/null; answers what it was, for `restore`. */
static int silence(int stream)
{
    int saved = dup(stream), nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) {
        dup2(nowhere, stream);
        close(nowhere);
    }
    return saved;
}

static void restore(int stream, int saved)
{
    if (saved >= 0) {
        dup2(saved, stream);
        close(saved);
    }
}

bool subprocess_run_quietly(const char *const *argv, Subprocess *result, Error *error)
{
    int output = silence(STDOUT_FILENO), errors = silence(STDERR_FILENO);
    bool started = subprocess_run(argv, result, error);
    restore(STDOUT_FILENO, output);
    restore(STDERR_FILENO, errors);
    return started;
}

void subprocess_die_of(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    _exit(128 + signal_number);
}
