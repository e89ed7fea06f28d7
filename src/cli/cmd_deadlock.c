/* cmd_deadlock.c - `sennit deadlock`: finds cycles of lock orders in the code, then has the program confirm them */
#include <stdio.h>
#include <stdlib.h>

#include "cli/testrun.h"
#include "cli/verbs.h"
#include "host/installation.h"
#include "host/subprocess.h"

/* Without the analysis, cycles come from executions only. */
static void analyse_locks(TestRequest *request)
{
    Installation installation;
    Error error;
    Subprocess result;
    const char *directory = request->temporary ? request->temporary : request->dir.path;
    if (!directory)
        return;
    text_add(&request->locks, "%s/locks.txt", directory);
    const char *const command[] = {installation.instrumenter, "--locks", request->binary.data,
                                   "-o", request->locks.data, NULL};
    bool good = installation_find(&installation, &error) && subprocess_run(command, &result, &error);
    if (good && result.signal)
        subprocess_die_of(result.signal);
    if (good && result.status == 0)
        return;
    fprintf(stderr, "sennit deadlock: warning: the code was not analysed%s%s; lock orders come from executions only\n",
            good ? "" : ": ", good ? "" : error.text);
    text_reset(&request->locks);
}

int cmd_deadlock(int argc, char **argv)
{
    static const TestVerb verb = {.name = "deadlock",
                                  .uses = USE_DEADLOCK,
                                  .task = "--task=deadlock",
                                  .takes_binary = true,
                                  .run_models = models_deadlock,
                                  .prepare = analyse_locks};
    return testrun(&verb, argc, argv);
}
