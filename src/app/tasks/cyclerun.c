/* cyclerun.c - see cyclerun.h */
#include "app/tasks/cyclerun.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/run/outfile.h"
#include "app/tasks/task.h"
#include "base/mem.h"
#include "report/report_json.h"
#include "report/report_text.h"

bool cyclerun_open(CycleRun *run, RunInfo *info, Error *error)
{
    *run = (CycleRun){.info = info, .begin = process_now()};
    run->style = style_detect(STDOUT_FILENO, info->options.color, info->options.verbose);
    if (!outfile_check(&info->options, error) || !signals_open(&run->signals, error))
        return false;
    results_begin(&info->options, info->name);
    results_init(&run->results, info);
    rundir_open(&run->dir, info->options.directory);
    if (!rundir_check(&run->dir, error))
        return false;
    rundir_forget(&run->dir);
    rundir_link(&run->dir);
    return true;
}

ExitCode cyclerun_fail(const RunInfo *info, const Error *error)
{
    results_fail(&info->options, info->name, error);
    return task_fail(info, error);
}

/* ---- Deadlocks found ---------------------------------------------------------------- */

static void save_bug(CycleRun *run, const Bug *bug, const Confirmation *result)
{
    Text name = {0}, plain = {0};
    rundir_name_bug(bug->kind, bug->id, "trace", &name);
    rundir_write(&run->dir, name.data, &result->trace);
    text_reset(&name);
    rundir_name_bug(bug->kind, bug->id, "txt", &name);
    style_add_unpainted(&plain, text_borrow(&result->report));
    rundir_write(&run->dir, name.data, &plain);
    text_release(&name);
    text_release(&plain);
}

static void name_shown(const RunDir *dir, const Bug *bug, Text *name)
{
    text_add(name, "%s/", dir->shown);
    rundir_name_bug(bug->kind, bug->id, "trace", name);
}

static void confirm_bugs(CycleRun *run)
{
    uint32_t count = buglist_count(run->bugs);
    run->json = mem_alloc((count + 1) * sizeof *run->json);
    run->confirmed = mem_alloc((count + 1) * sizeof *run->confirmed);
    for (uint32_t i = 0; i < count; i++) {
        const Bug *bug = &run->bugs->bugs[i];
        Confirmation *result = &run->confirmed[i];
        Text shown = {0};
        if (run->dir.path && !run->dir.failed)
            name_shown(&run->dir, bug, &shown);
        confirm_bug(run->info, bug, shown.length ? shown.data : NULL, &run->style, &run->signals, CONFIRM_ANY_TIME,
                    result);
        save_bug(run, bug, result);
        text_add_bytes(&run->json[i], text_borrow(&result->json), result->json.length);
        run->unconfirmed += !result->confirmed;
        run->summary.unreplayed += result->unreplayed;
        run->summary.failed_replays += result->failed;
        results_add_bug(&run->results, bug, result);
        run->confirmations++;
        text_release(&shown);
    }
}

/* Does an earlier cycle have the same bug? */
static bool is_shown_before(const CycleRun *run, uint32_t number)
{
    for (uint32_t i = 0; i < number; i++)
        if (run->bug_of[i] == run->bug_of[number])
            return true;
    return false;
}

static void attach_bugs(CycleRun *run)
{
    run->texts = mem_alloc((2 * run->count + 2) * sizeof *run->texts);
    for (uint32_t i = 0; i < run->count; i++) {
        const Bug *bug = run->bug_of[i];
        Text *texts = &run->texts[2 * i];
        if (!bug)
            continue;
        rundir_name_bug(bug->kind, bug->id, "trace", &texts[0]);
        if (is_shown_before(run, i))
            text_add(&texts[1], "  the same execution as above: %s\n", text_borrow(&texts[0]));
        else
            text_add_string(&texts[1], text_borrow(&run->confirmed[bug - run->bugs->bugs].report));
        run->cycles[i].trace = text_borrow(&texts[0]);
        if (run->info->options.show != SHOW_NONE)
            run->cycles[i].report = text_borrow(&texts[1]);
    }
}

/* ---- The verdict ----------------------------------------------------------------------- */

static bool any_bound(const Summary *summary)
{
    for (uint32_t i = 0; i < summary->bound_count; i++)
        if (summary->bounds[i].hits)
            return true;
    return false;
}

static bool is_interrupted(const CycleRun *run) { return run->signals.interrupts > 0; }

/* Are there cycles that another search would check? */
static bool is_search_advisable(const CycleRun *run)
{
    int search = run->info->options.search;
    return (search == SEARCH_NONE || search == SEARCH_FIRST) && !is_interrupted(run) &&
           cycleview_count(run->cycles, run->count, CYCLE_UNCHECKED) > 0;
}

/* ": 2 cycles and waits for conditions, " */
static void write_kinds(const CycleRun *run, Text *out)
{
    uint32_t cycles = cycleview_cycles(run->cycles, run->count);
    if (cycles)
        text_add(out, ": %u cycle%s%s, ", cycles, cycles == 1 ? "" : "s",
                 cycles < run->count ? " and waits for conditions" : "");
    else
        text_add_string(out, ": no cycle, but waits for conditions, ");
}

static void write_sentence(const CycleRun *run, Text *out)
{
    uint32_t confirmed = cycleview_count(run->cycles, run->count, CYCLE_CONFIRMED);
    uint32_t discarded = cycleview_count(run->cycles, run->count, CYCLE_DISCARDED);
    bool free_of_it = discarded == run->count && !run->confirmations && !run->cut && !run->partial &&
                      !is_interrupted(run);
    text_add_string(out, is_interrupted(run) ? "interrupted: " : "");
    text_add_string(out, confirmed || run->confirmations ? "deadlock"
                         : free_of_it                    ? "free of deadlock"
                                                         : "may deadlock");
    if (free_of_it && any_bound(&run->summary))
        text_add_string(out, " within the bounds");
    if (free_of_it && run->for_all)
        text_add_string(out, " for every schedule and input");
    if (run->count == 0 && run->confirmations)
        text_add_string(out, ": not along a cycle found by the analysis");
    else if (run->count == 0)
        text_add_string(out, ": the static analysis finds no cycle");
    else
        write_kinds(run, out);
    cycleview_write_counts(run->cycles, run->count, out);
    if (is_search_advisable(run))
        text_add_string(out, " (use --search=per-cycle)");
    if (run->for_all && !free_of_it)
        text_add_string(out, "; from the code, for every schedule and input");
    if (run->scope)
        text_add(out, "; %s", run->scope);
    if (free_of_it && run->summary.unseen_count) {
        text_add_string(out, "; but for: ");
        summary_write_unseen(&run->summary, out);
    }
    if (run->cut && run->confirmations && !is_interrupted(run))
        text_add_string(out, "; there may be others: the search for them was stopped");
}

/* Why cycles are left open, or deadlocks not looked for. */
static Ending ending_of(const CycleRun *run, uint32_t unchecked, uint32_t stopped)
{
    if (is_interrupted(run))
        return ENDING_INTERRUPTED;
    if (unchecked && run->confirmations && run->info->options.search == SEARCH_FIRST)
        return ENDING_BUG;
    if ((stopped || run->cut) && run->info->options.search != SEARCH_NONE)
        return ENDING_TIME;
    return unchecked || run->cut || (run->partial && !run->confirmations) ? ENDING_UNCHECKED : ENDING_DONE;
}

static void fill_summary(CycleRun *run, const Text *sentence)
{
    Summary *summary = &run->summary;
    struct rusage self, children;
    uint32_t stopped = cycleview_count(run->cycles, run->count, CYCLE_TIMEOUT);
    uint32_t unchecked = cycleview_count(run->cycles, run->count, CYCLE_UNCHECKED);
    Text cycles = {0};
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    summary->program = run->info->program;
    summary->name = run->info->name;
    summary->agents = run->info->subject->agents;
    summary->command = run->info->options.command;
    summary->strategies = "deadlock-guided";
    summary->searched = true;
    summary->complete = !stopped && !unchecked && !run->cut && !run->partial && !is_interrupted(run);
    summary->bugs = run->confirmations;
    summary->unconfirmed = run->unconfirmed;
    if (summary->ending == ENDING_DONE)
        summary->ending = ending_of(run, unchecked, stopped);
    summary->seconds = process_now() - run->begin;
    summary->cpu_seconds = process_cpu_seconds();
    summary->peak_kb = (uint64_t)(self.ru_maxrss > children.ru_maxrss ? self.ru_maxrss : children.ru_maxrss);
    summary->sentence = text_borrow(sentence);
    cycleview_write_json(run->cycles, run->count, &cycles);
    summary_add_part(summary, "cycles", &cycles);
    summary->exit_code = summary_exit_code(summary);
}

/* The deadlocks along none of the cycles. */
static void add_others(const CycleRun *run, Text *text)
{
    for (uint32_t i = 0; i < run->confirmations; i++) {
        bool shown = false;
        for (uint32_t k = 0; k < run->count; k++)
            shown |= run->bug_of[k] == &run->bugs->bugs[i];
        if (!shown)
            text_add(text, "%s\n", text_borrow(&run->confirmed[i].report));
    }
}

ExitCode cyclerun_conclude(CycleRun *run)
{
    Text sentence = {0}, json = {0}, text = {0};
    cycleview_tell_apart(run->cycles, run->count);
    confirm_bugs(run);
    attach_bugs(run);
    write_sentence(run, &sentence);
    fill_summary(run, &sentence);
    report_json_run(&run->summary, run->json, run->confirmations, &json);
    rundir_write(&run->dir, "run.json", &json);
    run->summary.directory = run->dir.failed ? NULL : run->dir.path;
    for (uint32_t i = 0; i < run->count; i++)
        results_add_cycle(&run->results, &run->cycles[i]);
    for (uint32_t i = 0; i < run->count; i++)
        cycleview_write_text(&run->cycles[i], i + 1, cycleview_cycles(run->cycles, run->count), &run->style, &text);
    add_others(run, &text);
    if (run->shown)
        text_add_string(&text, run->shown);
    report_text_summary(&run->summary, &run->style, &text);
    const Text *out = run->info->options.json ? &json : &text;
    results_print(&run->info->options, out, &run->dir, run->json, &run->summary);
    ExitCode code = results_publish(&run->results, &run->summary);
    run->summary.sentence = NULL;
    text_release(&sentence);
    text_release(&json);
    text_release(&text);
    return code;
}

void cyclerun_release(CycleRun *run)
{
    for (uint32_t i = 0; i < run->confirmations; i++) {
        confirmation_release(&run->confirmed[i]);
        text_release(&run->json[i]);
    }
    for (uint32_t i = 0; run->texts && i < 2 * run->count; i++)
        text_release(&run->texts[i]);
    for (uint32_t i = 0; i < run->summary.part_count; i++)
        text_release(&run->summary.parts[i].json);
    free(run->confirmed);
    free(run->json);
    free(run->texts);
    results_release(&run->results);
    rundir_close(&run->dir);
}
