/* deadlock_abs.c - `sennit deadlock` for models: analysis, a guided search per cycle, reports
 *
 * Design: the searches for different cycles are independent, so each is a process of its own, with --jobs of them at a
 * time. Their results are in a region.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/search/stage.h"
#include "app/tasks/cyclerun.h"
#include "app/tasks/task.h"
#include "base/mem.h"
#include "deadlock/guided.h"
#include "deadlock/interfering.h"
#include "subject/abs/found_deadlocks.h"
#include "subject/abs/model.h"
#include "subject/abs/model_internal.h"

/* ---- Types ------------------------------------------------------------------------- */

/* The search for one cycle; in the region. */
typedef struct ModelCycleSearch {
    pid_t process;       /* 0: not started                                  */
    bool over;
    GuidedEnd end;
    GuidedStats stats;
    double seconds;
    Bug *bug;            /* the first wanted deadlock                       */
    uint64_t deadlocks;  /* executions with one                             */
    FoundDeadlocks found;/* the same, with --show=all and --tree            */
    GuidedStats all;     /* --compare: guidance without reduction, complete */
    bool all_over;
} ModelCycleSearch;

typedef struct DeadlockRun {
    RunInfo info;
    CycleRun end;
    Stage stage;
    AbsProgram *program;
    Analysis *analysis;
    ModelCycleSearch *searches; /* by cycle; one more for cycles that are not listed */
    uint32_t search_count;
    ModelCycleSearch *everywhere; /* --compare: without guidance                */
    Text bounds;         /* as text                       */
    Text *texts;         /* three per search: line, details, constraints */
} DeadlockRun;

/* ---- One search, in its process ---------------------------------------------------------- */

typedef struct CycleSearchContext {
    DeadlockRun *run;
    ModelCycleSearch *search;
} CycleSearchContext;

/* The finding of the deadlock that the last step closed, or of a task that waits for a condition. */
static const Finding *find_finding(const GuidedDeadlock *deadlock)
{
    const Execution *ex = deadlock->ex;
    BugKind wanted = deadlock->task_count ? BUG_DEADLOCK : BUG_STUCK;
    for (uint32_t i = ex->finding_count; i-- > 0;)
        if (ex->findings[i].kind == wanted && ex->findings[i].position == ex->event_count)
            return &ex->findings[i];
    for (uint32_t i = ex->finding_count; !deadlock->task_count && i-- > 0;)
        if (ex->findings[i].kind == BUG_DEADLOCK)
            return &ex->findings[i]; /* tasks of the cycle also wait for their object */
    return NULL;
}

static void note_deadlock(void *context, AbsProgram *program, const GuidedDeadlock *deadlock)
{
    CycleSearchContext *search = context;
    const Finding *finding = find_finding(deadlock);
    (void)program;
    const Options *options = &search->run->info.options;
    search->search->deadlocks++;
    if (options->show == SHOW_ALL || options->tree != TREE_NONE)
        found_deadlocks_keep(&search->search->found, search->run->stage.region, deadlock->ex);
    if (!finding)
        return;
    Bug *bug = buglist_add_finding(search->run->end.bugs, &search->run->info, deadlock->ex, finding);
    if (!search->search->bug)
        search->search->bug = bug;
}

/* After the listed cycles: one search for all others, if there are too many, and one for conditions. */
static bool is_unlisted(const DeadlockRun *run, uint32_t number)
{
    return number >= run->analysis->cycles->list.count;
}

static bool is_for_conditions(const DeadlockRun *run, uint32_t number)
{
    return number == run->analysis->cycles->list.count + run->analysis->cycles->cut;
}

/* What a search may take: the time per cycle, and what is left of the time for all. 0: no limit. */
static double budget_of(const DeadlockRun *run)
{
    const Options *options = &run->info.options;
    double left = options->max_time - (process_now() - run->end.begin);
    if (options->max_time <= 0 || (options->cycle_time > 0 && options->cycle_time < left))
        return options->cycle_time;
    return left > 0.001 ? left : 0.001;
}

static bool is_time_over(const DeadlockRun *run)
{
    return run->info.options.max_time > 0 && process_now() - run->end.begin > run->info.options.max_time;
}

static void search(DeadlockRun *run, uint32_t number)
{
    const Options *options = &run->info.options;
    const ModelCycle *cycle = is_unlisted(run, number) ? NULL : &run->analysis->cycles->list.items[number];
    CycleSearchContext context = {run, &run->searches[number]};
    GuidedOptions guided = {.cycles = &cycle, .cycle_count = cycle != NULL, .unguided = !cycle,
                            .stuck = is_for_conditions(run, number),
                            .reduce = options->reduction != REDUCTION_NONE,
                            .first = options->search != SEARCH_ALL, .max_agent_steps = (uint32_t)options->max_steps,
                            .seconds = budget_of(run)};
    double begin = process_now();
    context.search->end =
        guided_search(run->program, run->analysis, &guided, note_deadlock, &context, &context.search->stats);
    context.search->seconds = process_now() - begin;
    context.search->over = true;
}

/* ---- Comparing -------------------------------------------------------------------------------- */

static void ignore_deadlock(void *context, AbsProgram *program, const GuidedDeadlock *deadlock)
{
    (void)context;
    (void)program;
    (void)deadlock;
}

/* Measures guidance alone: no reduction, all deadlocks; along a cycle, or without guidance. */
static bool count_states(DeadlockRun *run, const ModelCycle *cycle, GuidedStats *stats)
{
    const Options *options = &run->info.options;
    GuidedOptions guided = {.cycles = &cycle, .cycle_count = cycle != NULL, .unguided = !cycle,
                            .max_agent_steps = (uint32_t)options->max_steps, .seconds = budget_of(run)};
    return guided_search(run->program, run->analysis, &guided, ignore_deadlock, NULL, stats) == GUIDED_COMPLETE;
}

static void compare(DeadlockRun *run, uint32_t number)
{
    bool everywhere = number == run->search_count;
    ModelCycleSearch *search = everywhere ? run->everywhere : &run->searches[number];
    const ModelCycle *cycle =
        everywhere || is_unlisted(run, number) ? NULL : &run->analysis->cycles->list.items[number];
    search->all_over = count_states(run, cycle, &search->all);
}

/* Sequentially, each in a process of its own: only the number of states is of interest. */
static void compare_all(DeadlockRun *run)
{
    for (uint32_t i = 0; i <= run->search_count; i++) {
        pid_t child = process_fork(&run->end.signals);
        if (child == 0) {
            compare(run, i);
            _exit(0);
        }
        if (child > 0)
            waitpid(child, NULL, 0);
    }
}

static void add_states(const GuidedStats *stats, bool over, Text *out)
{
    text_add(out, "%s%llu states with %llu deadlocks", over ? "" : "more than ", (unsigned long long)stats->states,
             (unsigned long long)stats->deadlocked);
}

static void describe_comparison(const DeadlockRun *run, const ModelCycleSearch *search, Text *out)
{
    text_add_string(out, "  without reduction: ");
    add_states(&search->all, search->all_over, out);
    text_add_string(out, " along this cycle, ");
    add_states(&run->everywhere->all, run->everywhere->all_over, out);
    text_add_string(out, " without guidance\n");
}

/* ---- All searches ----------------------------------------------------------------------------- */

static bool start_search(DeadlockRun *run, uint32_t number)
{
    pid_t child = process_fork(&run->end.signals);
    if (child == 0) {
        search(run, number);
        _exit(0);
    }
    run->searches[number].process = child;
    return child > 0;
}

static void stop_searches(DeadlockRun *run)
{
    for (uint32_t i = 0; i < run->search_count; i++)
        if (run->searches[i].process > 0)
            kill(run->searches[i].process, SIGKILL);
}

/* Waits for processes that have ended; answers how many still run. */
static uint32_t collect(DeadlockRun *run)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < run->search_count; i++) {
        ModelCycleSearch *search = &run->searches[i];
        if (search->process > 0 && waitpid(search->process, NULL, WNOHANG) == search->process)
            search->process = -1;
        running += search->process > 0;
    }
    return running;
}

static bool found_one(const DeadlockRun *run)
{
    for (uint32_t i = 0; i < run->search_count; i++)
        if (run->searches[i].over && run->searches[i].bug)
            return true;
    return false;
}

static void search_all(DeadlockRun *run)
{
    uint64_t most = run->info.options.jobs ? run->info.options.jobs : 1;
    uint32_t next = 0, running = 0;
    bool enough = false;
    do {
        running = collect(run);
        enough = run->end.signals.interrupts > 0 || (is_time_over(run) && !running) ||
                 (run->info.options.search == SEARCH_FIRST && found_one(run));
        if (enough)
            stop_searches(run);
        for (; !enough && !is_time_over(run) && next < run->search_count && running < most; next++)
            running += start_search(run, next);
        if (running)
            signals_wait(&run->end.signals, 20);
    } while (running || (!enough && next < run->search_count));
}

/* ---- Views ------------------------------------------------------------------------------------ */

static TracePlace trace_place_of(const DeadlockRun *run, const WaitEdge *wait)
{
    SourcePlace place = analysis_wait_place(run->analysis, wait);
    return (TracePlace){.file = place.file->name, .line = place.line, .column = place.column,
                        .function = run->analysis->points->activations.items[wait->activation]->code->name};
}

static void describe_cycle(DeadlockRun *run, uint32_t number)
{
    CycleView *view = &run->end.cycles[number];
    Text *texts = &run->texts[3 * number];
    if (is_for_conditions(run, number)) {
        view->title = "Conditions";
        analysis_add_conditions(run->analysis, &texts[0], &texts[1]);
        for (uint32_t i = 0; i < run->analysis->graph->conditions.count && i < CYCLE_PLACES; i++)
            view->places[view->place_count++] = trace_place_of(run, &run->analysis->graph->conditions.items[i]);
    } else if (is_unlisted(run, number)) {
        text_add_string(&texts[0], "all other cycles: the model has too many to list");
    } else {
        const ModelCycle *cycle = &run->analysis->cycles->list.items[number];
        analysis_add_cycle(run->analysis, cycle, &texts[0]);
        analysis_add_details(run->analysis, cycle, &texts[1]);
        analysis_add_constraints(run->analysis, cycle, &texts[2]);
        text_add_string(&texts[1], "  relevant initial tasks: ");
        interfering_add_text(run->analysis, cycle, &texts[1]);
        text_add_string(&texts[1], "\n");
        if (run->info.options.compare) {
            describe_comparison(run, &run->searches[number], &texts[1]);
            view->compared = true;
            view->states_guided = run->searches[number].all.states;
            view->states_unguided = run->everywhere->all.states;
        }
        for (uint32_t i = 0; i < cycle->count && i < CYCLE_PLACES; i++)
            view->places[view->place_count++] =
                trace_place_of(run, &run->analysis->graph->waits.items[cycle->steps[i].wait]);
    }
    view->line = text_borrow(&texts[0]);
    view->details = text_borrow(&texts[1]);
    view->constraints = texts[2].length ? texts[2].data : NULL;
    cycleview_name(view);
}

static const char *note_of(const ModelCycleSearch *search)
{
    if (!search->process)
        return NULL;
    if (!search->over)
        return "stopped";
    if (search->end == GUIDED_DIVERGED)
        return "nondeterministic: an execution did not follow its schedule";
    if (search->end == GUIDED_STOPPED)
        return "the model uses an unsupported feature";
    return NULL;
}

static void judge_cycle(DeadlockRun *run, uint32_t number)
{
    const ModelCycleSearch *search = &run->searches[number];
    CycleView *view = &run->end.cycles[number];
    view->note = note_of(search);
    view->bounded = search->stats.bounded > 0;
    view->states = search->stats.states;
    view->executions = search->stats.executions;
    view->pruned = search->stats.pruned;
    view->deadlocks = search->deadlocks;
    view->seconds = search->seconds;
    if (search->bug)
        view->result = CYCLE_CONFIRMED;
    else if (search->over && search->end == GUIDED_COMPLETE)
        view->result = CYCLE_DISCARDED;
    else if (search->process)
        view->result = CYCLE_TIMEOUT;
}

/* ---- Figures ------------------------------------------------------------------------------------- */

/* Did a search that was to find all deadlocks end early? */
static bool was_cut(const DeadlockRun *run)
{
    for (uint32_t i = 0; i < run->search_count; i++)
        if (!run->searches[i].over || run->searches[i].end != GUIDED_COMPLETE)
            return run->info.options.search == SEARCH_ALL;
    return false;
}

static Ending ending_of(const DeadlockRun *run)
{
    for (uint32_t i = 0; i < run->search_count; i++) {
        if (run->searches[i].end == GUIDED_STOPPED)
            return ENDING_REFUSED;
        if (run->searches[i].end == GUIDED_DIVERGED)
            return ENDING_DIVERGED;
    }
    return ENDING_DONE;
}

/* It is not known which bound stopped a task: names all that are set. */
static void add_bounds(DeadlockRun *run, Summary *summary)
{
    const Options *options = &run->info.options;
    const struct { const char *name, *what; uint64_t limit; } bounds[] = {
        {"loop", "iterations of a loop", options->loop}, {"max-steps", "steps per task", options->max_steps},
        {"switches", "task switches per object", options->switches},
        {"max-clock", "units of time", options->max_clock}};
    const char *name = NULL;
    uint64_t limit = 0;
    for (uint32_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (!bounds[i].limit)
            continue;
        text_add(&run->bounds, "%sat most %llu %s", name ? " or " : "", (unsigned long long)bounds[i].limit,
                 bounds[i].what);
        limit = name ? limit : bounds[i].limit;
        name = name ? name : bounds[i].name;
    }
    summary_add_bound(summary, name ? name : "endless-step", (double)limit, summary->stats.cut,
                      name ? run->bounds.data : "steps that seem not to terminate are stopped");
}

static void add_figures(DeadlockRun *run, Summary *summary)
{
    for (uint32_t i = 0; i < run->search_count; i++) {
        const GuidedStats *stats = &run->searches[i].stats;
        summary->stats.executions += stats->executions;
        summary->stats.steps += stats->states;
        summary->stats.redundant += stats->asleep;
        summary->stats.pruned += stats->pruned;
        summary->stats.blocked += run->searches[i].deadlocks;
        summary->stats.cut += stats->bounded;
        if (stats->depth > summary->stats.depth)
            summary->stats.depth = stats->depth;
        if (stats->tasks > summary->stats.agents)
            summary->stats.agents = stats->tasks;
    }
    summary->ending = ending_of(run);
    if (summary->stats.cut)
        add_bounds(run, summary);
}

/* ---- The run ------------------------------------------------------------------------------------- */

/* Can a task wait for resources of a component? */
static bool takes_resources(const Machine *machine)
{
    const Image *image = machine->image;
    for (uint32_t i = 0; image->component && i < image->codes.count; i++)
        for (uint32_t at = 0; at < image->codes.items[i]->count; at++)
            if (image->codes.items[i]->instrs[at].op == INSTR_COST)
                return true;
    return false;
}

/* What the verdict does not cover, or NULL. */
static const char *scope_of(const Machine *machine)
{
    static const char *const scopes[][3] = {
        {NULL, "tasks that wait for resources were not looked at", "costs take no resources"},
        {"schedulers of the model are not applied",
         "schedulers of the model are not applied, and tasks that wait for resources were not looked at",
         "schedulers of the model are not applied, and costs take no resources"}};
    unsigned costs = !takes_resources(machine) ? 0 : machine->options.ignore_resources ? 2 : 1;
    return scopes[machine->image->model->has_schedulers][costs];
}

/* Without a search there is no execution to show. */
static bool check_shown(const Options *options, Error *error)
{
    if (options->search != SEARCH_NONE || (options->show == SHOW_STATES && options->tree == TREE_NONE))
        return true;
    return error_set(error, EXIT_USAGE, "--%s needs --search=first, per-cycle or all: nothing is executed",
                     options->tree != TREE_NONE ? "tree" : "show");
}

static bool open_run(DeadlockRun *run, int argc, char **argv, Error *error)
{
    *run = (DeadlockRun){0};
    bool good = runinfo_init(&run->info, model_subject(), argc, argv, error);
    if (run->info.options.search == SEARCH_AUTO)
        run->info.options.search = SEARCH_NONE;
    good = good && check_shown(&run->info.options, error);
    run->info.options.by_objects = true; /* each cycle has a deadlock of its own */
    if (!good || !stage_open(&run->stage, &run->info, STAGE_SEARCH, false, error) ||
        !cyclerun_open(&run->end, &run->info, error))
        return false;
    run->info.options.diagram = true; /* shows a deadlock best */
    run->program = (AbsProgram *)run->stage.program;
    run->analysis = analysis_create(program_abs_machine(run->program)->image, (uint32_t)run->info.options.context);
    run->end.scope = scope_of(program_abs_machine(run->program));
    run->end.partial = !run->info.options.resources && takes_resources(program_abs_machine(run->program));
    run->search_count = run->end.count = run->analysis->cycles->list.count + run->analysis->cycles->cut +
                                         (run->analysis->graph->conditions.count > 0);
    run->searches = region_alloc(run->stage.region, (run->search_count + 1) * sizeof *run->searches);
    run->everywhere = &run->searches[run->search_count];
    run->end.bugs = buglist_create(run->stage.region);
    run->end.cycles = mem_alloc((run->search_count + 1) * sizeof *run->end.cycles);
    run->end.bug_of = mem_alloc((run->search_count + 1) * sizeof *run->end.bug_of);
    run->texts = mem_alloc((3 * run->search_count + 3) * sizeof *run->texts);
    return true;
}

static void close_run(DeadlockRun *run)
{
    cyclerun_release(&run->end);
    for (uint32_t i = 0; i < 3 * run->search_count; i++)
        text_release(&run->texts[i]);
    text_release(&run->bounds);
    free(run->texts);
    free(run->end.cycles);
    free(run->end.bug_of);
    analysis_destroy(run->analysis);
    runinfo_release(&run->info);
}

static void show_found(DeadlockRun *run, Text *out)
{
    const Options *options = &run->info.options;
    const FoundDeadlocks **found = mem_alloc((run->search_count + 1) * sizeof *found);
    DeadlockShow show = {.program = run->program, .info = &run->info, .style = &run->end.style, .dir = &run->end.dir};
    for (uint32_t i = 0; i < run->search_count; i++)
        found[i] = &run->searches[i].found;
    if (options->show == SHOW_ALL || options->tree != TREE_NONE)
        found_deadlocks_show(&show, found, run->search_count, out);
    run->end.shown = out->length ? text_borrow(out) : NULL;
    free(found);
}

int model_deadlock(int argc, char **argv)
{
    DeadlockRun run;
    Text shown = {0};
    Error error = {.code = EXIT_USAGE};
    if (!open_run(&run, argc, argv, &error))
        return cyclerun_fail(&run.info, &error);
    if (run.info.options.search != SEARCH_NONE)
        search_all(&run);
    if (run.info.options.compare)
        compare_all(&run);
    for (uint32_t i = 0; i < run.search_count; i++) {
        describe_cycle(&run, i);
        judge_cycle(&run, i);
        run.end.bug_of[i] = run.searches[i].bug;
    }
    add_figures(&run, &run.end.summary);
    show_found(&run, &shown);
    run.end.cut = was_cut(&run);
    ExitCode code = cyclerun_conclude(&run.end);
    text_release(&shown);
    close_run(&run);
    fflush(NULL);
    return code;
}
