/* summary.c - see summary.h */
#include "report/summary.h"

#include <string.h>

#include "report/progress.h"
#include "report/source.h"
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

static bool is_same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static uint32_t unseen_kept(const Summary *summary)
{
    return summary->unseen_count < SUMMARY_UNSEEN ? summary->unseen_count : SUMMARY_UNSEEN;
}

void summary_add_unseen(Summary *summary, const Unseen *unseen)
{
    if (summary->stats.agents <= 1 && !unseen_matters_alone(unseen->kind))
        return;
    for (uint32_t i = 0; i < unseen_kept(summary); i++) {
        const Unseen *known = &summary->unseen[i];
        if (known->kind == unseen->kind && known->line == unseen->line && is_same_text(known->name, unseen->name) &&
            is_same_text(known->file, unseen->file))
            return;
    }
    if (summary->unseen_count < SUMMARY_UNSEEN)
        summary->unseen[summary->unseen_count] = *unseen;
    summary->unseen_count++;
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
    if (!summary->complete)
        return summary->sampled && !summary->searched ? VERDICT_SAMPLED : VERDICT_INCOMPLETE;
    if (any_bound_hit(summary))
        return VERDICT_BOUNDED;
    return summary->unseen_count ? VERDICT_BUT_FOR : VERDICT_EXHAUSTIVE;
}

const char *verdict_name(Verdict verdict)
{
    static const char *const names[] = {"exhaustive", "exhaustive-but-for", "bounded", "incomplete", "sampled"};
    return names[verdict];
}

const char *summary_ending_name(Ending ending)
{
    static const char *const names[] = {"done", "bug", "max-execs", "max-time", "interrupted",
                                        "diverged", "refused", "failed", "until", "max-step-time", "unchecked"};
    return names[ending];
}

bool summary_is_resumable(const Summary *summary)
{
    Ending ending = summary->ending;
    return ending == ENDING_INTERRUPTED || ending == ENDING_TIME || ending == ENDING_EXECUTIONS;
}

/* Executions that were cut because of their length, or a budget that ran out. */
bool summary_has_endless_loop(const Summary *summary)
{
    bool budget = summary->ending == ENDING_TIME || summary->ending == ENDING_EXECUTIONS;
    return summary->busiest.steps && ((budget && !summary->complete) || summary->stats.cuts[CUT_LOG]);
}

bool summary_seems_endless(const Summary *summary)
{
    static const CutKind kinds[] = {CUT_LOG, CUT_LENGTH, CUT_AGENTS, CUT_REVISITS, CUT_RETURNS};
    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (summary->stats.cuts[kinds[i]])
            return true;
    return summary_has_endless_loop(summary);
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
    if (summary->unconfirmed > summary->unreplayed + summary->failed_replays || summary->ending == ENDING_DIVERGED)
        return EXIT_DIVERGED;
    if (summary->failed_replays > 0)
        return EXIT_INTERNAL;
    if (summary->unreplayed > 0)
        return EXIT_BUDGET;
    bool budget = summary->ending == ENDING_TIME || summary->ending == ENDING_EXECUTIONS ||
                  summary->ending == ENDING_STUCK || summary->ending == ENDING_UNCHECKED;
    return budget && !summary->complete ? EXIT_BUDGET : EXIT_CLEAN;
}

void summary_note_loss(Summary *summary)
{
    if (summary->exit_code == EXIT_CLEAN || summary->exit_code == EXIT_BUDGET)
        summary->exit_code = EXIT_INTERNAL;
}

/* ---- The command ------------------------------------------------------------ */

/* A URL, up to the next blank, without what stands before its '@'. Answers what follows it. */
static const char *write_url(const char *url, Text *out)
{
    size_t length = strcspn(url, " ");
    const char *at = memrchr(url, '@', length), *end = url + length;
    text_add_string(out, at ? "..." : "");
    url = at ? at : url;
    text_add_bytes(out, url, (size_t)(end - url));
    return end;
}

void summary_write_command(const Summary *summary, Text *out)
{
    const char *rest = summary->command ? summary->command : "", *scheme;
    while ((scheme = strstr(rest, "://"))) {
        text_add_bytes(out, rest, (size_t)(scheme + 3 - rest));
        rest = write_url(scheme + 3, out);
    }
    text_add_string(out, rest);
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

/* Is it the first with this kind and name? Counts the places of all of them. */
static bool leads(const Summary *summary, uint32_t number, uint32_t *places)
{
    const Unseen *unseen = &summary->unseen[number];
    *places = 0;
    for (uint32_t i = 0; i < unseen_kept(summary); i++) {
        if (summary->unseen[i].kind != unseen->kind || strcmp(summary->unseen[i].name, unseen->name) != 0)
            continue;
        if (i < number)
            return false;
        ++*places;
    }
    return true;
}

static void write_one_unseen(const Unseen *unseen, uint32_t places, Text *out)
{
    text_add(out, "%s%s", unseen_kind_words(unseen->kind), unseen->name);
    if (unseen->file)
        text_add(out, " (%s:%u%s)", source_base_name(unseen->file), unseen->line, places > 1 ? ", .." : "");
}

void summary_write_unseen(const Summary *summary, Text *out)
{
    enum { SHOWN = 6 };
    uint32_t shown = 0, more = 0, places;
    for (uint32_t i = 0; i < unseen_kept(summary); i++) {
        if (!leads(summary, i, &places))
            continue;
        if (shown == SHOWN) {
            more++;
            continue;
        }
        text_add_string(out, shown++ ? ", " : "");
        write_one_unseen(&summary->unseen[i], places, out);
    }
    if (more)
        text_add(out, " and %u more", more);
}

/* Executions that a limit cut short are not known to be free of bugs. */
static void write_cut(const Summary *summary, Text *out)
{
    uint64_t cut = summary->stats.cut;
    if (cut == 0)
        return;
    if (cut == summary->stats.executions) {
        text_add_string(out, cut == 1 ? ", which was cut" : ", all of them cut");
        return;
    }
    text_add_string(out, ", ");
    style_add_count(out, cut);
    text_add_string(out, " of them cut");
}

static void write_reached(const Summary *summary, Text *out)
{
    write_schedules(summary, out);
    text_add_string(out, " explored");
    write_cut(summary, out);
    const Estimate *estimate = &summary->stats.estimate;
    if (!summary->sampled && estimate->total > (double)summary->stats.executions) {
        text_add_string(out, " of an estimated ");
        progress_write_estimate(out, estimate, summary->stats.executions);
    }
}

/* " under RC11"; " under SC" only where that makes a difference. */
static void write_memory(const Summary *summary, Text *out)
{
    if (!summary->memory || (strcmp(summary->memory, "sc") == 0 && !summary->weak_orders))
        return;
    text_add_string(out, " under ");
    for (const char *c = summary->memory; *c; c++)
        text_add(out, "%c", *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c);
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
        [ENDING_STUCK] = "stopped by --max-step-time, in a call that does not return",
        [ENDING_UNCHECKED] = "not searched",
    };
    bool budget = summary->ending == ENDING_EXECUTIONS || summary->ending == ENDING_TIME;
    bool only_sampled = summary->sampled && !summary->searched;
    text_add(out, "%s: ", only_sampled && budget ? "sampled" : reasons[summary->ending]);
    if (only_sampled) {
        write_schedules(summary, out);
        write_cut(summary, out);
    } else {
        write_reached(summary, out);
    }
    write_memory(summary, out);
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
        text_add(out, " (%u not confirmed%s)", summary->unconfirmed,
                 summary->unreplayed == summary->unconfirmed       ? ": no time for a replay"
                 : summary->failed_replays == summary->unconfirmed ? ": its replay failed"
                                                                   : "");
}

static void write_covered(const Summary *summary, Verdict verdict, Text *out)
{
    if (verdict == VERDICT_BUT_FOR) {
        text_add_string(out, "exhaustive");
        write_memory(summary, out);
        text_add_string(out, " but for: ");
        summary_write_unseen(summary, out);
        text_add_string(out, "; ");
    } else {
        text_add_string(out, "exhaustive");
        write_memory(summary, out);
        text_add_string(out, ": ");
    }
    if (summary->stats.states) {
        text_add_string(out, "every state covered");
        if (summary->stats.hoped)
            text_add_string(out, summary->stats.strong ? ", liveness under weak fairness, strong where stated"
                                                       : ", liveness under weak fairness");
        text_add_string(out, ": ");
        style_add_count(out, summary->stats.states);
        text_add_string(out, summary->stats.states == 1 ? " state" : " states");
        if (summary->stats.endless) {
            text_add_string(out, " (");
            style_add_count(out, summary->stats.endless);
            text_add_string(out, " without an end)");
        }
        text_add_string(out, ", ");
        style_add_count(out, summary->stats.executions + summary->stats.redundant);
        text_add_string(out, summary->stats.executions + summary->stats.redundant == 1 ? " execution" : " executions");
        return;
    }
    text_add(out, "every schedule%s covered by ", summary->inputs ? " and every path of the inputs" : "");
    style_add_count(out, summary->stats.executions);
    text_add_string(out, summary->stats.executions == 1 ? " execution" : " executions");
}

static void write_within_bounds(const Summary *summary, Text *out)
{
    text_add_string(out, "exhaustive");
    write_memory(summary, out);
    text_add_string(out, " within bounds: ");
    write_schedules(summary, out);
    text_add_string(out, " explored");
    write_cut(summary, out);
    text_add_string(out, "; bounds: ");
    write_bounds(summary, out);
    if (summary->unseen_count) {
        text_add_string(out, "; but for: ");
        summary_write_unseen(summary, out);
    }
}

void summary_write_verdict(const Summary *summary, Text *out)
{
    if (summary->sentence) {
        text_add_string(out, summary->sentence);
        return;
    }
    Verdict verdict = summary_verdict(summary);
    if (!summary->complete)
        write_early_end(summary, out);
    else if (verdict == VERDICT_BOUNDED)
        write_within_bounds(summary, out);
    else
        write_covered(summary, verdict, out);
    write_bug_count(summary, out);
}
