/* runner.c - see runner.h */
#include "dist/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CONTROL = 100, INSERTIONS = 101 }; /* file descriptors in the other process */

static void become(const RunnerProgram *program, int control, int insertions)
{
    Text options = {0};
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
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

static bool await_ready(Runner *runner, Error *error)
{
    char word[CHANNEL_WORD];
    Text payload = {0};
    bool good = channel_receive(runner->control, word, &payload);
    if (!good)
        error_set(error, EXIT_INTERNAL, "the program ended before it was ready to explore");
    else if (strcmp(word, "ready") != 0)
        good = error_set(error, EXIT_USAGE, "%s", text_borrow(&payload));
    text_release(&payload);
    return good;
}

bool runner_start(Runner *runner, const RunnerProgram *program, Error *error)
{
    int control[2], insertions[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control) < 0 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, insertions) < 0)
        return error_set(error, EXIT_INTERNAL, "cannot start a process: %s", strerror(errno));
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(program, control[1], insertions[1]);
    close(control[1]);
    close(insertions[1]);
    *runner = (Runner){.pid = pid > 0 ? pid : 0, .control = control[0], .insertions = insertions[0]};
    if (pid < 0) {
        runner_stop(runner);
        return error_set(error, EXIT_INTERNAL, "cannot start a process: %s", strerror(errno));
    }
    return await_ready(runner, error);
}

void runner_stop(Runner *runner)
{
    if (runner->pid) {
        kill(runner->pid, SIGKILL); /* its workers die with it */
        waitpid(runner->pid, NULL, 0);
    }
    close(runner->control);
    close(runner->insertions);
    *runner = (Runner){.control = -1, .insertions = -1};
}
