/* cmd_dap.c - `sennit dap`: a debug adapter for editors */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/verbs.h"
#include "host/installation.h"

int cmd_dap(int argc, char **argv)
{
    char sennit[PATH_MAX], web[PATH_MAX];
    Error error;
    if (argc > 1) {
        error_set(&error, EXIT_USAGE, "unknown argument %s (sennit dap --help)", argv[1]);
    } else if (installation_find_web(sennit, web, &error)) {
        execl(web, "sennit-web", "dap", sennit, NULL);
        error_set(&error, EXIT_INTERNAL, "%s: %s", web, strerror(errno));
    }
    fprintf(stderr, "sennit dap: %s\n", error.text);
    return error.code;
}
