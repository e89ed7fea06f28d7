/* search_summary.c - what is reported about a search: its ending, strategies, bounds and counts */
#include <stdio.h>
#include <string.h>

#include "app/search/search_internal.h"
#include "core/tree/jobs_replica.h"

/* ---- Bounds ------------------------------------------------------------------------------- */

/* A bound "at most LIMIT WHAT". */
static void add_limit(RunSearch *search, Summary *summary, const char *name, uint64_t limit, uint64_t hits,
                      const char *what)
{
    char *phrase = search->phrases[summary->bound_count % SUMMARY_BOUNDS];
    snprintf(phrase, sizeof search->phrases[0], "at most %llu %s", (unsigned long long)limit, what);
    summary_add_bound(summary, name, (double)limit, hits, phrase);
}

/* The limit that an option gives; 0: none does. */
static uint64_t limit_of(const Options *options, CutKind kind)
{
    switch (kind) {
    case CUT_STEPS: return options->max_steps;
    case CUT_UNROLL: return options->unroll;
    case CUT_PROCESSES: return options->max_processes;
    case CUT_CHILDREN: return options->max_children;
    case CUT_TIMEOUTS: return options->timeouts;
    case CUT_INPUTS: return options->max_inputs;
    case CUT_STEP_TIME: return options->max_step_time < 1 ? 1 : (uint64_t)options->max_step_time;
    case CUT_LOOP: return options->loop;
    case CUT_SWITCHES: return options->switches;
    case CUT_CLOCK: return options->max_clock;
    case CUT_OBJECTS: return options->objects.limit;
    default: return 0;
    }
}

/* Limits that the user set are listed even if nothing met them; some have a default. */
static bool is_listed(const RunSearch *search, CutKind kind, uint64_t hits)
{
    bool implicit = kind == CUT_TIMEOUTS || kind == CUT_INPUTS || kind == CUT_PROCESSES || kind == CUT_STEP_TIME;
    return hits > 0 || (!implicit && limit_of(&search->info->options, kind) > 0);
}

static void add_cut(RunSearch *search, Summary *summary, CutKind kind, const char *what)
{
    uint64_t limit = limit_of(&search->info->options, kind), hits = summary->stats.cuts[kind];
    char *phrase = search->phrases[summary->bound_count % SUMMARY_BOUNDS];
    if (limit) {
        add_limit(search, summary, cut_name(kind), limit, hits, what);
    } else {
        snprintf(phrase, sizeof search->phrases[0], "%s", what);
        summary_add_bound(summary, cut_name(kind), 0, hits, phrase);
    }
}

static void add_cuts(RunSearch *search, Summary *summary)
{
    const char *agent = search->info->subject->agent;
    for (CutKind kind = CUT_NONE + 1; kind < CUT_COUNT; kind++) {
        Text what = {0};
        if (!is_listed(search, kind, summary->stats.cuts[kind]))
            continue;
        cut_write_phrase(kind, agent, &what);
        add_cut(search, summary, kind, what.data);
        text_release(&what);
    }
}

static void add_limits(RunSearch *search, Summary *summary)
{
    const Options *options = &search->info->options;
    const ExploreStats *stats = &summary->stats;
    if (options->preemptions >= 0)
        add_limit(search, summary, "preemptions", (uint64_t)options->preemptions, stats->bound_preemptions,
                  "preemptions");
    if (stats->bound_schedules)
        summary_add_bound(summary, "order", 1, stats->bound_schedules, "one schedule per path (--order)");
    add_cuts(search, summary);
}

static void add_bounds(RunSearch *search, Summary *summary)
{
    const Options *options = &search->info->options;
    const ExploreStats *stats = &summary->stats;
    add_limits(search, summary);
    if (options->reduction == REDUCTION_DCUTE)
        summary_add_bound(summary, "delay-flags", 0, stats->bound_delays + 1, "delay flags, which may miss schedules");
    if (stats->crashed)
        summary_add_bound(summary, "crash", 0, stats->crashed, "executions end at a crash");
}

/* What may end a search early is listed with the bounds; a search that is complete was not ended by it. */
static void add_budgets(RunSearch *search, Summary *summary)
{
    const Options *options = &search->info->options;
    Ending ending = summary->complete ? ENDING_DONE : summary->ending;
    if (search->budget)
        summary_add_bound(summary, "max-execs", (double)search->budget, ending == ENDING_EXECUTIONS,
                          "number of executions");
    if (options->max_time > 0)
        summary_add_bound(summary, "max-time", options->max_time, ending == ENDING_TIME, "time");
    if (!options->keep_going)
        summary_add_bound(summary, "first-bug", 1, ending == ENDING_BUG, "the first bug ends the search");
    if (ending == ENDING_INTERRUPTED)
        summary_add_bound(summary, "interrupted", 0, 1, "interrupted");
}

/* ---- Divergence --------------------------------------------------------------------------- */

/* Was an unsynchronised access found? What a step does may then depend on the order of accesses that are
 * not steps. */
static bool found_race(const BugList *bugs)
{
    for (uint32_t i = 0; i < buglist_count(bugs); i++)
        if (strcmp(bugs->bugs[i].kind, bug_kind_name(BUG_DATA_RACE)) == 0 ||
            strcmp(bugs->bugs[i].kind, bug_kind_name(BUG_USE_AFTER_FREE)) == 0)
            return true;
    return false;
}

/* Explains where the program left the plan. */
static void describe_divergence(RunSearch *search, Summary *summary)
{
    const Execution *ex = search_execution(search, search->diverged_worker);
    Program *program = ex->program;
    char agent[128] = "a thread", last[256] = "";
    if (ex->diverged_at < ex->plan_length)
        program->ops->agent_name(program, ex->plan[ex->diverged_at].agent, agent, sizeof agent);
    if (ex->event_count > 0) {
        const Event *event = &ex->events[ex->event_count - 1];
        Place place;
        if (program->ops->place(program, event->site, &place))
            snprintf(last, sizeof last, ", after the one at %s:%u", place.file, place.line);
    }
    snprintf(search->note, sizeof search->note,
             "At step %u%s, %s did not repeat its step of an earlier execution of the same schedule: %s",
             ex->diverged_at + 1, last, agent,
             found_race(search->bugs)
                 ? "the data races found make the program depend on more than the order of its steps. Fix them, or use "
                   "--plain=visible, which makes plain accesses steps."
                 : "the program depends on something other than its schedule and inputs (time, random numbers, "
                   "addresses, external state). Try --isolate=fork.");
    summary->note = search->note;
}

/* ---- Summary ------------------------------------------------------------------------------ */

/* Was the search stopped at the moment when everything was explored? (If it ended elsewhere, its jobs
 * are not here.) */
static bool nothing_is_left(const RunSearch *search)
{
    Ending ending = (Ending)(search->stop - 1);
    bool alone = search_stats(search).agents <= 1; /* the agent at fault stops: without others, a bug is the end */
    return search->workers[0].started &&
           (ending == ENDING_EXECUTIONS || ending == ENDING_TIME || ending == ENDING_INTERRUPTED ||
            (ending == ENDING_BUG && alone)) &&
           search_suspended(search) && search->info->options.strategies.count == 1 && search_open_jobs(search) == 0;
}

static void list_sampled(RunSearch *search, Summary *summary)
{
    summary->samples = search_samples(search);
    for (uint32_t i = 0; i < buglist_count(search->bugs) && summary->sampled_bug_count < SUMMARY_SAMPLED; i++) {
        const Bug *bug = &search->bugs->bugs[i];
        char *name = search->sampled[summary->sampled_bug_count];
        if (!bug->sampled)
            continue;
        snprintf(name, sizeof search->sampled[0], "%s-%s", bug->kind, bug->id);
        summary->sampled_bugs[summary->sampled_bug_count++] = name;
    }
}

/* Could the search recognise states, and does not? */
static bool misses_states(RunSearch *search, const Summary *summary)
{
    const RunInfo *info = search->info;
    const Options *options = &info->options;
    return options->reduction == REDUCTION_OPTIMAL && options->strategies.count == 1 && summary->searched &&
           (options->memory == MEMORY_SC || options->memory == MEMORY_AUTO) && options_allow_states(options) &&
           info->subject->knows_states && info->subject->knows_states(search_execution(search, 0)->program, info);
}

void search_summarise(RunSearch *search, Summary *summary)
{
    if (search->stop && nothing_is_left(search)) {
        search->stop = ENDING_DONE + 1;
        summary->complete = true;
    }
    summary->ending = search->stop ? (Ending)(search->stop - 1) : ENDING_FAILED;
    summary->stats = search_stats(search);
    summary->seed = search->info->options.seed;
    for (uint32_t w = 0; w < search->worker_count; w++) {
        for (uint32_t i = 0; i < search->workers[w].count; i++) {
            const Contender *contender = &search->workers[w].contenders[i];
            bool exhaustive = contender->strategy == STRATEGY_EXHAUSTIVE;
            summary->searched |= exhaustive;
            summary->sampled |= !exhaustive;
            summary->complete |= exhaustive && contender->finished;
        }
    }
    if (summary->complete && summary->stats.cuts[CUT_STUCK]) {
        summary->complete = false;
        summary->ending = ENDING_STUCK;
    }
    list_sampled(search, summary);
    add_bounds(search, summary);
    add_budgets(search, summary);
    summary->misses_states = misses_states(search, summary);
    if (summary->ending == ENDING_DIVERGED)
        describe_divergence(search, summary);
}
