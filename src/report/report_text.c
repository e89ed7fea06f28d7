/* report_text.c - see report_text.h */
#include "report/report_text.h"

#include <string.h>

#include "report/columns.h"
#include "report/sequence.h"
#include "report/source.h"

enum { MOST_ROWS = 20 }; /* of a table of steps, unless all are wanted */

/* ---- Words -------------------------------------------------------------------- */

typedef struct Page {
    const BugView *view;
    const Style *style;
    Text *out;
} Page;

static void paint(const Page *page, Paint color, const char *string)
{
    style_add(page->style, page->out, color, string, 0);
}

static void write_place(const Page *page, const TracePlace *place)
{
    if (!place->file) {
        text_add_string(page->out, "an unknown place");
        return;
    }
    Text where = {0};
    text_add(&where, "%s:%u", place->file, place->line);
    paint(page, PAINT_BOLD, where.data);
    text_release(&where);
    if (place->function && *place->function)
        text_add(page->out, " in %s", place->function);
}

static void write_thread(const Page *page, uint32_t thread)
{
    paint(page, PAINT_NAME, thread < page->view->thread_count ? page->view->threads[thread].name : "?");
}

/* The source line of a place, if its file can be read. */
static void write_source(const Page *page, const TracePlace *place)
{
    Text line = {0};
    if (place->file && source_add_line(&line, place->file, page->view->trace->directory, place->line) && line.length) {
        text_add(page->out, "      %5u | ", place->line);
        text_add_string(page->out, line.data);
        text_add_string(page->out, "\n");
    }
    text_release(&line);
}

/* ---- Parties --------------------------------------------------------------------- */

/* How many frames from the nth on are equal: a recursion. */
static uint32_t count_repeats(const PartyView *party, uint32_t nth)
{
    const TracePlace *frame = &party->frames[nth];
    uint32_t end = nth + 1;
    while (end < party->frame_count && party->frames[end].line == frame->line && frame->function &&
           strcmp(party->frames[end].function, frame->function) == 0)
        end++;
    return end - nth;
}

static void write_calls(const Page *page, const PartyView *party)
{
    for (uint32_t i = 0, repeats; i < party->frame_count; i += repeats) {
        const TracePlace *frame = &party->frames[i];
        repeats = count_repeats(party, i);
        text_add(page->out, "      %s %s", i ? "           " : "called from", frame->function ? frame->function : "?");
        if (frame->file)
            text_add(page->out, "  %s:%u", frame->file, frame->line);
        if (repeats > 1)
            text_add(page->out, "  (%u times%s)", repeats, i + repeats == VIEW_FRAMES ? " or more" : "");
        text_add_string(page->out, "\n");
    }
}

static void write_wait(const Page *page, const PartyView *party)
{
    if (!party->waits_for || party->owner == VIEW_NO_THREAD)
        return;
    text_add(page->out, "      %s is held by ", party->waits_for);
    write_thread(page, (uint32_t)party->owner);
    if (party->owner_place.file) {
        text_add_string(page->out, " since ");
        write_place(page, &party->owner_place);
    }
    text_add_string(page->out, "\n");
}

static void write_locks(const Page *page, const PartyView *party)
{
    if (!party->locks_known)
        return;
    if (party->lock_count == 0)
        text_add_string(page->out, "      holds no lock\n");
    for (uint32_t i = 0; i < party->lock_count; i++) {
        text_add(page->out, "      holds %s since ", party->locks[i].name);
        write_place(page, &party->locks[i].taken);
        text_add_string(page->out, "\n");
    }
}

static void write_party(const Page *page, const PartyView *party)
{
    text_add_string(page->out, "\n  ");
    write_thread(page, party->thread);
    text_add(page->out, " %s at ", party->action ? party->action : "is");
    write_place(page, &party->place);
    text_add_string(page->out, "\n");
    write_source(page, &party->place);
    write_calls(page, party);
    write_wait(page, party);
    write_locks(page, party);
}

static bool is_mentioned(const BugView *view, const TracePlace *place)
{
    for (uint32_t i = 0; i < view->party_count; i++)
        if (place->file && view->parties[i].place.file && strcmp(view->parties[i].place.file, place->file) == 0 &&
            view->parties[i].place.line == place->line)
            return true;
    return false;
}

/* The places without a party: all of them if the bug could not be replayed. */
static void write_places(const Page *page)
{
    const char *before = page->view->party_count ? "\n  See also " : "\n  At ";
    for (uint32_t i = 0; i < page->view->trace->place_count; i++) {
        const TracePlace *place = &page->view->trace->places[i];
        if (is_mentioned(page->view, place))
            continue;
        text_add_string(page->out, before);
        write_place(page, place);
        text_add_string(page->out, "\n");
        write_source(page, place);
        before = "  and ";
    }
}

/* ---- Parts of a bug ---------------------------------------------------------------- */

static void write_headline(const Page *page)
{
    const Trace *trace = page->view->trace;
    Text name = {0};
    text_add(&name, "%s-%s", trace->kind, trace->id);
    paint(page, PAINT_BUG, name.data);
    text_add_string(page->out, "  ");
    paint(page, PAINT_BOLD, trace->summary);
    text_add_string(page->out, "\n");
    if (page->view->doubt) {
        text_add_string(page->out, "  ");
        paint(page, PAINT_WARN, "not confirmed: ");
        text_add(page->out, "%s\n", page->view->doubt);
    }
    text_release(&name);
}

static void write_steps(const Page *page)
{
    const Trace *trace = page->view->trace;
    if (trace->step_count == 0)
        text_add_string(page->out, "\n  How it happens: before the first step\n");
    else
        text_add(page->out, "\n  How it happens: %u step%s, %u preemption%s%s\n", trace->step_count,
                 trace->step_count == 1 ? "" : "s", trace->preemptions, trace->preemptions == 1 ? "" : "s",
                 trace->preemptions && !page->view->sequence ? " (*: the previous thread was still enabled)" : "");
    if (trace->unminimised && trace->preemptions)
        text_add_string(page->out, "  Fewer may suffice: not all schedules were tried.\n");
    text_add_string(page->out, "\n");
    if (!page->view->sequence) {
        columns_write(page->view, page->style, page->out);
        return;
    }
    if (page->view->actors) {
        sequence_write_diagram(page->view->sequence, page->style, page->out);
        return;
    }
    const SequenceView rows = {.whole = page->view->whole, .most = page->view->whole ? 0 : MOST_ROWS};
    sequence_write_table(page->view->sequence, &rows, page->style, page->out);
    if (page->view->diagram) {
        text_add_string(page->out, "\n");
        sequence_write_diagram(page->view->sequence, page->style, page->out);
    }
    sequence_write_legend(page->view->sequence, page->out);
}

/* Output of the program must not control the terminal. */
static void write_sanitised(const Page *page, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f)
            text_add(page->out, "\\x%02x", c);
        else
            text_add_bytes(page->out, &bytes[i], 1);
    }
}

static void write_output(const Page *page)
{
    const char *at = page->view->output, *end = at + page->view->output_size;
    if (!page->view->output || page->view->output_size == 0)
        return;
    enum { SHOWN = 20 };
    text_add_string(page->out, "\n  Output of the program:\n");
    for (unsigned lines = 0; at < end; lines++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (lines == SHOWN && !page->style->verbose) {
            text_add_string(page->out, "    ...\n");
            break;
        }
        text_add_string(page->out, "    | ");
        write_sanitised(page, at, (size_t)((line_end ? line_end : end) - at));
        text_add_string(page->out, "\n");
        at = line_end ? line_end + 1 : end;
    }
}

static void write_replay(const Page *page)
{
    const char *path = page->view->trace_path;
    if (!path)
        return;
    text_add_string(page->out, "\n  Replay it:  ");
    Text command = {0};
    text_add_string(&command, "sennit replay ");
    text_add_word(&command, path);
    paint(page, PAINT_GOOD, command.data);
    text_reset(&command);
    bool model = page->view->sequence && !page->view->actors;
    text_add(&command, "sennit replay --%s ", model ? "diagram" : "gdb");
    text_add_word(&command, path);
    text_add_string(page->out, model ? "\n  Draw it:    " : "\n  Debug it:   ");
    paint(page, PAINT_GOOD, command.data);
    text_add_string(page->out, "\n");
    text_release(&command);
}

static void write_inputs(Page *page)
{
    const Trace *trace = page->view->trace;
    if (trace->input_count == 0)
        return;
    text_add_string(page->out, "  With inputs");
    for (uint32_t i = 0; i < trace->input_count; i++)
        text_add(page->out, "%s %s = %s", i ? "," : "", trace->inputs[i].name, trace->inputs[i].value);
    text_add_string(page->out, "\n");
    if (!page->view->path)
        return;
    text_add_string(page->out, "  On the path ");
    for (const char *at = page->view->path; *at; at++)
        text_add_bytes(page->out, *at == '\n' ? ", " : at, *at == '\n' ? 2 : 1);
    text_add_string(page->out, "\n");
}

/* Whether weak memory is needed for it. */
static const char *model_sentence(const BugView *view)
{
    switch (view->trace->sequential) {
    case SEQUENTIAL_NO: return "The bug does not occur under sequential consistency.";
    case SEQUENTIAL_YES: return "The bug occurs under sequential consistency too.";
    case SEQUENTIAL_UNKNOWN: break;
    }
    return view->is_weak ? "This execution is not possible under sequential consistency." : NULL;
}

/* What weak memory had to do with it. */
static void write_explanation(const Page *page)
{
    const BugView *view = page->view;
    const char *model = model_sentence(view);
    for (uint32_t i = 0; i < view->explanation_count; i++) {
        text_add_string(page->out, "\n");
        style_add_paragraph(page->style, page->out, view->explanation[i]);
    }
    if (model) {
        text_add_string(page->out, "\n");
        style_add_paragraph(page->style, page->out, model);
    }
}

void report_text_bug(const BugView *view, const Style *style, Text *out)
{
    Page page = {view, style, out};
    write_headline(&page);
    write_inputs(&page);
    for (uint32_t i = 0; i < view->party_count; i++)
        write_party(&page, &view->parties[i]);
    write_places(&page);
    write_steps(&page);
    write_explanation(&page);
    write_output(&page);
    write_replay(&page);
}

/* ---- The end of a run ---------------------------------------------------------------- */

/* "3 threads", "1 thread": `words` is the plural. */
static void write_counted(Text *out, uint64_t count, const char *words)
{
    style_add_count(out, count);
    text_add(out, " %.*s", (int)strlen(words) - (count == 1), words);
}

static void write_figures(const Summary *summary, Text *out)
{
    const ExploreStats *stats = &summary->stats;
    text_add_string(out, "  ");
    write_counted(out, stats->executions, "executions");
    text_add_string(out, ", ");
    style_add_count(out, stats->redundant);
    text_add_string(out, stats->states ? " ended in a known state; up to " : " redundant; up to ");
    write_counted(out, stats->depth, "steps");
    text_add_string(out, ", ");
    write_counted(out, stats->agents, summary->agents ? summary->agents : "threads");
    text_add_string(out, "; ");
    style_add_time(out, summary->seconds);
    if (summary->seconds > 0.01) {
        text_add_string(out, " (");
        style_add_short(out, (double)stats->executions / summary->seconds);
        text_add_string(out, "/s)");
    }
    text_add_string(out, ", ");
    style_add_memory(out, summary->peak_kb);
    text_add_string(out, "\n");
}

static void write_goals(const Summary *summary, Text *out)
{
    for (unsigned reached = 2; reached-- > 0;) {
        const char *separator = reached ? "  reached: " : "  never reached: ";
        for (uint32_t i = 0; i < summary->goal_count; i++)
            if (summary->goals[i].is_reached == (reached == 1)) {
                text_add(out, "%s%s", separator, summary->goals[i].name);
                separator = ", ";
            }
        if (separator[0] == ',')
            text_add_string(out, "\n");
    }
}

static void write_endless_loop(const Summary *summary, Text *out)
{
    const Busiest *busiest = &summary->busiest;
    text_add_string(out, "  the longest execution comes back to one place: ");
    style_add_count(out, busiest->steps);
    text_add_string(out, " of ");
    write_counted(out, busiest->length, "steps");
    text_add(out, " at %s:%u", source_base_name(busiest->file), busiest->line);
    if (busiest->function)
        text_add(out, " in %s", busiest->function);
    text_add_string(out, "; --unroll=N bounds a loop, --max-steps=N recursion too\n");
}

/* Why a model was taken under which the memory orders of the program make no difference. */
static void write_memory(const Summary *summary, const Style *style, Text *out)
{
    Text line = {0};
    if (!summary->weak_orders || !summary->memory || strcmp(summary->memory, "sc") != 0)
        return;
    text_add_string(&line, "atomics weaker than seq_cst were taken as seq_cst");
    if (summary->memory_why)
        text_add(&line, ": %s", summary->memory_why);
    else
        text_add_string(&line, "; --memory=rc11 takes them as written");
    style_add_paragraph(style, out, line.data);
    text_release(&line);
}

/* With faults that were allowed but never happened: then their budget had no effect. */
static void write_faults(const FaultTotals *faults, Text *out)
{
    if (!faults->possible)
        return;
    text_add_string(out, "  faults that happened: lost ");
    style_add_count(out, faults->lost);
    text_add_string(out, ", sent twice ");
    style_add_count(out, faults->duplicated);
    text_add_string(out, ", cut off ");
    style_add_count(out, faults->cut_off);
    text_add_string(out, ", crashed ");
    style_add_count(out, faults->crashed);
    if (faults->may_reset) {
        text_add_string(out, ", reset ");
        style_add_count(out, faults->reset);
    }
    if (faults->may_shorten) {
        text_add_string(out, ", shortened ");
        style_add_count(out, faults->shortened);
    }
    if (faults->may_part) {
        text_add_string(out, ", partitions ");
        style_add_count(out, faults->parted);
    }
    text_add_string(out, "\n");
}

static void write_asides(const Summary *summary, const Style *style, Text *out)
{
    if (summary_has_endless_loop(summary))
        write_endless_loop(summary, out);
    if (summary->misses_states && summary_seems_endless(summary))
        text_add_string(out, "  an execution may have no end: --reduction=states recognises states it has been in\n");
    if (summary->samples > 0) {
        text_add_string(out, "  ");
        write_counted(out, summary->samples, "executions");
        text_add_string(out, " were sampled beside the search");
        for (uint32_t i = 0; i < summary->sampled_bug_count; i++)
            text_add(out, "%s %s", i ? "," : " and found", summary->sampled_bugs[i]);
        text_add_string(out, "\n");
    }
    if (summary->restore) {
        text_add_string(out, "  ");
        write_counted(out, summary->stats.restored, "executions");
        text_add(out, " continued where they differ from the one before (--restore=%s)\n", summary->restore);
    }
    if (summary->stats.assumed > 0) {
        text_add_string(out, "  ");
        write_counted(out, summary->stats.assumed, "executions");
        text_add_string(out, " ended early at a failed assumption\n");
    }
    if (summary->stats.symmetric > 0) {
        text_add_string(out, "  ");
        style_add_count(out, summary->stats.symmetric);
        text_add_string(out,
                        " times a message followed an equal one: their other orders were left out (--symmetry)\n");
    }
    write_faults(&summary->faults, out);
    write_goals(summary, out);
    if (summary->coverage) {
        CoverageTotals totals = coverage_totals(summary->coverage);
        text_add_string(out, "  executed ");
        coverage_write_phrase(&totals, out);
        text_add_string(out, totals.branches_hit < totals.branches ? " (sennit cov shows the rest)\n" : "\n");
    }
    write_memory(summary, style, out);
    if (summary->opaque_count > 0) {
        enum { SHOWN = 8 };
        text_add_string(out, "  uninstrumented calls, each run as one atomic step:");
        uint32_t shown = style->verbose || summary->opaque_count < SHOWN ? summary->opaque_count : SHOWN;
        for (uint32_t i = 0; i < shown; i++)
            text_add(out, "%s %s", i ? "," : "", summary->opaque[i]);
        if (summary->opaque_count > shown)
            text_add(out, " and %u more (-v lists them)", summary->opaque_count - shown);
        text_add_string(out, "\n");
    }
    if (summary->directory)
        text_add(out, "  results are in %s\n", summary->directory);
}

static Paint verdict_paint(const Summary *summary)
{
    if (summary->bugs > 0 || summary->ending == ENDING_FAILED)
        return PAINT_BUG;
    Verdict verdict = summary_verdict(summary);
    return verdict == VERDICT_EXHAUSTIVE || verdict == VERDICT_BUT_FOR ? PAINT_GOOD : PAINT_WARN;
}

void report_text_summary(const Summary *summary, const Style *style, Text *out)
{
    Text sentence = {0};
    text_add(&sentence, "%s: ", summary->name);
    style_add(style, out, PAINT_BOLD, sentence.data, 0);
    text_reset(&sentence);
    summary_write_verdict(summary, &sentence);
    style_add(style, out, verdict_paint(summary), sentence.data, 0);
    text_add_string(out, ".\n");
    text_release(&sentence);
    if (summary->note)
        style_add_paragraph(style, out, summary->note);
    write_figures(summary, out);
    write_asides(summary, style, out);
}
