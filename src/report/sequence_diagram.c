/* sequence_diagram.c - the sequence diagram of sequence.h
 *
 *     time  main         DB_1         Worker_1
 *        1  main          .            .
 *           + - - - - - ->new          .
 *           +------------>register     .
 *           returned      .            .
 *        2  .             register     .
 *
 * A lifeline is '.' before its object exists, '|' afterwards, '#' while a task blocks it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/sequence.h"

enum { INDENT = 2, TIME = 6, GAP = 2, COLUMN_LEAST = 10, COLUMN_MOST = 30, LABEL_MOST = 64,
       TEXT_MOST = 1024, LIFELINES_MOST = 200 };

typedef struct Diagram {
    const Sequence *sequence;
    const Style *style;
    Text *out;
    uint32_t *columns;  /* width of each lifeline's column      */
    char *marks;        /* of each lifeline: '.', '|', '#'      */
    char *line;         /* the row being drawn, without colours */
    uint32_t width;     /* of it                                */
} Diagram;

/* ---- Measuring -------------------------------------------------------------------- */

static void widen(Diagram *diagram, uint32_t lifeline, const char *text, bool marked)
{
    uint32_t wanted = style_width(text) + marked + GAP;
    if (wanted > COLUMN_MOST)
        wanted = COLUMN_MOST;
    if (wanted > diagram->columns[lifeline])
        diagram->columns[lifeline] = wanted;
}

static void measure(Diagram *diagram)
{
    const Sequence *sequence = diagram->sequence;
    for (uint32_t i = 0; i < sequence->lifeline_count; i++) {
        diagram->columns[i] = COLUMN_LEAST;
        widen(diagram, i, sequence->lifelines[i], false);
    }
    for (uint32_t i = 0; i < sequence->step_count; i++)
        widen(diagram, sequence->steps[i].lifeline, sequence->steps[i].task, sequence->steps[i].responsible);
    for (uint32_t i = 0; i < sequence->call_count; i++)
        if (sequence->calls[i].task)
            widen(diagram, sequence->calls[i].lifeline, sequence->calls[i].task, sequence->calls[i].responsible);
    for (uint32_t i = 0; i < sequence->lifeline_count; i++)
        diagram->width += diagram->columns[i];
}

static uint32_t column_of(const Diagram *diagram, uint32_t lifeline)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < lifeline; i++)
        at += diagram->columns[i];
    return at;
}

/* ---- Rows --------------------------------------------------------------------------- */

static void clear_row(Diagram *diagram)
{
    memset(diagram->line, ' ', diagram->width);
    for (uint32_t i = 0; i < diagram->sequence->lifeline_count; i++)
        diagram->line[column_of(diagram, i)] = diagram->marks[i];
}

static void put(Diagram *diagram, uint32_t at, const char *text, uint32_t room)
{
    for (uint32_t i = 0; text[i] && i < room && at + i < diagram->width; i++)
        diagram->line[at + i] = text[i];
}

static void put_label(Diagram *diagram, uint32_t lifeline, const char *text)
{
    put(diagram, column_of(diagram, lifeline), text, diagram->columns[lifeline] - 1);
}

/* All of a text that nothing else follows in its row: over the lines of other objects, and beyond the last one. */
static uint32_t put_whole(Diagram *diagram, uint32_t at, const char *text)
{
    uint32_t size = (uint32_t)strnlen(text, TEXT_MOST);
    while (at + size > diagram->width)
        diagram->line[diagram->width++] = ' ';
    put(diagram, at, text, size);
    return size;
}

/* Writes the row; `paint` is for the part from `from` on, of `size` characters. */
static void write_row(Diagram *diagram, uint32_t time, Paint paint, uint32_t from, uint32_t size)
{
    uint32_t end = diagram->width;
    diagram->width = column_of(diagram, diagram->sequence->lifeline_count);
    while (end > 0 && diagram->line[end - 1] == ' ')
        end--;
    if (from + size > end)
        size = end > from ? end - from : 0;
    text_add_fill(diagram->out, ' ', INDENT);
    if (time)
        text_add(diagram->out, "%4u  ", time);
    else
        text_add_fill(diagram->out, ' ', TIME);
    text_add_bytes(diagram->out, diagram->line, from);
    Text part = {0};
    text_add_bytes(&part, diagram->line + from, size);
    style_add(diagram->style, diagram->out, paint, text_borrow(&part), 0);
    text_release(&part);
    if (end > from + size)
        text_add_bytes(diagram->out, diagram->line + from + size, end - from - size);
    text_add_string(diagram->out, "\n");
}

static void write_label(Diagram *diagram, uint32_t time, uint32_t lifeline, const char *text, Paint paint)
{
    uint32_t at = column_of(diagram, lifeline);
    clear_row(diagram);
    write_row(diagram, time, paint, at, put_whole(diagram, at, text));
}

/* ---- Steps ------------------------------------------------------------------------------ */

static void write_head(Diagram *diagram)
{
    memset(diagram->line, ' ', diagram->width);
    for (uint32_t i = 0; i < diagram->sequence->lifeline_count; i++)
        put_label(diagram, i, diagram->sequence->lifelines[i]);
    write_row(diagram, 0, PAINT_NAME, 0, diagram->width);
}

/* "*register" if the task is responsible. */
static const char *label_of(const char *task, bool responsible, char buffer[LABEL_MOST])
{
    if (!responsible)
        return task;
    snprintf(buffer, LABEL_MOST, "*%s", task);
    return buffer;
}

/* "+------------>register", or to the left "ping<-----+" */
static void write_call(Diagram *diagram, uint32_t from, const SequenceCall *call)
{
    char buffer[LABEL_MOST];
    const char *label = call->task ? label_of(call->task, call->responsible, buffer) : "new";
    uint32_t start = column_of(diagram, from), end = column_of(diagram, call->lifeline);
    if (!call->task)
        diagram->marks[call->lifeline] = '|';
    clear_row(diagram);
    diagram->line[start] = '+';
    if (end > start) {
        memset(diagram->line + start + 1, call->task ? '-' : ' ', end - start - 1);
        for (uint32_t i = start + 2; !call->task && i + 1 < end; i += 2)
            diagram->line[i] = '-';
        diagram->line[end - 1] = '>';
        put_whole(diagram, end, label);
    } else if (end < start) {
        uint32_t size = style_width(label), room = diagram->columns[call->lifeline] - 1;
        put_label(diagram, call->lifeline, label);
        end += size < room ? size : room;
        memset(diagram->line + end, '-', start - end);
        diagram->line[end] = '<';
    } else {
        put(diagram, start + 1, "->", 2);
        put_whole(diagram, start + 3, label);
    }
    write_row(diagram, 0, PAINT_PLAIN, 0, 0);
}

/* "+. . . . . .>result": the result of a task on another object arrives. */
static void write_receipt(Diagram *diagram, uint32_t to, const SequenceCall *call)
{
    uint32_t start = column_of(diagram, call->lifeline), end = column_of(diagram, to);
    if (start == end)
        return;
    clear_row(diagram);
    diagram->line[start] = '+';
    uint32_t low = start < end ? start + 1 : end + 1, high = start < end ? end - 1 : start;
    put_label(diagram, to, "result");
    if (start > end)
        low += (uint32_t)strlen("result");
    for (uint32_t i = low; i < high; i++)
        diagram->line[i] = (i - low) % 2 ? ' ' : '.';
    diagram->line[start < end ? end - 1 : low - 1] = start < end ? '>' : '<';
    write_row(diagram, 0, PAINT_DIM, 0, 0);
}

/* "- - it is 5 - - -" across all lifelines. */
/* Across all lifelines. */
static void write_line(Diagram *diagram, uint32_t time, const char *label)
{
    for (uint32_t i = 0; i < diagram->width; i++)
        diagram->line[i] = i % 2 ? ' ' : '-';
    uint32_t size = (uint32_t)strlen(label);
    put(diagram, 1, label, size < diagram->width ? size : diagram->width);
    write_row(diagram, time, PAINT_DIM, 0, diagram->width);
}

static void write_clock(Diagram *diagram, uint32_t number)
{
    Text label = {0};
    text_add(&label, " it is %s ", diagram->sequence->steps[number].clock);
    write_line(diagram, number + 1, text_borrow(&label));
    text_release(&label);
}

static void write_step(Diagram *diagram, uint32_t number)
{
    static const Paint paints[] = {PAINT_GOOD, PAINT_WARN, PAINT_BUG, PAINT_BUG, PAINT_BUG, PAINT_PLAIN};
    const SequenceStep *step = &diagram->sequence->steps[number];
    Text fate = {0};
    if (step->loops)
        write_line(diagram, 0, " from here on, for ever: ");
    diagram->marks[step->lifeline] = '|';
    char label[LABEL_MOST];
    write_label(diagram, number + 1, step->lifeline, label_of(step->task, step->responsible, label),
                step->responsible ? PAINT_BUG : PAINT_BOLD);
    for (uint32_t i = 0; i < step->receipt_count; i++)
        write_receipt(diagram, step->lifeline, &diagram->sequence->receipts[step->first_receipt + i]);
    for (uint32_t i = 0; i < step->call_count; i++)
        write_call(diagram, step->lifeline, &diagram->sequence->calls[step->first_call + i]);
    if (step->fate == FATE_OMITTED)
        return;
    if (step->fate == FATE_BLOCKED)
        diagram->marks[step->lifeline] = '#';
    clear_row(diagram);
    sequence_write_fate(step, &fate);
    uint32_t at = column_of(diagram, step->lifeline);
    write_row(diagram, 0, paints[step->fate], at, put_whole(diagram, at, text_borrow(&fate)));
    text_release(&fate);
}

void sequence_write_diagram(const Sequence *sequence, const Style *style, Text *out)
{
    uint32_t count = sequence->lifeline_count;
    if (count > LIFELINES_MOST) {
        text_add(out, "  (no diagram: %u lifelines are too many)\n", count);
        return;
    }
    Diagram diagram = {.sequence = sequence, .style = style, .out = out,
                       .columns = mem_alloc((count + 1) * sizeof *diagram.columns),
                       .marks = mem_alloc(count + 1),
                       .line = mem_alloc((size_t)count * COLUMN_MOST + TEXT_MOST)};
    memset(diagram.marks, '.', count);
    measure(&diagram);
    write_head(&diagram);
    for (uint32_t i = 0; i < sequence->step_count; i++)
        if (sequence->steps[i].clock)
            write_clock(&diagram, i);
        else
            write_step(&diagram, i);
    free(diagram.columns);
    free(diagram.marks);
    free(diagram.line);
}
