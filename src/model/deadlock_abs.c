/* deadlock_abs.c - `sennit deadlock` for models: analysis, a guided search per cycle, reports
 *
 * Design: the searches of different cycles have nothing to do with each other, so each is a
 * process of its own, as many at a time as there are jobs. What they find is in a region.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/confirm.h"
#include "app/stage.h"
#include "app/task.h"
#include "base/mem.h"
#include "deadlock/guided.h"
#include "deadlock/interfering.h"
#include "model/model.h"
#include "model/model_internal.h"
#include "report/cycleview.h"
#include "report/report_json.h"
#include "report/report_text.h"

/* ---- Types ------------------------------------------------------------------------- */

/* The search for one cycle; in the region. */
typedef struct Hunt {
    pid_t process;       /* 0: not begun                                       */
    bool over;
    GuidedEnd end;
    GuidedStats stats;
    double seconds;
    Bug *bug;            /* the first wanted deadlock                          */
    uint64_t deadlocks;  /* executions with one                                */
} Hunt;

typedef struct DeadlockRun {
    RunInfo info;
    Stage stage;
    AbsProgram *program;
    Analysis *analysis;
    Signals signals;
    Style style;
    RunDir dir;
    Hunt *hunts;         /* by cycle; one more for cycles that are not listed   */
    uint32_t hunt_count;
    BugList *bugs;
    CycleView *cycles;   /* one per hunt                                        */
    Text *texts;         /* four per hunt: line, details, trace, report         */
    Text *json;          /* by bug                                              */
    Confirmation *confirmed; /* by bug                                          */
    uint32_t confirmations, unconfirmed;
    double begin;
} DeadlockRun;

/* ---- One hunt, in its process ---------------------------------------------------------- */

typedef struct HuntContext {
    DeadlockRun *run;
    Hunt *hunt;
} HuntContext;

/* The finding of the deadlock that the last step closed. */
static const Finding *find_finding(const GuidedDeadlock *deadlock)
{
    const Execution *ex = deadlock->ex;
    for (uint32_t i = ex->finding_count; i-- > 0;)
        if (ex->findings[i].kind == BUG_DEADLOCK && ex->findings[i].position == ex->event_count)
            return &ex->findings[i];
    return NULL;
}

static void note_deadlock(void *context, AbsProgram *program, const GuidedDeadlock *deadlock)
{
    HuntContext *hunt = context;
    const Finding *finding = find_finding(deadlock);
    (void)program;
    hunt->hunt->deadlocks++;
    if (!finding)
        return;
    Bug *bug = buglist_add_finding(hunt->run->bugs, &hunt->run->info, deadlock->ex, finding);
    if (!hunt->hunt->bug)
        hunt->hunt->bug = bug;
}

static bool is_unlisted(const DeadlockRun *run, uint32_t number)
{
    return number == run->analysis->cycles->list.count;
}

static void hunt(DeadlockRun *run, uint32_t number)
{
    const Options *options = &run->info.options;
    const Cycle *cycle = is_unlisted(run, number) ? NULL : &run->analysis->cycles->list.items[number];
    HuntContext context = {run, &run->hunts[number]};
    GuidedOptions guided = {.cycles = &cycle, .cycle_count = cycle != NULL, .unguided = !cycle, .reduce = true,
                            .first = options->search != SEARCH_ALL, .max_agent_steps = (uint32_t)options->max_steps,
                            .seconds = options->cycle_time};
    double begin = process_now();
    context.hunt->end = guided_search(run->program, run->analysis, &guided, note_deadlock, &context, &context.hunt->stats);
    context.hunt->seconds = process_now() - begin;
    context.hunt->over = true;
}

/* ---- All hunts ----------------------------------------------------------------------------- */

static bool start_hunt(DeadlockRun *run, uint32_t number)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        process_become_child(&run->signals);
        hunt(run, number);
        _exit(0);
    }
    run->hunts[number].process = child;
    return child > 0;
}

static void stop_hunts(DeadlockRun *run)
{
    for (uint32_t i = 0; i < run->hunt_count; i++)
        if (run->hunts[i].process > 0)
            kill(run->hunts[i].process, SIGKILL);
}

/* Takes the processes that ended off the list; answers how many still run. */
static uint32_t collect(DeadlockRun *run)
{
    uint32_t running = 0;
    for (uint32_t i = 0; i < run->hunt_count; i++) {
        Hunt *hunt = &run->hunts[i];
        if (hunt->process > 0 && waitpid(hunt->process, NULL, WNOHANG) == hunt->process)
            hunt->process = -1;
        running += hunt->process > 0;
    }
    return running;
}

static bool found_one(const DeadlockRun *run)
{
    for (uint32_t i = 0; i < run->hunt_count; i++)
        if (run->hunts[i].over && run->hunts[i].bug)
            return true;
    return false;
}

static void hunt_all(DeadlockRun *run)
{
    uint64_t most = run->info.options.jobs ? run->info.options.jobs : 1;
    uint32_t next = 0, running = 0;
    bool enough = false;
    do {
        running = collect(run);
        enough = run->signals.interrupts > 0 || (run->info.options.search == SEARCH_FIRST && found_one(run));
        if (enough)
            stop_hunts(run);
        for (; !enough && next < run->hunt_count && running < most; next++)
            running += start_hunt(run, next);
        if (running)
            signals_wait(&run->signals, 20);
    } while (running || (!enough && next < run->hunt_count));
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
    CycleView *view = &run->cycles[number];
    Text *texts = &run->texts[4 * number];
    if (is_unlisted(run, number)) {
        text_add_string(&texts[0], "any other cycle: the model has too many to list them");
    } else {
        const Cycle *cycle = &run->analysis->cycles->list.items[number];
        analysis_add_cycle(run->analysis, cycle, &texts[0]);
        analysis_add_details(run->analysis, cycle, &texts[1]);
        if (run->style.verbose) {
            text_add_string(&texts[1], "  what a deadlock along it needs:\n");
            analysis_add_constraints(run->analysis, cycle, &texts[1]);
        }
        text_add_string(&texts[1], "  initial tasks that matter: ");
        interfering_add_text(run->analysis, cycle, &texts[1]);
        text_add_string(&texts[1], "\n");
        for (uint32_t i = 0; i < cycle->count && i < CYCLE_PLACES; i++)
            view->places[view->place_count++] =
                trace_place_of(run, &run->analysis->graph->waits.items[cycle->steps[i].wait]);
    }
    view->line = text_borrow(&texts[0]);
    view->details = text_borrow(&texts[1]);
    cycleview_name(view);
}

static const char *note_of(const Hunt *hunt)
{
    if (!hunt->process)
        return NULL;
    if (!hunt->over)
        return "stopped";
    if (hunt->end == GUIDED_DIVERGED)
        return "the model did not follow a schedule";
    if (hunt->end == GUIDED_STOPPED)
        return "the model uses what is not modelled";
    return NULL;
}

static void judge_cycle(DeadlockRun *run, uint32_t number)
{
    const Hunt *hunt = &run->hunts[number];
    CycleView *view = &run->cycles[number];
    view->note = note_of(hunt);
    view->bounded = hunt->stats.bounded > 0;
    view->states = hunt->stats.states;
    view->executions = hunt->stats.executions;
    view->pruned = hunt->stats.pruned;
    view->deadlocks = hunt->deadlocks;
    view->seconds = hunt->seconds;
    if (hunt->bug)
        view->result = CYCLE_CONFIRMED;
    else if (hunt->over && hunt->end == GUIDED_COMPLETE)
        view->result = CYCLE_DISCARDED;
    else if (hunt->process)
        view->result = CYCLE_TIMEOUT;
}

/* ---- Deadlocks found ------------------------------------------------------------------------------ */

static void add_plain(const Text *report, Text *plain)
{
    for (const char *c = text_borrow(report); *c;) {
        if (*c == '\033')
            c += strcspn(c, "m") + 1;
        else
            text_add_bytes(plain, c++, 1);
    }
}

static void save_bug(DeadlockRun *run, const Bug *bug, const Confirmation *result)
{
    Text name = {0}, plain = {0};
    text_add(&name, "bugs/%s-%s.trace", bug->kind, bug->id);
    rundir_write(&run->dir, name.data, &result->trace);
    text_reset(&name);
    text_add(&name, "bugs/%s-%s.txt", bug->kind, bug->id);
    add_plain(&result->report, &plain);
    rundir_write(&run->dir, name.data, &plain);
    text_release(&name);
    text_release(&plain);
}

static void confirm_bugs(DeadlockRun *run)
{
    uint32_t count = buglist_count(run->bugs);
    run->json = mem_alloc((count + 1) * sizeof *run->json);
    run->confirmed = mem_alloc((count + 1) * sizeof *run->confirmed);
    for (uint32_t i = 0; i < count; i++) {
        const Bug *bug = &run->bugs->bugs[i];
        Confirmation *result = &run->confirmed[i];
        Text shown = {0};
        if (run->dir.path && !run->dir.failed)
            text_add(&shown, "%s/bugs/%s-%s.trace", run->dir.shown, bug->kind, bug->id);
        confirm_bug(&run->info, bug, shown.length ? shown.data : NULL, &run->style, &run->signals, false, result);
        save_bug(run, bug, result);
        text_add_bytes(&run->json[i], text_borrow(&result->json), result->json.length);
        run->unconfirmed += !result->confirmed;
        run->confirmations++;
        text_release(&shown);
    }
}

static void attach_bugs(DeadlockRun *run)
{
    for (uint32_t i = 0; i < run->hunt_count; i++) {
        const Bug *bug = run->hunts[i].bug;
        Text *texts = &run->texts[4 * i];
        if (!bug)
            continue;
        text_add(&texts[2], "bugs/%s-%s.trace", bug->kind, bug->id);
        text_add_string(&texts[3], text_borrow(&run->confirmed[bug - run->bugs->bugs].report));
        run->cycles[i].trace = text_borrow(&texts[2]);
        run->cycles[i].report = text_borrow(&texts[3]);
    }
}

/* ---- The verdict -------------------------------------------------------------------------------------- */

static void write_sentence(const DeadlockRun *run, bool bounded, Text *out)
{
    uint32_t count = run->hunt_count;
    if (count == 0) {
        text_add_string(out, "free of deadlock: the analysis finds no cycle");
        return;
    }
    uint32_t confirmed = cycleview_count(run->cycles, count, CYCLE_CONFIRMED);
    uint32_t discarded = cycleview_count(run->cycles, count, CYCLE_DISCARDED);
    text_add_string(out, confirmed ? "deadlock" : discarded == count ? "free of deadlock" : "may deadlock");
    if (!confirmed && discarded == count && bounded)
        text_add_string(out, " within the bounds");
    text_add(out, ": %u cycle%s, ", count, count == 1 ? "" : "s");
    cycleview_write_counts(run->cycles, count, out);
}

static Ending ending_of(const DeadlockRun *run, uint32_t open)
{
    for (uint32_t i = 0; i < run->hunt_count; i++) {
        if (run->hunts[i].end == GUIDED_STOPPED)
            return ENDING_REFUSED;
        if (run->hunts[i].end == GUIDED_DIVERGED)
            return ENDING_DIVERGED;
    }
    return run->signals.interrupts ? ENDING_INTERRUPTED : open ? ENDING_TIME : ENDING_DONE;
}

static void add_figures(const DeadlockRun *run, Summary *summary)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    for (uint32_t i = 0; i < run->hunt_count; i++) {
        const GuidedStats *stats = &run->hunts[i].stats;
        summary->stats.executions += stats->executions;
        summary->stats.steps += stats->states;
        summary->stats.redundant += stats->asleep;
        summary->stats.pruned += stats->pruned;
        summary->stats.blocked += run->hunts[i].deadlocks;
        summary->stats.bound_steps += stats->bounded;
        if (stats->depth > summary->stats.depth)
            summary->stats.depth = stats->depth;
        if (stats->tasks > summary->stats.agents)
            summary->stats.agents = stats->tasks;
    }
    summary->seconds = process_now() - run->begin;
    summary->cpu_seconds = (double)(self.ru_utime.tv_sec + self.ru_stime.tv_sec + children.ru_utime.tv_sec + children.ru_stime.tv_sec) +
                           (double)(self.ru_utime.tv_usec + self.ru_stime.tv_usec + children.ru_utime.tv_usec + children.ru_stime.tv_usec) / 1e6;
    summary->peak_kb = (uint64_t)(self.ru_maxrss > children.ru_maxrss ? self.ru_maxrss : children.ru_maxrss);
}

static ExitCode report(DeadlockRun *run)
{
    Text sentence = {0}, cycles = {0}, json = {0}, text = {0};
    uint32_t open = cycleview_count(run->cycles, run->hunt_count, CYCLE_TIMEOUT) +
                    cycleview_count(run->cycles, run->hunt_count, CYCLE_UNCHECKED);
    Summary summary = {.program = run->info.program, .name = run->info.name, .agents = "tasks",
                       .command = run->info.options.command, .strategies = "deadlock-guided", .searched = true,
                       .complete = open == 0, .bugs = run->confirmations, .unconfirmed = run->unconfirmed};
    summary.ending = ending_of(run, open);
    add_figures(run, &summary);
    if (summary.stats.bound_steps)
        summary_add_bound(&summary, "max-steps", (double)run->info.options.max_steps, summary.stats.bound_steps,
                          "tasks stopped by a bound");
    write_sentence(run, summary.stats.bound_steps > 0, &sentence);
    cycleview_write_json(run->cycles, run->hunt_count, &cycles);
    summary.sentence = text_borrow(&sentence);
    summary_add_part(&summary, "cycles", &cycles);
    summary.exit_code = summary_exit_code(&summary);
    report_json_run(&summary, run->json, run->confirmations, &json);
    rundir_write(&run->dir, "run.json", &json);
    summary.directory = run->dir.failed ? NULL : run->dir.path;
    for (uint32_t i = 0; i < run->hunt_count; i++)
        cycleview_write_text(&run->cycles[i], i + 1, run->hunt_count, &run->style, &text);
    report_text_summary(&summary, &run->style, &text);
    const Text *out = run->info.options.json ? &json : &text;
    text_write_all(STDOUT_FILENO, out->data, out->length);
    if (run->dir.failed)
        fprintf(stderr, "sennit: results could not be saved: %s\n", run->dir.problem);
    text_release(&sentence);
    for (uint32_t i = 0; i < summary.part_count; i++)
        text_release(&summary.parts[i].json);
    text_release(&json);
    text_release(&text);
    return summary.exit_code;
}

/* ---- The run ---------------------------------------------------------------------------------------------- */

static bool open_run(DeadlockRun *run, int argc, char **argv, Error *error)
{
    *run = (DeadlockRun){.begin = process_now()};
    if (!runinfo_init(&run->info, model_subject(), argc, argv, error) ||
        !stage_open(&run->stage, &run->info, STAGE_SEARCH, false, error) || !signals_open(&run->signals, error))
        return false;
    const Options *options = &run->info.options;
    run->info.options.diagram = true; /* a deadlock is best seen in one */
    run->style = style_detect(STDOUT_FILENO, options->color, options->verbose);
    run->program = (AbsProgram *)run->stage.program;
    run->analysis = analysis_create(program_abs_machine(run->program)->image, (uint32_t)options->context);
    run->hunt_count = run->analysis->cycles->list.count + run->analysis->cycles->cut;
    run->hunts = region_alloc(run->stage.region, (run->hunt_count + 1) * sizeof *run->hunts);
    run->bugs = buglist_create(run->stage.region);
    run->cycles = mem_alloc((run->hunt_count + 1) * sizeof *run->cycles);
    run->texts = mem_alloc((4 * run->hunt_count + 4) * sizeof *run->texts);
    rundir_open(&run->dir, options->directory);
    rundir_link(&run->dir);
    return true;
}

static void close_run(DeadlockRun *run)
{
    for (uint32_t i = 0; i < run->confirmations; i++) {
        confirmation_release(&run->confirmed[i]);
        text_release(&run->json[i]);
    }
    for (uint32_t i = 0; i < 4 * run->hunt_count; i++)
        text_release(&run->texts[i]);
    free(run->confirmed);
    free(run->json);
    free(run->texts);
    free(run->cycles);
    analysis_destroy(run->analysis);
    rundir_close(&run->dir);
    runinfo_release(&run->info);
}

int model_deadlock(int argc, char **argv)
{
    DeadlockRun run;
    Error error = {.code = EXIT_USAGE};
    if (!open_run(&run, argc, argv, &error))
        return task_fail(&error);
    if (run.info.options.search != SEARCH_NONE)
        hunt_all(&run);
    for (uint32_t i = 0; i < run.hunt_count; i++) {
        describe_cycle(&run, i);
        judge_cycle(&run, i);
    }
    confirm_bugs(&run);
    attach_bugs(&run);
    ExitCode code = report(&run);
    close_run(&run);
    fflush(NULL);
    return code;
}
