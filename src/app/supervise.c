/* supervise.c - see supervise.h */
#include "app/supervise.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/crash.h"
#include "rt/program_c.h"

static const double GRACE = 5; /* seconds a worker has to stop by itself */
enum { TICK = 50, DEATHS_WITHOUT_PROGRESS = 3 };

typedef struct Supervisor {
    Search *search;
    const RunInfo *info;
    Signals *signals;
    Watcher *watcher;
    double start;
    double stop_time;        /* when the worker was asked to stop, 0: not yet */
    Ending asked;            /* why it was                                    */
    uint64_t last_progress;
    unsigned idle_deaths;
} Supervisor;

/* ---- While a worker runs ------------------------------------------------------- */

static void ask_to_stop(Supervisor *supervisor, Ending ending)
{
    if (supervisor->stop_time > 0)
        return;
    supervisor->stop_time = process_now();
    supervisor->asked = ending;
    search_stop(supervisor->search, ending);
}

static void look_after(Supervisor *supervisor, pid_t worker)
{
    double now = process_now(), limit = supervisor->info->options.max_time;
    if (supervisor->signals->interrupted)
        ask_to_stop(supervisor, ENDING_INTERRUPTED);
    if (limit > 0 && now - supervisor->start >= limit)
        ask_to_stop(supervisor, ENDING_TIME);
    if (supervisor->stop_time > 0 && now - supervisor->stop_time > GRACE)
        kill(worker, SIGKILL);
    supervisor->watcher->watch(supervisor->watcher, now - supervisor->start);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* Waits for the end of a worker and adds what it used. */
static int await_worker(Supervisor *supervisor, pid_t worker, Supervision *result)
{
    int status = 0;
    struct rusage used = {0};
    while (wait4(worker, &status, WNOHANG, &used) == 0) {
        signals_wait(supervisor->signals, TICK);
        look_after(supervisor, worker);
    }
    result->cpu_seconds += seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    if ((uint64_t)used.ru_maxrss > result->peak_kb)
        result->peak_kb = (uint64_t)used.ru_maxrss;
    return status;
}

/* ---- After it ended --------------------------------------------------------------- */

static uint64_t measure_progress(Supervisor *supervisor)
{
    ExploreStats stats = search_stats(supervisor->search);
    return stats.executions + stats.crashed + stats.redundant + stats.probes;
}

static bool is_making_progress(Supervisor *supervisor)
{
    uint64_t progress = measure_progress(supervisor);
    if (progress != supervisor->last_progress)
        supervisor->idle_deaths = 0;
    supervisor->last_progress = progress;
    return ++supervisor->idle_deaths <= DEATHS_WITHOUT_PROGRESS;
}

static void give_up(Supervision *result, int status)
{
    result->ending = ENDING_FAILED;
    if (WIFSIGNALED(status))
        snprintf(result->note, sizeof result->note,
                 "worker processes are killed again and again by signal %d (%s) without getting anywhere",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(result->note, sizeof result->note,
                 "worker processes end again and again (status %d) without getting anywhere", WEXITSTATUS(status));
}

/* Is another worker needed? */
static bool judge_death(Supervisor *supervisor, int status, Supervision *result)
{
    if (search_ended(supervisor->search))
        return false;
    if (WIFEXITED(status) && WEXITSTATUS(status) == RT_EXIT_NOT_MODELLED) {
        result->ending = ENDING_REFUSED;
        return false;
    }
    if (supervisor->stop_time > 0 && process_now() - supervisor->stop_time > GRACE) {
        result->ending = supervisor->asked;
        return false;
    }
    crash_note(search_execution(supervisor->search), status);
    if (!is_making_progress(supervisor)) {
        give_up(result, status);
        return false;
    }
    return true;
}

/* ---- The loop ------------------------------------------------------------------------ */

/* In the worker process. */
static void work(Supervisor *supervisor)
{
    process_become_child(supervisor->signals);
    search_work(supervisor->search);
    _exit(0);
}

void supervise_search(Search *search, const RunInfo *info, Signals *signals, Watcher *watcher, Supervision *result)
{
    Supervisor supervisor = {.search = search, .info = info, .signals = signals, .watcher = watcher,
                             .start = process_now()};
    *result = (Supervision){.ending = ENDING_DONE};
    fflush(NULL);
    int status;
    do {
        pid_t worker = fork();
        if (worker == 0)
            work(&supervisor);
        if (worker < 0) {
            result->ending = ENDING_FAILED;
            snprintf(result->note, sizeof result->note, "cannot start a process: %s", strerror(errno));
            break;
        }
        status = await_worker(&supervisor, worker, result);
    } while (judge_death(&supervisor, status, result));
    result->seconds = process_now() - supervisor.start;
}
