/* summary.c - see summary.h */
#include "report/summary.h"

#include "report/progress.h"

#include "report/style.h"

void summary_add_bound(Summary *summary, const char *name, double limit, uint64_t hits, const char *phrase)
{
    if (summary->bound_count < SUMMARY_BOUNDS)
        summary->bounds[summary->bound_count++] = (Bound){name, limit, hits, phrase};
}

void summary_add_part(Summary *summary, const char *key, Text *json)
{
    if (summary->part_count < SUMMARY_PARTS) {
        summary->parts[summary->part_count++] = (SummaryPart){key, *json};
        *json = (Text){0};
    }
}

static bool any_bound_hit(const Summary *summary)
{
    for (uint32_t i = 0; i < summary->bound_count; i++)
        if (summary->bounds[i].hits > 0)
            return true;
    return false;
}

Verdict summary_verdict(const Summary *summary)
{
    if (summary->complete)
        return any_bound_hit(summary) ? VERDICT_BOUNDED : VERDICT_EXHAUSTIVE;
    return summary->sampled ? VERDICT_SAMPLED : VERDICT_BOUNDED;
}

const char *verdict_name(Verdict verdict)
{
    static const char *const names[] = {"exhaustive", "bounded", "sampled"};
    return names[verdict];
}

const char *summary_ending_name(Ending ending)
{
    static const char *const names[] = {"done", "bug", "max-execs", "max-time", "interrupted",
                                        "diverged", "refused", "failed", "until", "unchecked"};
    return names[ending];
}

bool summary_is_resumable(const Summary *summary)
{
    Ending ending = summary->ending;
    return ending == ENDING_INTERRUPTED || ending == ENDING_TIME || ending == ENDING_EXECUTIONS;
}

ExitCode summary_exit_code(const Summary *summary)
{
    if (summary->ending == ENDING_REFUSED)
        return EXIT_USAGE;
    if (summary->ending == ENDING_INTERRUPTED)
        return EXIT_INTERRUPTED;
    if (summary->bugs > summary->unconfirmed)
        return EXIT_BUG;
    if (summary->ending == ENDING_FAILED)
        return EXIT_INTERNAL;
    if (summary->bugs > 0 || summary->ending == ENDING_DIVERGED)
        return EXIT_DIVERGED;
    bool budget = summary->ending == ENDING_TIME || summary->ending == ENDING_EXECUTIONS ||
                  summary->ending == ENDING_UNCHECKED;
    return budget && !summary->complete ? EXIT_BUDGET : EXIT_CLEAN;
}

void summary_note_loss(Summary *summary)
{
    if (summary->exit_code == EXIT_CLEAN || summary->exit_code == EXIT_BUDGET)
        summary->exit_code = EXIT_INTERNAL;
}

/* ---- The sentence ----------------------------------------------------------- */

static void write_schedules(const Summary *summary, Text *out)
{
    style_add_count(out, summary->stats.executions);
    text_add_string(out, summary->stats.executions == 1 ? " schedule" : " schedules");
}

static void write_bounds(const Summary *summary, Text *out)
{
    const char *separator = "";
    for (uint32_t i = 0; i < summary->bound_count; i++) {
        const Bound *bound = &summary->bounds[i];
        if (bound->hits == 0)
            continue;
        text_add(out, "%s%s (hit ", separator, bound->phrase);
        style_add_count(out, bound->hits);
        text_add_string(out, bound->hits == 1 ? " time)" : " times)");
        separator = ", ";
    }
}

static void write_reached(const Summary *summary, Text *out)
{
    write_schedules(summary, out);
    text_add_string(out, " explored");
    const Estimate *estimate = &summary->stats.estimate;
    if (!summary->sampled && estimate->total > (double)summary->stats.executions) {
        text_add_string(out, " of an estimated ");
        progress_write_estimate(out, estimate);
    }
}

static void write_early_end(const Summary *summary, Text *out)
{
    static const char *const reasons[] = {
        [ENDING_DONE] = "ended",
        [ENDING_BUG] = "stopped at the first bug (use -k to continue)",
        [ENDING_EXECUTIONS] = "stopped by --max-execs",
        [ENDING_TIME] = "stopped by --max-time",
        [ENDING_INTERRUPTED] = "interrupted",
        [ENDING_DIVERGED] = "stopped: the program is nondeterministic",
        [ENDING_REFUSED] = "stopped: the program uses something that is not modelled",
        [ENDING_FAILED] = "stopped by an internal error of Sennit",
        [ENDING_ENOUGH] = "stopped when --until was reached",
        [ENDING_UNCHECKED] = "not searched",
    };
    bool budget = summary->ending == ENDING_EXECUTIONS || summary->ending == ENDING_TIME;
    bool only_sampled = summary->sampled && !summary->searched;
    text_add(out, "%s: ", only_sampled && budget ? "sampled" : reasons[summary->ending]);
    if (only_sampled)
        write_schedules(summary, out);
    else
        write_reached(summary, out);
    if (summary->sampled)
        text_add(out, " (%s, seed %llu)", summary->strategies, (unsigned long long)summary->seed);
    text_add_string(out, only_sampled ? ", not exhaustive" : "; others remain");
}

static void write_bug_count(const Summary *summary, Text *out)
{
    if (summary->bugs == 0)
        text_add_string(out, ", no bug");
    else
        text_add(out, ", %u %s", summary->bugs, summary->bugs == 1 ? "bug" : "different bugs");
    if (summary->unconfirmed > 0)
        text_add(out, " (%u not confirmed)", summary->unconfirmed);
}

void summary_write_verdict(const Summary *summary, Text *out)
{
    if (summary->sentence) {
        text_add_string(out, summary->sentence);
        return;
    }
    if (!summary->complete) {
        write_early_end(summary, out);
    } else if (summary_verdict(summary) == VERDICT_EXHAUSTIVE) {
        text_add(out, "exhaustive: every schedule%s covered by ",
                 summary->inputs ? " and every path of the inputs" : "");
        style_add_count(out, summary->stats.executions);
        text_add_string(out, summary->stats.executions == 1 ? " execution" : " executions");
    } else {
        text_add_string(out, "exhaustive within bounds: ");
        write_schedules(summary, out);
        text_add_string(out, " explored; bounds: ");
        write_bounds(summary, out);
    }
    write_bug_count(summary, out);
}
