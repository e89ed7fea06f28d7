/* capture.c - see capture.h: its streams are files in memory, so nothing can fill up */
#include "web/capture.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "web/launch.h"

static void wait_for(pid_t process, const Capturing *how, Captured *capture)
{
    struct timespec moment = {.tv_nsec = 2000000};
    int status = 0;
    for (unsigned long left = how->seconds * 500ul; waitpid(process, &status, WNOHANG) != process; left--) {
        if (left == 0 || (how->ending && *how->ending)) {
            kill(-process, SIGKILL);
            waitpid(process, &status, 0);
            capture->late = true;
            break;
        }
        nanosleep(&moment, NULL);
    }
    capture->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void read_back(int stream, Text *into)
{
    lseek(stream, 0, SEEK_SET);
    text_add_file(into, stream);
}

bool capture_run(const Capturing *how, const char *const *words, const Text *input, Captured *capture, Error *error)
{
    int streams[LAUNCH_STREAMS];
    pid_t process;
    *capture = (Captured){0};
    for (int i = 0; i < LAUNCH_STREAMS; i++)
        streams[i] = memfd_create("sennit-capture", MFD_CLOEXEC);
    if (input && text_write_all(streams[0], text_borrow(input), input->length))
        lseek(streams[0], 0, SEEK_SET);
    bool good = launch(how->sennit, words, how->directory, streams, &process, error);
    if (good) {
        wait_for(process, how, capture);
        read_back(streams[1], &capture->output);
        read_back(streams[2], &capture->messages);
    }
    for (int i = 0; i < LAUNCH_STREAMS; i++)
        close(streams[i]);
    return good;
}

void capture_release(Captured *capture)
{
    text_release(&capture->output);
    text_release(&capture->messages);
}
