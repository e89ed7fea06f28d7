/* test_main.c - main of test binaries: chooses the task
 *
 * Addresses must be the same in every process that runs the program, so address space
 * randomisation is switched off first, which takes starting anew once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

#include "app/task.h"

/* How `sennit explore` recognises a test binary, even a stripped one. */
static const struct {
    uint32_t name_size, text_size, type;
    char name[8], text[16];
} note __attribute__((section(".note.sennit"), used, aligned(4))) = {7, 16, 1, "Sennit", SENNIT_VERSION};

/* Some containers forbid it: then the marker keeps us from trying for ever. */
static void fix_addresses(char **argv)
{
    static const char marker[] = "SENNIT_FIXED";
    int now = personality(0xffffffff);
    if (now != -1 && !(now & ADDR_NO_RANDOMIZE) && !getenv(marker) &&
        personality((unsigned long)now | ADDR_NO_RANDOMIZE) != -1) {
        setenv(marker, "1", 1);
        execv("/proc/self/exe", argv);
    }
    unsetenv(marker);
}

static int run_task(RunInfo *info)
{
    switch (info->options.task) {
    case TASK_REPLAY:
        return task_replay(info);
    case TASK_MINIMISE:
        return task_minimise(info);
    case TASK_DEBUG:
        return task_debug(info);
    case TASK_PLAIN:
        return task_plain(info);
    case TASK_FLOOR:
        return task_floor(info);
    default:
        return task_explore(info);
    }
}

int main(int argc, char **argv)
{
    RunInfo info;
    Error error;
    fix_addresses(argv);
    if (!runinfo_init(&info, argc, argv, &error))
        return task_fail(&error);
    int code = run_task(&info);
    fflush(NULL);
    _exit(code); /* no handlers: what the program registered belongs to its executions */
}
