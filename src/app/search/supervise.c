/* supervise.c - see supervise.h */
#include "app/search/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/run/subject.h"
#include "app/search/crash.h"
#include "base/mem.h"

static const double GRACE = 5; /* seconds that workers have to stop by themselves */
static const double LAST_EXECUTION = 1; /* of these, for the execution they are in */
static const double AFTER_TIME = 0.6; /* instead of both, when the time is up */
static const double CONFIRMING = 0.5; /* seconds of the time limit that are kept for each bug found, */
static const double MOST_CONFIRMING = 0.1; /* up to this part of it */
static const double ALONE = 1; /* seconds that one worker searches before the others start */
enum { TICK = 50, DEATHS_WITHOUT_PROGRESS = 3 };

/* The processes of a worker, one after another. */
typedef struct WorkerProcess {
    pid_t pid;               /* 0: none is running */
    uint64_t peak_kb;
    unsigned idle_deaths;
    uint64_t last_progress;
} WorkerProcess;

typedef struct Supervisor {
    RunSearch *search;
    const RunInfo *info;
    Signals *signals;
    Watcher *watcher;
    Supervision *result;
    double start;
    double stop_time;        /* when the workers were asked to stop, 0: not yet */
    Ending requested;        /* the ending with which they were                 */
    bool alone;              /* only the first worker was started               */
    bool pausing;            /* they were asked to end for a checkpoint         */
    double next_pause;
    WorkerProcess workers[SEARCH_WORKERS];
} Supervisor;

/* ---- Starting and stopping ------------------------------------------------------ */

static void ask_to_stop(Supervisor *supervisor, Ending ending)
{
    if (supervisor->stop_time > 0)
        return;
    supervisor->stop_time = process_now();
    supervisor->requested = ending;
    search_stop(supervisor->search, ending);
}

/* An execution may run forever. After the last one the worker suspends its work, which is worth waiting for. */
static bool is_overdue(const Supervisor *supervisor, uint32_t worker)
{
    double grace = supervisor->requested == ENDING_TIME                ? AFTER_TIME
                   : search_in_execution(supervisor->search, worker) ? LAST_EXECUTION
                                                                     : GRACE;
    return supervisor->stop_time > 0 && process_now() - supervisor->stop_time > grace;
}

static void end_with(Supervisor *supervisor, Ending ending)
{
    if (supervisor->result->ending == ENDING_DONE)
        supervisor->result->ending = ending;
    ask_to_stop(supervisor, ending);
}

/* If memory runs out, the system is to end a worker, not the process that can report it. */
static void offer_to_the_system(void)
{
    int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    ssize_t written = write(fd, "500", 3);
    (void)written; /* not everywhere permitted */
    close(fd);
}

static void start_worker(Supervisor *supervisor, uint32_t number)
{
    search_starts(supervisor->search, number);
    pid_t pid = process_fork(supervisor->signals);
    if (pid == 0) {
        mem_exit_quietly();
        offer_to_the_system();
        search_work(supervisor->search, number);
        _exit(0);
    }
    supervisor->workers[number].pid = pid > 0 ? pid : 0;
    if (pid < 0) {
        snprintf(supervisor->result->note, sizeof supervisor->result->note, "cannot start a process: %s",
                 strerror(errno));
        end_with(supervisor, ENDING_FAILED);
    }
}

/* ---- After a process ended --------------------------------------------------------- */

static bool makes_progress(Supervisor *supervisor, WorkerProcess *worker)
{
    ExploreStats stats = search_stats(supervisor->search);
    uint64_t progress = stats.executions + stats.crashed + stats.redundant + stats.probes;
    progress += search_samples(supervisor->search);
    if (progress != worker->last_progress)
        worker->idle_deaths = 0;
    worker->last_progress = progress;
    return ++worker->idle_deaths <= DEATHS_WITHOUT_PROGRESS;
}

/* Only the system or a user sends this signal, at any moment. */
static bool was_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

static void give_up(Supervisor *supervisor, int status)
{
    Supervision *result = supervisor->result;
    result->killed = was_killed(status);
    if (WIFSIGNALED(status))
        snprintf(result->note, sizeof result->note,
                 "worker processes are repeatedly killed by signal %d (%s) without making progress%s",
                 WTERMSIG(status), strsignal(WTERMSIG(status)),
                 was_killed(status) ? "; has the memory run out? Use --jobs=1, a bound or --max-time" : "");
    else
        snprintf(result->note, sizeof result->note,
                 "worker processes repeatedly exit with status %d without making progress", WEXITSTATUS(status));
    end_with(supervisor, ENDING_FAILED);
}

static void give_up_exhausted(Supervisor *supervisor)
{
    snprintf(supervisor->result->note, sizeof supervisor->result->note,
             "out of memory: use fewer workers (--jobs=1), a bound (--unroll, --max-inputs, --max-steps) or a budget "
             "(--max-time), or allow more memory (ulimit -v)");
    end_with(supervisor, ENDING_FAILED);
}

static void give_up_killed(Supervisor *supervisor)
{
    supervisor->result->killed = true;
    snprintf(supervisor->result->note, sizeof supervisor->result->note,
             "a worker process was killed (signal %d) while it was updating shared data", SIGKILL);
    end_with(supervisor, ENDING_FAILED);
}

/* Starts the next process of the worker if it has more to do. */
static void follow_up(Supervisor *supervisor, uint32_t number, int status)
{
    WorkerProcess *worker = &supervisor->workers[number];
    worker->pid = 0;
    if (search_ended(supervisor->search, number) || supervisor->result->ending != ENDING_DONE)
        return;
    if (supervisor->info->subject->refuses && supervisor->info->subject->refuses(status)) {
        end_with(supervisor, ENDING_REFUSED);
        return;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == MEM_EXIT_EXHAUSTED) {
        give_up_exhausted(supervisor);
        return;
    }
    if (is_overdue(supervisor, number)) {
        end_with(supervisor, supervisor->requested);
        return;
    }
    if (was_killed(status) && !search_restart(supervisor->search, number)) {
        give_up_killed(supervisor);
        return;
    }
    if (!was_killed(status))
        crash_note(search_execution(supervisor->search, number), status);
    if (makes_progress(supervisor, worker))
        start_worker(supervisor, number);
    else
        give_up(supervisor, status);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static void collect_worker(Supervisor *supervisor, uint32_t number)
{
    WorkerProcess *worker = &supervisor->workers[number];
    struct rusage used = {0};
    int status = 0;
    if (!worker->pid || wait4(worker->pid, &status, WNOHANG, &used) == 0)
        return;
    supervisor->result->cpu_seconds += seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
    if ((uint64_t)used.ru_maxrss > worker->peak_kb)
        worker->peak_kb = (uint64_t)used.ru_maxrss;
    follow_up(supervisor, number, status);
}

/* ---- The loop ------------------------------------------------------------------------ */

static bool collect_workers(Supervisor *supervisor)
{
    bool running = false;
    for (uint32_t i = 0; i < search_workers(supervisor->search); i++) {
        collect_worker(supervisor, i);
        running |= supervisor->workers[i].pid != 0;
    }
    return running;
}

/* A short search is over before several workers have something to share, and with one worker it is
 * reproducible. Without --jobs, the others start when it takes longer. */
static bool one_at_first(const Supervisor *supervisor)
{
    return supervisor->info->options.jobs == 0 && process_now() - supervisor->start < ALONE;
}

static void start_workers(Supervisor *supervisor)
{
    supervisor->alone = one_at_first(supervisor);
    for (uint32_t i = 0; i < (supervisor->alone ? 1 : search_workers(supervisor->search)); i++)
        start_worker(supervisor, i);
}

static void start_others(Supervisor *supervisor)
{
    supervisor->alone = false;
    for (uint32_t i = 1; i < search_workers(supervisor->search); i++)
        start_worker(supervisor, i);
}

/* When the search has to end, so that the bugs it has found can be confirmed in time. */
static double time_limit(const Supervisor *supervisor)
{
    double limit = supervisor->info->options.max_time;
    double kept = CONFIRMING * buglist_count(search_bugs(supervisor->search));
    return limit - (kept < limit * MOST_CONFIRMING ? kept : limit * MOST_CONFIRMING);
}

static void look_after(Supervisor *supervisor)
{
    double seconds = process_now() - supervisor->start, limit = time_limit(supervisor);
    if (supervisor->signals->interrupts > 0)
        ask_to_stop(supervisor, ENDING_INTERRUPTED);
    if (limit > 0 && seconds >= limit)
        ask_to_stop(supervisor, ENDING_TIME);
    if (supervisor->alone && !supervisor->pausing && !search_is_over(supervisor->search) && !one_at_first(supervisor))
        start_others(supervisor);
    if (!supervisor->pausing && seconds >= supervisor->next_pause && search_can_suspend(supervisor->search)) {
        supervisor->pausing = true;
        search_pause(supervisor->search);
    }
    for (uint32_t i = 0; i < search_workers(supervisor->search); i++)
        if (supervisor->workers[i].pid && is_overdue(supervisor, i))
            kill(supervisor->workers[i].pid, SIGKILL);
    supervisor->watcher->watch(supervisor->watcher, seconds);
}

static void plan_pause(Supervisor *supervisor)
{
    double interval = supervisor->info->options.checkpoint;
    supervisor->next_pause = interval > 0 ? process_now() - supervisor->start + interval : 1e300;
}

/* After all workers have ended. True if they did so only for a checkpoint; they are started again. */
static bool was_pause(Supervisor *supervisor)
{
    if (!supervisor->pausing || search_is_over(supervisor->search) || supervisor->result->ending != ENDING_DONE)
        return false;
    supervisor->watcher->paused(supervisor->watcher, process_now() - supervisor->start);
    supervisor->pausing = false;
    plan_pause(supervisor);
    search_continue(supervisor->search);
    start_workers(supervisor);
    return true;
}

void supervise_search(RunSearch *search, const RunInfo *info, Signals *signals, Watcher *watcher, Supervision *result)
{
    Supervisor supervisor = {.search = search, .info = info, .signals = signals, .watcher = watcher,
                             .result = result, .start = process_now()};
    *result = (Supervision){.ending = ENDING_DONE};
    plan_pause(&supervisor);
    start_workers(&supervisor);
    while (collect_workers(&supervisor) || was_pause(&supervisor)) {
        signals_wait(signals, TICK);
        look_after(&supervisor);
    }
    for (uint32_t i = 0; i < search_workers(search); i++)
        result->peak_kb += supervisor.workers[i].peak_kb;
    result->seconds = process_now() - supervisor.start;
}
