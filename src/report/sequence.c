/* sequence.c - see sequence.h: the table, and the same as JSON */
#include "report/sequence.h"

#include <stdio.h>

enum { INDENT = 2, OBJECT_MOST = 24, TASK_MOST = 32, LINE_WIDTH = 5 };

/* ---- Fates ----------------------------------------------------------------------- */

static const char *fate_name(Fate fate)
{
    static const char *const names[] = {"returned", "waiting", "blocked", "failed", "stopped", ""};
    return names[fate];
}

void sequence_write_fate(const SequenceStep *step, Text *out)
{
    text_add_string(out, fate_name(step->fate));
    if (step->end_line)
        text_add(out, " at line %u", step->end_line);
    if (step->awaits)
        text_add(out, "%s for %s", step->fate == FATE_WAITING ? "" : ", waiting", step->awaits);
}

static Paint fate_paint(Fate fate)
{
    return fate == FATE_RETURNED ? PAINT_GOOD : fate == FATE_WAITING ? PAINT_WARN : PAINT_BUG;
}

/* ---- The table --------------------------------------------------------------------- */

typedef struct Widths {
    uint32_t object, task;
} Widths;

static uint32_t at_most(uint32_t width, uint32_t most) { return width < most ? width : most; }

static Widths measure(const Sequence *sequence)
{
    Widths widths = {6, 4}; /* of the headings */
    for (uint32_t i = 0; i < sequence->step_count; i++) {
        const SequenceStep *step = &sequence->steps[i];
        uint32_t object = style_width(sequence->lifelines[step->lifeline]), task = style_width(step->task);
        widths.object = object > widths.object ? object : widths.object;
        widths.task = task > widths.task ? task : widths.task;
    }
    return (Widths){at_most(widths.object, OBJECT_MOST), at_most(widths.task, TASK_MOST)};
}

static void write_head(const Widths *widths, const Style *style, Text *out)
{
    Text line = {0};
    text_add(&line, "time  %-*s  %-*s  %*s  then", (int)widths->object, "object", (int)widths->task, "task", LINE_WIDTH,
             "line");
    text_add_fill(out, ' ', INDENT);
    style_add(style, out, PAINT_DIM, line.data, 0);
    text_add_string(out, "\n");
    text_release(&line);
}

static void write_clock_row(const SequenceStep *step, uint32_t number, const Widths *widths, const Style *style,
                            Text *out)
{
    Text line = {0};
    text_add_fill(out, ' ', INDENT);
    text_add(out, "%4u  ", number + 1);
    text_add_fill(out, '-', widths->object);
    text_add(out, "  %-*s  %*s  ", (int)widths->task, "clock", LINE_WIDTH, "");
    text_add(&line, "it is %s", step->clock);
    style_add(style, out, PAINT_DIM, text_borrow(&line), 0);
    text_add_string(out, "\n");
    text_release(&line);
}

static void add_events(const Sequence *sequence, const char *verb, const SequenceCall *calls, uint32_t count, Text *out)
{
    for (uint32_t i = 0; i < count; i++)
        if (calls[i].task)
            text_add(out, "%s %s.%s; ", verb, sequence->lifelines[calls[i].lifeline], calls[i].task);
}

static void write_row(const Sequence *sequence, uint32_t number, const Widths *widths, bool whole, const Style *style,
                      Text *out)
{
    const SequenceStep *step = &sequence->steps[number];
    Text fate = {0};
    text_add_fill(out, ' ', INDENT);
    text_add(out, "%4u%c ", number + 1, step->responsible ? '*' : ' ');
    style_add(style, out, PAINT_NAME, sequence->lifelines[step->lifeline], widths->object);
    text_add_string(out, "  ");
    style_add(style, out, PAINT_PLAIN, step->task, widths->task);
    text_add(out, "  %*u  ", LINE_WIDTH, step->line);
    if (whole) {
        text_add_string(out, step->starts ? "starts; " : "");
        add_events(sequence, "receives", &sequence->receipts[step->first_receipt], step->receipt_count, out);
        add_events(sequence, "calls", &sequence->calls[step->first_call], step->call_count, out);
    }
    sequence_write_fate(step, &fate);
    style_add(style, out, fate_paint(step->fate), fate.data, 0);
    if (*step->changes)
        text_add(out, "; %s", step->changes);
    text_add_string(out, "\n");
    text_release(&fate);
}

/* The first row that is written. */
static uint32_t first_row(const Sequence *sequence, const SequenceView *view)
{
    uint32_t rows = 0, first = sequence->step_count;
    for (; view->most && first > 0 && rows < view->most; first--)
        rows += view->whole || !sequence->steps[first - 1].aside;
    return view->most ? first : 0;
}

static void write_gap(uint32_t count, const Style *style, Text *out)
{
    Text line = {0};
    if (!count)
        return;
    text_add(&line, "       ... %u other step%s (-v shows them)", count, count == 1 ? "" : "s");
    style_add(style, out, PAINT_DIM, line.data, 0);
    text_add_string(out, "\n");
    text_release(&line);
}

void sequence_write_table(const Sequence *sequence, const SequenceView *view, const Style *style, Text *out)
{
    Widths widths = measure(sequence);
    uint32_t first = first_row(sequence, view), left_out = 0;
    write_head(&widths, style, out);
    for (uint32_t i = 0; i < sequence->step_count; i++) {
        if (i < first || (sequence->steps[i].aside && !view->whole)) {
            left_out++;
            continue;
        }
        write_gap(left_out, style, out);
        left_out = 0;
        if (sequence->steps[i].clock)
            write_clock_row(&sequence->steps[i], i, &widths, style, out);
        else
            write_row(sequence, i, &widths, view->whole, style, out);
    }
    write_gap(left_out, style, out);
}

void sequence_write_legend(const Sequence *sequence, Text *out)
{
    bool any = false;
    for (uint32_t i = 0; i < sequence->step_count; i++)
        any |= sequence->steps[i].responsible;
    if (any)
        text_add_string(out, "\n  * takes part in the deadlock\n");
}

/* ---- JSON ------------------------------------------------------------------------------ */

static void add_calls(const Sequence *sequence, const char *key, const SequenceCall *calls, uint32_t count, Json *json)
{
    json_open_list(json, key);
    for (uint32_t i = 0; i < count; i++) {
        const SequenceCall *call = &calls[i];
        if (!call->task)
            continue;
        json_open_object(json, NULL);
        json_add_string(json, "object", sequence->lifelines[call->lifeline]);
        json_add_string(json, "task", call->task);
        if (call->path)
            json_add_string(json, "path", call->path);
        json_close_object(json);
    }
    json_close_list(json);
}

void sequence_write_json(const Sequence *sequence, const char *key, Json *json)
{
    json_open_list(json, key);
    for (uint32_t i = 0; i < sequence->step_count; i++) {
        const SequenceStep *step = &sequence->steps[i];
        json_open_object(json, NULL);
        json_add_count(json, "time", i + 1);
        if (step->clock) {
            json_add_string(json, "clock", step->clock);
            json_close_object(json);
            continue;
        }
        json_add_string(json, "object", sequence->lifelines[step->lifeline]);
        json_add_string(json, "task", step->task);
        if (step->path)
            json_add_string(json, "path", step->path);
        json_add_string(json, "file", step->file);
        json_add_count(json, "line", step->line);
        json_add_string(json, "then", fate_name(step->fate));
        if (step->end_line)
            json_add_count(json, "end_line", step->end_line);
        if (step->awaits)
            json_add_string(json, "awaits", step->awaits);
        if (*step->changes)
            json_add_string(json, "changes", step->changes);
        if (step->responsible)
            json_add_bool(json, "responsible", true);
        if (step->aside)
            json_add_bool(json, "aside", true);
        if (step->starts)
            json_add_bool(json, "starts", true);
        add_calls(sequence, "calls", &sequence->calls[step->first_call], step->call_count, json);
        if (step->receipt_count)
            add_calls(sequence, "receives", &sequence->receipts[step->first_receipt], step->receipt_count, json);
        json_close_object(json);
    }
    json_close_list(json);
}
