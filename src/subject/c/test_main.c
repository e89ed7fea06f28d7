/* test_main.c - main of test binaries
 *
 * Addresses must be the same in every process that runs the program, so address space randomisation is
 * switched off first, which requires one exec.
 */
#include <stdlib.h>
#include <sys/personality.h>
#include <unistd.h>

#include "app/tasks/app.h"
#include "sennit_version.h"
#include "subject/c/subject_c.h"

/* How `sennit explore` recognises a test binary, even a stripped one. */
static const struct {
    uint32_t name_size, text_size, type;
    char name[8], text[16];
} note __attribute__((section(".note.sennit"), used, aligned(4))) = {7, 16, 1, "Sennit", SENNIT_VERSION};

/* Some containers forbid it: the marker prevents an endless loop. */
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

int main(int argc, char **argv)
{
    fix_addresses(argv);
    _exit(app_run(&subject_c, argc, argv)); /* without atexit handlers: those of the program belong to its executions */
}
