/* launch.c - see launch.h */
#include "web/launch.h"

#include <signal.h>
#include <spawn.h>
#include <string.h>

#include "base/vec.h"

extern char **environ;

/* The signals that end the server are blocked in it; not in what it starts. */
static void set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
}

bool launch(const char *sennit, const char *const *words, const char *directory, const int streams[LAUNCH_STREAMS],
            pid_t *process, Error *error)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    VEC(char *) argv = {0};
    VEC_PUSH(&argv, (char *)"sennit");
    for (unsigned i = 0; words[i]; i++)
        VEC_PUSH(&argv, (char *)words[i]);
    VEC_PUSH(&argv, NULL);
    posix_spawn_file_actions_init(&files);
    for (int i = 0; i < LAUNCH_STREAMS; i++)
        posix_spawn_file_actions_adddup2(&files, streams[i], i);
    posix_spawn_file_actions_addchdir_np(&files, directory);
    posix_spawnattr_init(&attributes);
    set_signals(&attributes);
    int failed = posix_spawn(process, sennit, &files, &attributes, argv.items, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    VEC_FREE(&argv);
    return !failed || error_set(error, EXIT_INTERNAL, "cannot start a process: %s", strerror(failed));
}
