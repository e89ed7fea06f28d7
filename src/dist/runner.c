/* runner.c - see runner.h: a runner that is a process */
#include "dist/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/channel.h"
#include "base/mem.h"

typedef struct ProcessRunner {
    Runner runner;
    RunnerProgram program;
    pid_t pid;
    int control;    /* slices and results                     */
    int insertions; /* requests of its workers during a slice */
} ProcessRunner;

enum { CONTROL = 100, INSERTIONS = 101 }; /* file descriptors in the other process */

static void become(const RunnerProgram *program, pid_t parent, int control, int insertions)
{
    Text options = {0};
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(127);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int output = open("/dev/null", O_RDWR);
    if (dup2(control, CONTROL) < 0 || dup2(insertions, INSERTIONS) < 0 || dup2(output, STDOUT_FILENO) < 0 ||
        chdir(program->directory) < 0)
        _exit(127);
    text_add(&options, "%s --task=serve --serve-fd=%d", program->options, CONTROL);
    setenv("SENNIT_OPTIONS", options.data, 1);
    execv(program->path, program->argv);
    fprintf(stderr, "sennit worker: %s: %s\n", program->path, strerror(errno));
    _exit(127);
}

static bool await_ready(ProcessRunner *self, Error *error)
{
    char word[CHANNEL_WORD];
    Text payload = {0};
    bool good = channel_receive(self->control, word, &payload);
    if (!good)
        error_set(error, EXIT_INTERNAL, "the program exited before it was ready to explore");
    else if (strcmp(word, "ready") != 0)
        good = error_set(error, EXIT_USAGE, "%s", text_borrow(&payload));
    text_release(&payload);
    return good;
}

static void process_stop(Runner *runner)
{
    ProcessRunner *self = (ProcessRunner *)runner;
    if (!runner->running)
        return;
    kill(self->pid, SIGKILL); /* its workers die with it */
    waitpid(self->pid, NULL, 0);
    close(self->control);
    close(self->insertions);
    runner->running = false;
}

static bool process_start(Runner *runner, Error *error)
{
    ProcessRunner *self = (ProcessRunner *)runner;
    int control[2], insertions[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, insertions) < 0)
        return error_set(error, EXIT_INTERNAL, "cannot start a process: %s", strerror(errno));
    fflush(NULL);
    pid_t parent = getpid();
    self->pid = fork();
    if (self->pid == 0)
        become(&self->program, parent, control[1], insertions[1]);
    int problem = errno;
    close(control[1]);
    close(insertions[1]);
    if (self->pid < 0) {
        close(control[0]);
        close(insertions[0]);
        return error_set(error, EXIT_INTERNAL, "cannot start a process: %s", strerror(problem));
    }
    self->control = control[0];
    self->insertions = insertions[0];
    runner->running = true;
    return await_ready(self, error);
}

static bool process_explore(Runner *runner, const Text *slice)
{
    return channel_send(((ProcessRunner *)runner)->control, "slice", slice->data, slice->length);
}

static void process_end_slice(Runner *runner)
{
    channel_send(((ProcessRunner *)runner)->control, "stop", "", 0);
}

static RunnerEvent process_await(Runner *runner, double seconds, Text *payload)
{
    ProcessRunner *self = (ProcessRunner *)runner;
    struct pollfd fds[] = {{.fd = self->control, .events = POLLIN}, {.fd = self->insertions, .events = POLLIN}};
    char word[CHANNEL_WORD];
    if (poll(fds, 2, seconds > 0 ? (int)(seconds * 1000) + 1 : 0) <= 0)
        return RUNNER_NOTHING;
    if (fds[0].revents)
        return channel_receive(self->control, word, payload) && strcmp(word, "result") == 0 ? RUNNER_RESULT
                                                                                            : RUNNER_GONE;
    return channel_receive(self->insertions, word, payload) && strcmp(word, "extend") == 0 ? RUNNER_INSERTION
                                                                                           : RUNNER_GONE;
}

static bool process_answer(Runner *runner, const char *word, const Text *payload)
{
    return channel_send(((ProcessRunner *)runner)->insertions, word, payload->data, payload->length);
}

static double process_now(Runner *runner)
{
    struct timespec time;
    (void)runner;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void process_rest(Runner *runner, double seconds)
{
    struct timespec pause = {.tv_nsec = (long)(seconds * 1e9)};
    (void)runner;
    nanosleep(&pause, NULL);
}

static void process_destroy(Runner *runner)
{
    process_stop(runner);
    free(runner);
}

static const RunnerOps process_ops = {
    .start = process_start,
    .stop = process_stop,
    .explore = process_explore,
    .end_slice = process_end_slice,
    .await = process_await,
    .answer = process_answer,
    .now = process_now,
    .rest = process_rest,
    .destroy = process_destroy,
};

Runner *runner_create_process(const RunnerProgram *program)
{
    ProcessRunner *self = mem_alloc(sizeof *self);
    *self = (ProcessRunner){.runner = {.ops = &process_ops}, .program = *program};
    return &self->runner;
}
