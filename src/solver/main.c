/* main.c - sennit-solver: z3 in a process of its own, which answers queries over a socket (sym/solve/serve.h)
 *
 * Usage: sennit-solver FD. Started by sym/solve/solver_remote.c, not by users. It exits when the other side closes the
 * socket or dies.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/error.h"
#include "sym/solve/serve.h"
#include "sym/solve/solver_z3.h"

enum { MOST_NODES = 1 << 22 };

/* A query that needs more is given up. */
static const rlim_t most_memory = (rlim_t)6 << 30;

int main(int argc, char **argv)
{
    char *end = NULL;
    long fd = argc == 2 ? strtol(argv[1], &end, 10) : -1;
    if (fd < 0 || *end) {
        fprintf(stderr, "usage: sennit-solver FD\nsennit and test binaries start it; it is not for users.\n");
        return EXIT_USAGE;
    }
    close_range((unsigned)fd + 1, ~0u, 0); /* files of the program under test */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    signal(SIGINT, SIG_IGN); /* Ctrl-C concerns the process that asks */
    setrlimit(RLIMIT_AS, &(struct rlimit){most_memory, most_memory});
    ExprPool *pool = expr_pool_create(MOST_NODES);
    if (!pool)
        return EXIT_INTERNAL;
    Solver *solver = solver_z3_create(pool);
    bool good = serve_queries((int)fd, pool, solver);
    solver->ops->destroy(solver);
    expr_pool_destroy(pool);
    return good ? EXIT_CLEAN : EXIT_INTERNAL;
}
