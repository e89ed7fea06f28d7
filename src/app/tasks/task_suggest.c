/* task_suggest.c - a trace in, the smallest change of memory orders that removes its bug out
 *
 * Changes are tried one after the other: each is made, and the program is explored again. One that removes the bug and
 * brings no new one ends the search.
 */
#include <stdlib.h>
#include <string.h>

#include "app/run/process.h"
#include "app/run/subject.h"
#include "app/tasks/repetition.h"
#include "app/tasks/task.h"
#include "base/mem.h"
#include "core/explore.h"

enum { MOST_EXECUTIONS = 20000, MOST_KNOWN = 64 };
static const double MOST_SECONDS = 3, MOST_IN_ALL = 40; /* CPU time: of one change, of all */

/* Different bugs. */
typedef struct KnownBugs {
    Finding items[MOST_KNOWN];
    uint32_t count;
} KnownBugs;

/* One exploration of the program. */
typedef struct Trial {
    ExploreObserver observer;
    KnownBugs *known;      /* bugs that the program has anyway                        */
    bool collects;         /* it finds out which these are                            */
    bool failed;           /* it has found another one                                */
    double until;          /* CPU seconds                                             */
    uint64_t executions;
    bool complete;
} Trial;

/* ---- Bugs --------------------------------------------------------------------- */

static bool is_known(const KnownBugs *known, const Finding *finding)
{
    for (uint32_t i = 0; i < known->count; i++)
        if (finding_same_bug(&known->items[i], finding))
            return true;
    return false;
}

static void forget(KnownBugs *known, const Finding *finding)
{
    for (uint32_t i = known->count; i-- > 0;)
        if (finding_same_bug(&known->items[i], finding))
            known->items[i] = known->items[--known->count];
}

/* ---- One exploration -------------------------------------------------------------- */

static bool trial_ended(ExploreObserver *observer, const Execution *ex)
{
    Trial *trial = (Trial *)observer;
    (void)ex;
    return !trial->failed && process_cpu_seconds() < trial->until;
}

static void trial_found(ExploreObserver *observer, const Execution *ex)
{
    Trial *trial = (Trial *)observer;
    for (uint32_t i = 0; i < ex->finding_count; i++) {
        const Finding *finding = &ex->findings[i];
        if (is_known(trial->known, finding))
            continue;
        trial->failed = !trial->collects;
        if (trial->collects && trial->known->count < MOST_KNOWN)
            trial->known->items[trial->known->count++] = *finding;
    }
}

static void explore(Program *program, const Options *options, Trial *trial)
{
    Region *region = region_create(1ull << 30);
    ExploreOptions wanted = {.memory = program->memory, .max_preemptions = -1, .max_executions = MOST_EXECUTIONS,
                             .max_agent_steps = (uint32_t)options->max_steps, .keep_going = true};
    trial->observer = (ExploreObserver){.ended = trial_ended, .found = trial_found};
    trial->until = process_cpu_seconds() + MOST_SECONDS;
    Explore *search = explore_create(region, program, &wanted);
    ExploreResult result = explore_run(search, &trial->observer, 0);
    const ExploreStats *stats = explore_stats(search);
    trial->executions = stats->executions;
    trial->complete = result == EXPLORE_DONE && stats->cut == 0 && stats->crashed == 0;
    trial->failed |= result == EXPLORE_DIVERGED || stats->executions == 0;
    explore_destroy(search);
    region_destroy(region);
}

/* ---- All changes --------------------------------------------------------------------- */

/* "Suggestion: memory_order_release for the store of ready (mp.c:9) removes the bug: none of 3 executions has it." */
static void write_success(const Trial *trial, const Text *words, bool inputs, Text *out)
{
    unsigned long long count = trial->executions;
    bool several = strstr(text_borrow(words), " and ") != NULL;
    text_add(out, "Suggestion: %s remove%s the bug", text_borrow(words), several ? "" : "s");
    if (!trial->complete)
        text_add(out, " from %llu executions; others remain.", count);
    else if (count == 1)
        text_add(out, ": the only execution%s does not have it.", inputs ? " with these inputs" : "");
    else
        text_add(out, ": none of the %llu executions%s has it.", count, inputs ? " with these inputs" : "");
}

static void suggest(const RunInfo *info, const Repetition *given, Text *out)
{
    Program *program = given->stage.program;
    KnownBugs *known = mem_alloc(sizeof *known);
    Trial before = {.known = known, .collects = true};
    Text words = {0};
    uint32_t tried = 0;
    explore(program, &info->options, &before);
    forget(known, given->finding);
    for (; info->subject->repair(program, given->ex, given->finding, tried, &words); tried++) {
        Trial trial = {.known = known};
        if (process_cpu_seconds() > MOST_IN_ALL)
            break;
        explore(program, &info->options, &trial);
        if (!trial.failed) {
            write_success(&trial, &words, given->trace->input_count > 0, out);
            break;
        }
        text_reset(&words);
    }
    if (!out->length)
        text_add(out, "Suggestion: none; %u changes of memory orders and fences were tried.", tried);
    text_release(&words);
    free(known);
}

ExitCode task_suggest(RunInfo *info)
{
    Error error;
    Repetition given;
    Text out = {0};
    if (!repetition_open(&given, info, false, &error))
        return task_fail(info, &error);
    if (!given.finding)
        return EXIT_DIVERGED;
    if (given.stage.program->memory != MEMORY_SC && info->subject->repair)
        suggest(info, &given, &out);
    bool good = text_write_all((int)info->options.result_fd, text_borrow(&out), out.length);
    text_release(&out);
    return good ? EXIT_BUG : EXIT_INTERNAL;
}
