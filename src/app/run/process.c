/* process.c - see process.h */
#include "app/run/process.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- Signals --------------------------------------------------------------- */

/* Was the run started by nohup? Then it continues when the terminal is closed. */
static bool ignores_hangup(void)
{
    struct sigaction now;
    return sigaction(SIGHUP, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
}

static void supervised(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
    if (!ignores_hangup())
        sigaddset(set, SIGHUP);
    sigaddset(set, SIGCHLD);
}

bool signals_open(Signals *signals, Error *error)
{
    sigset_t set;
    supervised(&set);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN); /* results are saved even if the reader of the report is gone */
    *signals = (Signals){.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)};
    if (signals->fd < 0)
        return error_set(error, EXIT_INTERNAL, "cannot receive signals: %s", strerror(errno));
    return true;
}

void signals_close(Signals *signals)
{
    sigset_t set;
    close(signals->fd);
    supervised(&set);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void signals_wait(Signals *signals, int milliseconds)
{
    struct pollfd watched = {.fd = signals->fd, .events = POLLIN};
    struct signalfd_siginfo info;
    if (poll(&watched, 1, milliseconds) <= 0)
        return;
    while (read(signals->fd, &info, sizeof info) == (ssize_t)sizeof info)
        signals->interrupts += info.ssi_signo != SIGCHLD;
}

/* A program that sends itself a deadly signal has a bug; a signal from another process is meant for the run
 * as a whole (batch systems signal every process of a job). */
static void heed_own(int number, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_pid != getpid())
        return;
    signal(number, SIG_DFL);
    raise(number);
}

static void leave_to_supervisor(int number)
{
    struct sigaction handler = {.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    handler.sa_sigaction = heed_own;
    sigemptyset(&handler.sa_mask);
    sigaction(number, &handler, NULL);
}

void process_die_with(pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_INTERNAL);
}

static void become_child(const Signals *signals)
{
    sigset_t set;
    signal(SIGINT, SIG_IGN);
    leave_to_supervisor(SIGTERM);
    supervised(&set);
    if (sigismember(&set, SIGHUP))
        leave_to_supervisor(SIGHUP);
    signal(SIGPIPE, SIG_DFL);
    close(signals->fd);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
}

pid_t process_fork(const Signals *signals)
{
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        process_die_with(parent);
        become_child(signals);
    }
    return child;
}

double process_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double seconds_of(const struct rusage *usage)
{
    return (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
           (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e6;
}

double process_cpu_seconds(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return seconds_of(&self) + seconds_of(&children);
}

uint32_t process_count_cores(void)
{
    cpu_set_t cores;
    return sched_getaffinity(0, sizeof cores, &cores) == 0 ? (uint32_t)CPU_COUNT(&cores) : 1;
}

/* ---- Running the binary in a fresh process -------------------------------------------------- */

int process_open_memory(const char *name)
{
    return memfd_create(name, 0);
}

static void read_back(int fd, Text *text)
{
    if (fd >= 0) {
        lseek(fd, 0, SEEK_SET);
        text_add_file(text, fd);
        close(fd);
    }
}

/* In the child; never returns. */
static void become_binary(const RunInfo *info, const char *options, int output, int errors)
{
    dup2(output, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(output);
    close(errors);
    setenv("SENNIT_OPTIONS", options, 1);
    execv("/proc/self/exe", info->arguments);
    _exit(EXIT_INTERNAL);
}

static void await_child(pid_t child, double limit, Signals *signals, ChildResult *result)
{
    double deadline = process_now() + limit;
    unsigned before = signals->interrupts;
    while (waitpid(child, &result->status, WNOHANG) == 0) {
        signals_wait(signals, 20);
        if (process_now() > deadline || signals->interrupts > before) {
            result->timed_out = true;
            kill(child, SIGKILL);
            waitpid(child, &result->status, 0);
            return;
        }
    }
}

bool process_run_self(const RunInfo *info, const char *options, double limit, Signals *signals, ChildResult *result,
                      Error *error)
{
    Text all = {0};
    int output = process_open_memory("output"), errors = process_open_memory("errors");
    int answer = process_open_memory("result");
    *result = (ChildResult){0};
    text_add(&all, "%s --result-fd=%d", options, answer);
    pid_t child = output < 0 || errors < 0 || answer < 0 ? -1 : process_fork(signals);
    int problem = errno;
    if (child == 0)
        become_binary(info, all.data, output, errors);
    if (child > 0)
        await_child(child, limit, signals, result);
    read_back(output, &result->output);
    read_back(errors, &result->errors);
    read_back(answer, &result->result);
    text_release(&all);
    return child > 0 || error_set(error, EXIT_INTERNAL, "cannot start a process: %s", strerror(problem));
}

void childresult_release(ChildResult *result)
{
    text_release(&result->output);
    text_release(&result->errors);
    text_release(&result->result);
}
