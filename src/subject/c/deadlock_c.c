/* deadlock_c.c - `sennit deadlock` for C programs: candidate cycles from the code and from a few
 * executions, a directed search for each, then all schedules for the undecided ones
 *
 * The program runs in processes of its own, which may die in it. What they learn is in a region.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/search/stage.h"
#include "app/search/supervise.h"
#include "app/tasks/cyclerun.h"
#include "app/tasks/task.h"
#include "base/mem.h"
#include "subject/c/deadlock_view.h"
#include "subject/c/director.h"
#include "subject/c/lockpairs.h"
#include "subject/c/subject_c.h"
#include "subject/c/summary_c.h"

static const double GRACE = 0.6; /* seconds that a process has after its time limit */
enum { RUNS = 20, SHOWN_RUNS = 40, ATTEMPTS = 200, CANDIDATES = 2 * LOCKORDER_CYCLES + 16, POOL = 64 };

/* ---- Types --------------------------------------------------------------------------- */

/* What all processes share; in the region. */
typedef struct Shared {
    LockOrder order;
    LockPairs pairs;             /* for the report                             */
    CycleSearch searches[CANDIDATES]; /* by candidate                          */
    _Atomic uint64_t executions, steps; /* of all but the search of all schedules */
    uint32_t depth, threads;
    double first;                /* seconds until the first deadlock; 0: none  */
    uint64_t first_execution;
    bool bounded;
    bool races;                  /* some execution had a data race             */
} Shared;

typedef struct CRun {
    RunInfo *info;
    char *options;               /* the text of SENNIT_OPTIONS                 */
    CycleRun end;
    Stage stage;
    Shared *shared;
    CycleCandidates cycles;
    ExploreStats explored;       /* by the search of all schedules             */
    bool exhausted;              /* which was complete                         */
    bool exploring;
} CRun;

/* ---- Executions ------------------------------------------------------------------------- */

static void note_first(CRun *run)
{
    if (run->shared->first != 0)
        return;
    run->shared->first = process_now() - run->end.begin;
    run->shared->first_execution = run->shared->executions;
}

/* A deadlock belongs to the candidates with exactly its waits; if there are none, to those whose waits are
 * among its waits. */
static void attach(CRun *run, const Execution *ex, const Finding *finding, Bug *bug)
{
    for (int loosely = 0; loosely < 2; loosely++) {
        bool found = false;
        for (uint32_t c = 0; c < run->cycles.list.count && c < CANDIDATES; c++) {
            bool exactly = false;
            if (!candidate_matches(&run->cycles, &run->cycles.list.items[c], ex, finding, &exactly) ||
                !(exactly || loosely))
                continue;
            found = true;
            if (run->shared->searches[c].bug)
                continue;
            run->shared->searches[c].borrowed = bug->seen > 1;
            run->shared->searches[c].bug = bug;
        }
        if (found)
            return;
    }
}

static void keep_findings(CRun *run, const Execution *ex)
{
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        const Finding *finding = &ex->findings[i];
        run->shared->races |= finding->kind == BUG_DATA_RACE;
        if (finding->kind != BUG_DEADLOCK && finding->kind != BUG_LIVELOCK)
            continue;
        note_first(run);
        Bug *bug = buglist_add_finding(run->end.bugs, run->info, ex, finding);
        if (bug)
            attach(run, ex, finding, bug);
    }
}

static void run_once(CRun *run, Execution *ex, Picker *picker)
{
    Shared *shared = run->shared;
    execution_reset(ex);
    ex->plan_length = 0;
    ex->picker = picker;
    run->stage.program->ops->run(run->stage.program, ex);
    shared->executions++;
    shared->steps += ex->event_count;
    shared->bounded |= execution_is_cut(ex);
    if (shared->executions <= SHOWN_RUNS)
        lockpairs_add(&shared->pairs, ex);
    if (ex->event_count > shared->depth)
        shared->depth = ex->event_count;
    if (ex->agent_count > shared->threads)
        shared->threads = ex->agent_count;
}

static Execution *new_execution(CRun *run)
{
    Execution *ex = execution_create(run->stage.program);
    ex->max_agent_steps = (uint32_t)run->info->options.max_steps;
    return ex;
}

/* ---- Phases, each in a process of its own ----------------------------------------------------------------- */

static void record_orders(CRun *run, uint32_t unused)
{
    Execution *ex = new_execution(run);
    Director random;
    double begin = process_now();
    (void)unused;
    director_init(&random, run->stage.program, &run->cycles, NULL, run->info->options.seed);
    for (uint32_t i = 0; i < RUNS && process_now() - begin <= run->info->options.cycle_time; i++) {
        random.random = i > 0;
        run_once(run, ex, &random.picker);
        lockorder_add(&run->shared->order, ex);
        keep_findings(run, ex);
    }
    lockorder_find_cycles(&run->shared->order);
}

static void search_directed(CRun *run, uint32_t number)
{
    Execution *ex = new_execution(run);
    Director director;
    CycleSearch *mine = &run->shared->searches[number];
    double begin = process_now();
    director_init(&director, run->stage.program, &run->cycles, &run->cycles.list.items[number],
                  run->info->options.seed);
    for (uint32_t i = 0; i < ATTEMPTS && !mine->bug; i++) {
        director.random = i > 0;
        mine->executions++;
        run_once(run, ex, &director.picker);
        keep_findings(run, ex);
        mine->steps += ex->event_count;
        mine->seconds = process_now() - begin;
        if (mine->seconds > run->info->options.cycle_time)
            break;
    }
}

/* ---- Processes --------------------------------------------------------------------------------------- */

static bool is_enough(const CRun *run)
{
    bool first = run->info->options.search == SEARCH_FIRST && buglist_count(run->end.bugs) > 0;
    return first || run->end.signals.interrupts > 0;
}

static bool is_open(const CRun *run, uint32_t number)
{
    return run->cycles.list.items[number].state == LOCKCYCLE_OPEN && !run->shared->searches[number].bug;
}

static uint32_t count_open(const CRun *run)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < run->cycles.list.count; i++)
        count += is_open(run, i);
    return count;
}

typedef struct Child {
    pid_t pid;
    double deadline;
} Child;

typedef void Phase(CRun *run, uint32_t number);

static pid_t start_phase(CRun *run, Phase *phase, uint32_t number)
{
    pid_t pid = process_fork(&run->end.signals);
    if (pid == 0) {
        phase(run, number);
        _exit(0);
    }
    return pid;
}

/* The number of children that still run. Kills those that have reached their time limit, or all if their
 * results are no longer needed. */
static uint32_t collect(CRun *run, Child *children, uint32_t count)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < count; i++) {
        int status;
        if (children[i].pid > 0 && waitpid(children[i].pid, &status, WNOHANG) != 0)
            children[i].pid = 0;
        if (children[i].pid > 0 && (is_enough(run) || process_now() > children[i].deadline))
            kill(children[i].pid, SIGKILL);
        running += children[i].pid > 0;
    }
    return running;
}

static uint32_t count_workers(const CRun *run)
{
    uint64_t wanted = run->info->options.jobs ? run->info->options.jobs : process_count_cores();
    return wanted < POOL ? (uint32_t)wanted : POOL;
}

static void start_in(CRun *run, Child *children, uint32_t workers, Phase *phase, uint32_t number)
{
    uint32_t slot = 0;
    while (slot < workers && children[slot].pid > 0)
        slot++;
    children[slot] = (Child){start_phase(run, phase, number), process_now() + run->info->options.cycle_time + GRACE};
}

static void run_apart(CRun *run, Phase *phase, uint32_t number)
{
    Child child = {0};
    start_in(run, &child, 1, phase, number);
    while (collect(run, &child, 1))
        signals_wait(&run->end.signals, 5);
}

/* Directed searches for all undecided candidates from `first` on, as many in parallel as there are workers. */
static void search_candidates(CRun *run, uint32_t first)
{
    Child children[POOL] = {0};
    uint32_t workers = count_workers(run), running = 0;
    for (uint32_t i = first; i < run->cycles.list.count && !is_enough(run); i++) {
        if (!is_open(run, i))
            continue;
        start_in(run, children, workers, search_directed, i);
        while ((running = collect(run, children, workers)) == workers)
            signals_wait(&run->end.signals, 5);
    }
    do {
        running = collect(run, children, workers);
        if (running)
            signals_wait(&run->end.signals, 5);
    } while (running);
}

/* ---- All schedules ------------------------------------------------------------------------------------ */

/* The record of this search is the run itself. */
static Ending note_execution(SearchRecord *record, const Execution *ex, ExecutionTag tag)
{
    (void)tag;
    CRun *run = (CRun *)record;
    keep_findings(run, ex);
    bool all = run->info->options.search == SEARCH_ALL;
    bool done = !all && buglist_count(run->end.bugs) && (run->info->options.search == SEARCH_FIRST || !count_open(run));
    return done ? ENDING_ENOUGH : ENDING_DONE;
}

static void watch(Watcher *self, double seconds)
{
    (void)self;
    (void)seconds;
}

static void explore_all(CRun *run)
{
    uint32_t open = count_open(run);
    RunInfo info = *run->info;
    Subject subject = *info.subject;
    Watcher watcher = {.watch = watch, .paused = watch};
    Supervision supervision;
    run->exploring = true;
    subject.record_execution = note_execution;
    subject.record_forget = NULL;
    info.subject = &subject;
    info.options.keep_going = true;
    info.options.checkpoint = 0;
    info.options.max_time = info.options.cycle_time * (open ? open : 1);
    RunSearch *search = search_create(run->stage.region, run->stage.program, &info);
    if (!search)
        return;
    search_keep_record(search, (SearchRecord *)run);
    supervise_search(search, &info, &run->end.signals, &watcher, &supervision);
    Summary summary = {0};
    search_summarise(search, &summary);
    run->explored = search_stats(search);
    run->exhausted = supervision.ending == ENDING_DONE && summary.ending == ENDING_DONE;
    run->shared->bounded |= run->explored.cut || run->explored.crashed || run->explored.assumed;
}

/* Do the cycles found in the code show every deadlock? */
static bool is_proved(const CRun *run)
{
    return candidates_are_complete(&run->cycles) && !run->cycles.other_waits && !run->shared->order.other_waits;
}

/* Candidates from the code come first: the first deadlock may be one execution away. */
static void search(CRun *run)
{
    search_candidates(run, 0);
    if (is_enough(run))
        return;
    uint32_t known = run->cycles.list.count;
    run_apart(run, record_orders, 0);
    candidates_add_runs(&run->cycles, &run->shared->order);
    search_candidates(run, known);
    bool nothing = !is_proved(run) && !buglist_count(run->end.bugs);
    if (!is_enough(run) && (count_open(run) || nothing || run->info->options.search == SEARCH_ALL))
        explore_all(run);
}

/* ---- The end ------------------------------------------------------------------------------------------ */

static void judge_cycle(CRun *run, uint32_t number)
{
    const CycleCandidate *cycle = &run->cycles.list.items[number];
    const CycleSearch *search_of = &run->shared->searches[number];
    CycleView *view = &run->end.cycles[number];
    view->bounded = run->shared->bounded;
    run->end.bug_of[number] = search_of->bug;
    if (search_of->bug)
        view->result = CYCLE_CONFIRMED;
    else if (cycle->state != LOCKCYCLE_OPEN || run->exhausted)
        view->result = CYCLE_DISCARDED;
    else
        view->result = is_enough(run) || run->info->options.search == SEARCH_NONE ? CYCLE_UNCHECKED : CYCLE_TIMEOUT;
    deadlockview_fill(view, cycle, search_of);
}

static void fill_summary(CRun *run)
{
    Summary *summary = &run->end.summary;
    const Shared *shared = run->shared;
    Text orders = {0};
    summary->stats = run->explored;
    summary->stats.executions += shared->executions;
    summary->stats.steps += shared->steps;
    if (shared->depth > summary->stats.depth)
        summary->stats.depth = shared->depth;
    if (shared->threads > summary->stats.agents)
        summary->stats.agents = shared->threads;
    bool all = run->info->options.search == SEARCH_ALL;
    run->end.cut = run->exploring && !run->exhausted && (all || !buglist_count(run->end.bugs));
    if (run->info->options.search == SEARCH_NONE)
        run->end.cut = !is_proved(run);
    if (shared->bounded)
        summary_add_bound(summary, "max-steps", (double)run->info->options.max_steps, 1, "threads stopped by a bound");
    run->cycles.other_waits |= shared->order.other_waits;
    lockpairs_write_json(&shared->pairs, run->stage.program, &orders);
    summary_add_part(summary, "lock_orders", &orders);
    summary_c_add_unseen(run->stage.program, summary);
}

/* ---- The task -------------------------------------------------------------------------------------------- */

static bool open_run(CRun *run, RunInfo *info, Error *error)
{
    const char *options = getenv("SENNIT_OPTIONS");
    *run = (CRun){.info = info, .options = mem_copy_string(options ? options : "")};
    if (!stage_open(&run->stage, info, STAGE_SEARCH, false, error))
        return false;
    run->cycles.program = run->stage.program;
    if (*info->options.locks && !candidates_read(&run->cycles, run->stage.program, info->options.locks, error))
        return false;
    if (!cyclerun_open(&run->end, info, error))
        return false;
    run->shared = region_alloc(run->stage.region, sizeof *run->shared);
    run->end.bugs = buglist_create(run->stage.region);
    return true;
}

/* Once a deadlock is found, what the search left out matters little. */
static DeadlockScope scope_of(const CRun *run)
{
    if (buglist_count(run->end.bugs))
        return SCOPE_BUG;
    return !run->exploring ? SCOPE_CODE : run->exhausted ? SCOPE_EXPLORED : SCOPE_CUT;
}

static ExitCode conclude(CRun *run)
{
    CycleRun *end = &run->end;
    Text scope = {0};
    end->count = run->cycles.list.count < CANDIDATES ? run->cycles.list.count : CANDIDATES;
    end->cycles = mem_alloc((end->count + 1) * sizeof *end->cycles);
    end->bug_of = mem_alloc((end->count + 1) * sizeof *end->bug_of);
    for (uint32_t i = 0; i < end->count; i++)
        judge_cycle(run, i);
    fill_summary(run);
    end->for_all = deadlockview_is_for_all(&run->cycles, scope_of(run));
    deadlockview_write_scope(&run->cycles, scope_of(run), &scope);
    end->scope = scope.length ? scope.data : NULL;
    ExitCode code = cyclerun_conclude(end);
    if (run->shared->first > 0 && run->info->options.verbose)
        options_say(&run->info->options, "first deadlock after %.1f ms, in execution %llu", 1000 * run->shared->first,
                    (unsigned long long)run->shared->first_execution);
    for (uint32_t i = 0; i < end->count; i++)
        deadlockview_release(&end->cycles[i]);
    text_release(&scope);
    return code;
}

/* The outcomes of data races are explored only if plain accesses are steps: starts again that way. Returns only
 * if that is not possible. */
static void restart_visible(CRun *run)
{
    Text options = {0};
    if (!run->info->options.quiet)
        options_say(&run->info->options, "the program has data races: plain accesses become steps");
    text_add(&options, "%s --plain=visible", run->options);
    setenv("SENNIT_OPTIONS", options.data, 1);
    fflush(NULL);
    execv(run->info->program, run->info->argv);
    text_release(&options);
}

static bool needs_more(const CRun *run)
{
    return run->shared->races && run->info->options.plain != PLAIN_VISIBLE && run->exploring && !is_enough(run) &&
           (count_open(run) || !buglist_count(run->end.bugs) || run->info->options.search == SEARCH_ALL);
}

int task_deadlock(RunInfo *info)
{
    CRun run;
    Error error = {.code = EXIT_USAGE};
    if (!open_run(&run, info, &error))
        return cyclerun_fail(info, &error);
    if (info->options.search == SEARCH_AUTO)
        info->options.search = SEARCH_PER_CYCLE;
    if (info->options.search != SEARCH_NONE)
        search(&run);
    if (needs_more(&run))
        restart_visible(&run);
    ExitCode code = conclude(&run);
    cyclerun_release(&run.end);
    candidates_release(&run.cycles);
    free(run.end.cycles);
    free(run.end.bug_of);
    free(run.options);
    return code;
}
