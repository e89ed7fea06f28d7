/* runs.c - see runs.h */
#include "web/runs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "web/launch.h"

#define GIVEN "given"

typedef struct StartedRun {
    char id[NAME_MAX + 1];
    pid_t process;   /* leads a group of its own */
    bool ended;
    bool interrupted;
    int exit_code;
} StartedRun;

struct Runs {
    const char *sennit;
    const char *directory;
    const char *given;
    pthread_mutex_t lock;
    VEC(StartedRun) started;
};

Runs *runs_create(const char *sennit, const char *directory, const char *given)
{
    Runs *runs = mem_alloc(sizeof *runs);
    runs->sennit = sennit;
    runs->directory = directory;
    runs->given = given;
    pthread_mutex_init(&runs->lock, NULL);
    return runs;
}

void runs_destroy(Runs *runs)
{
    VEC_FREE(&runs->started);
    pthread_mutex_destroy(&runs->lock);
    free(runs);
}

/* ---- Directories ----------------------------------------------------------------------- */

static bool is_name(const char *id)
{
    static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-";
    size_t length = strspn(id, letters);
    return length > 0 && length <= NAME_MAX && id[length] == '\0';
}

bool runs_find(Runs *runs, const char *id, char path[PATH_MAX])
{
    struct stat status;
    if (strcmp(id, GIVEN) == 0 && runs->given)
        return snprintf(path, PATH_MAX, "%s", runs->given) < PATH_MAX;
    return is_name(id) && snprintf(path, PATH_MAX, "%s/sennit-out/%s", runs->directory, id) < PATH_MAX &&
           stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int newest_first(const struct dirent **a, const struct dirent **b) { return versionsort(b, a); }

void runs_each(Runs *runs, void (*each)(void *context, const char *id), void *context)
{
    char path[PATH_MAX];
    struct dirent **entries;
    if (runs->given)
        each(context, GIVEN);
    snprintf(path, sizeof path, "%s/sennit-out", runs->directory);
    int count = scandir(path, &entries, NULL, newest_first);
    for (int i = 0; i < count; i++) {
        if (is_name(entries[i]->d_name))
            each(context, entries[i]->d_name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

/* A new directory sennit-out/NNN. */
static bool make_directory(Runs *runs, char id[NAME_MAX + 1], char path[PATH_MAX], Error *error)
{
    enum { MOST = 100000 };
    snprintf(path, PATH_MAX, "%s/sennit-out", runs->directory);
    mkdir(path, 0777);
    for (unsigned number = 1; number < MOST; number++) {
        snprintf(id, NAME_MAX + 1, "%03u", number);
        snprintf(path, PATH_MAX, "%s/sennit-out/%s", runs->directory, id);
        if (mkdir(path, 0777) == 0)
            return true;
        if (errno != EEXIST)
            return error_set(error, EXIT_INTERNAL, "cannot make a directory for the run: %s", strerror(errno));
    }
    return error_set(error, EXIT_INTERNAL, "sennit-out is full");
}

/* ---- Processes --------------------------------------------------------------------------- */

static bool launch_into(Runs *runs, const char *path, const char *const *words, pid_t *process, Error *error)
{
    char console[PATH_MAX + 16];
    snprintf(console, sizeof console, "%s/console.txt", path);
    int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int output = open(console, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    int streams[LAUNCH_STREAMS] = {input, output, output};
    bool good = output < 0 ? error_set(error, EXIT_INTERNAL, "%s: %s", console, strerror(errno))
                           : launch(runs->sennit, words, runs->directory, streams, process, error);
    close(input);
    if (output >= 0)
        close(output);
    return good;
}

static void note_started(Runs *runs, const char *id, pid_t process)
{
    StartedRun run = {.process = process};
    snprintf(run.id, sizeof run.id, "%s", id);
    pthread_mutex_lock(&runs->lock);
    VEC_PUSH(&runs->started, run);
    pthread_mutex_unlock(&runs->lock);
}

bool runs_start(Runs *runs, const char *const *words, char id[NAME_MAX + 1], Error *error)
{
    char path[PATH_MAX];
    pid_t process;
    VEC(const char *) all = {0};
    if (!make_directory(runs, id, path, error))
        return false;
    VEC_PUSH(&all, words[0]);
    VEC_PUSH(&all, "-o");
    VEC_PUSH(&all, path);
    for (unsigned i = 1; words[i]; i++)
        VEC_PUSH(&all, words[i]);
    VEC_PUSH(&all, NULL);
    bool good = launch_into(runs, path, all.items, &process, error);
    VEC_FREE(&all);
    if (good)
        note_started(runs, id, process);
    return good;
}

bool runs_resume(Runs *runs, const char *id, Error *error)
{
    char path[PATH_MAX];
    pid_t process;
    const char *words[] = {"resume", path, NULL};
    RunPhase phase = runs_state(runs, id).phase;
    if (!runs_find(runs, id, path) || phase == RUN_GOING || phase == RUN_ELSEWHERE)
        return error_set(error, EXIT_USAGE, "run %s has not ended", id);
    if (!launch_into(runs, path, words, &process, error))
        return false;
    note_started(runs, id, process);
    return true;
}

/* Its present state. Under the lock. */
static bool has_ended(StartedRun *run)
{
    int status;
    if (!run->ended && waitpid(run->process, &status, WNOHANG) == run->process) {
        run->ended = true;
        run->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
    return run->ended;
}

/* The run of this name that was started here; NULL if there is none. Under the lock. */
static StartedRun *look_up(Runs *runs, const char *id)
{
    StartedRun *found = NULL;
    for (uint32_t i = 0; i < runs->started.count; i++)
        if (strcmp(runs->started.items[i].id, id) == 0)
            found = &runs->started.items[i];
    return found;
}

/* A run writes figures every second, and its result at its end. */
static bool is_written(Runs *runs, const char *id)
{
    enum { SECONDS = 3 };
    char path[PATH_MAX], file[PATH_MAX + 16];
    struct stat status;
    if (!runs_find(runs, id, path))
        return false;
    snprintf(file, sizeof file, "%s/run.json", path);
    if (stat(file, &status) == 0)
        return false;
    snprintf(file, sizeof file, "%s/stats.jsonl", path);
    return (stat(file, &status) == 0 || stat(path, &status) == 0) && time(NULL) - status.st_mtime <= SECONDS;
}

RunState runs_state(Runs *runs, const char *id)
{
    RunState state = {.phase = is_written(runs, id) ? RUN_ELSEWHERE : RUN_FOUND};
    pthread_mutex_lock(&runs->lock);
    StartedRun *run = look_up(runs, id);
    if (run)
        state = (RunState){has_ended(run) ? RUN_ENDED : RUN_GOING, run->exit_code};
    pthread_mutex_unlock(&runs->lock);
    return state;
}

bool runs_stop(Runs *runs, const char *id)
{
    pthread_mutex_lock(&runs->lock);
    StartedRun *run = look_up(runs, id);
    bool going = run && !has_ended(run);
    if (going)
        kill(-run->process, run->interrupted ? SIGKILL : SIGINT);
    if (going)
        run->interrupted = true;
    pthread_mutex_unlock(&runs->lock);
    return going;
}

void runs_stop_all(Runs *runs, bool hard)
{
    pthread_mutex_lock(&runs->lock);
    for (uint32_t i = 0; i < runs->started.count; i++)
        if (!has_ended(&runs->started.items[i]))
            kill(-runs->started.items[i].process, hard ? SIGKILL : SIGINT);
    pthread_mutex_unlock(&runs->lock);
}

bool runs_have_ended(Runs *runs)
{
    bool all = true;
    pthread_mutex_lock(&runs->lock);
    for (uint32_t i = 0; i < runs->started.count; i++)
        all = has_ended(&runs->started.items[i]) && all;
    pthread_mutex_unlock(&runs->lock);
    return all;
}
