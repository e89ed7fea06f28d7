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
#include <time.h>
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

/* A program that has a deadline gets a group of its own, so that its own processes can be ended too. */
static bool start(const char *const *argv, const sigset_t *mask, bool grouped, pid_t *pid, Error *error)
{
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes, (short)(POSIX_SPAWN_SETSIGMASK | (grouped ? POSIX_SPAWN_SETPGROUP : 0)));
    int failure = posix_spawn(pid, argv[0], NULL, &attributes, (char *const *)(uintptr_t)argv, environ);
    posix_spawnattr_destroy(&attributes);
    return failure ? error_set(error, EXIT_USAGE, "cannot run %s: %s", argv[0], strerror(failure)) : true;
}

static int status_of(int wait_status)
{
    return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : 128 + WTERMSIG(wait_status);
}

double subprocess_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* One of the signals, or -1 after the deadline. */
static int await_signal(const sigset_t *set, double deadline)
{
    if (deadline <= 0)
        return sigwaitinfo(set, NULL);
    double left = deadline - subprocess_now();
    if (left <= 0)
        return -1;
    struct timespec limit = {.tv_sec = (time_t)left, .tv_nsec = (long)((left - (double)(time_t)left) * 1e9)};
    return sigtimedwait(set, NULL, &limit);
}

/* Waits for the child; forwards requests to terminate. */
static void wait_for(pid_t pid, const sigset_t *set, double deadline, Subprocess *result)
{
    int wait_status;
    pid_t target = deadline > 0 ? -pid : pid;
    while (waitpid(pid, &wait_status, WNOHANG) == 0) {
        int signal = await_signal(set, deadline);
        if (signal > 0 && signal != SIGCHLD) {
            result->signal = signal;
            kill(target, signal);
        }
        if (deadline > 0 && subprocess_now() >= deadline) {
            result->late = true;
            kill(target, SIGKILL);
            deadline = 0;
        }
    }
    result->status = status_of(wait_status);
}

static bool run(const char *const *argv, double deadline, Subprocess *result, Error *error)
{
    sigset_t set = watched_signals(), before;
    sigprocmask(SIG_BLOCK, &set, &before);
    /* An ignored SIGCHLD (inherited from some build tools) would discard the child's status. */
    struct sigaction default_action = {.sa_handler = SIG_DFL}, old_action;
    sigaction(SIGCHLD, &default_action, &old_action);
    pid_t pid;
    *result = (Subprocess){0};
    bool started = start(argv, &before, deadline > 0, &pid, error);
    if (started)
        wait_for(pid, &set, deadline, result);
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

bool subprocess_run_until(const char *const *argv, bool quiet, double deadline, Subprocess *result, Error *error)
{
    int output = quiet ? silence(STDOUT_FILENO) : -1, errors = quiet ? silence(STDERR_FILENO) : -1;
    bool started = run(argv, deadline, result, error);
    restore(STDOUT_FILENO, output);
    restore(STDERR_FILENO, errors);
    return started;
}

bool subprocess_run(const char *const *argv, Subprocess *result, Error *error)
{
    return run(argv, 0, result, error);
}

bool subprocess_run_quietly(const char *const *argv, Subprocess *result, Error *error)
{
    return subprocess_run_until(argv, true, 0, result, error);
}

void subprocess_die_of(int signal_number)
{
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    _exit(128 + signal_number);
}
