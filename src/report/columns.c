/* columns.c - see columns.h */
#include "report/columns.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/source.h"

enum {
    INDENT = 2, NUMBER = 6, WHERE_LEAST = 8, WHERE_MOST = 22,
    COLUMN_LEAST = 15, COLUMN_MOST = 48, GAP = 2,
    RUN_KEPT = 2,     /* steps kept at both ends of a sequence that is shortened */
    RUN_LONGEST = 8,  /* unmarked steps in sequence up to this number are kept   */
    TAIL_KEPT = 6     /* the last steps are always shown                         */
};

typedef struct StepTable {
    const BugView *view;
    const Style *style;
    Text *out;
    uint32_t where_width;
    uint32_t *columns;     /* width of each thread's column; NULL: a list instead of columns */
    uint32_t name_width;   /* of the longest thread name                                     */
    Text scratch;
} StepTable;

/* ---- Measuring ------------------------------------------------------------- */

/* "bank.c:23", or "" for an unknown place. */
static void write_place(Text *out, const TracePlace *place)
{
    if (place->file)
        text_add(out, "%s:%u", source_base_name(place->file), place->line);
}

static uint32_t thread_of(const BugView *view, const char *path)
{
    uint32_t i = 0;
    while (i < view->thread_count && strcmp(view->threads[i].path, path) != 0)
        i++;
    return i;
}

static void widen(uint32_t *width, uint32_t wanted, uint32_t most)
{
    if (wanted > *width)
        *width = wanted < most ? wanted : most;
}

static const char *brief_of(const PartyView *party)
{
    return party->brief ? party->brief : party->action ? party->action : "";
}

static void measure_row(StepTable *table, const TracePlace *place, uint32_t thread, const char *text)
{
    text_reset(&table->scratch);
    write_place(&table->scratch, place);
    widen(&table->where_width, (uint32_t)table->scratch.length, WHERE_MOST);
    if (thread < table->view->thread_count)
        widen(&table->columns[thread], style_width(text) + GAP, COLUMN_MOST);
}

/* Makes columns narrower, the widest one first, until they fit. False if that is not possible. */
static bool squeeze(StepTable *table)
{
    uint32_t count = table->view->thread_count, taken = INDENT + NUMBER + 2 + table->where_width, sum = 0;
    uint32_t room = table->style->width > taken ? table->style->width - taken : 0;
    for (uint32_t i = 0; i < count; i++)
        sum += table->columns[i];
    for (; sum > room; sum--) {
        uint32_t widest = 0;
        for (uint32_t i = 1; i < count; i++)
            if (table->columns[i] > table->columns[widest])
                widest = i;
        if (table->columns[widest] <= COLUMN_LEAST)
            return false;
        table->columns[widest]--;
    }
    return true;
}

static void measure(StepTable *table)
{
    const BugView *view = table->view;
    table->where_width = WHERE_LEAST;
    table->columns = mem_alloc((view->thread_count + 1) * sizeof *table->columns);
    for (uint32_t i = 0; i < view->thread_count; i++) {
        uint32_t width = style_width(view->threads[i].name);
        widen(&table->name_width, width, 24);
        widen(&table->columns[i], width + GAP, COLUMN_MOST);
    }
    for (uint32_t i = 0; i < view->trace->step_count; i++) {
        const TraceStep *step = &view->trace->steps[i];
        measure_row(table, &step->place, thread_of(view, step->agent), step->text);
    }
    for (uint32_t i = 0; i < view->party_count; i++)
        measure_row(table, &view->parties[i].place, view->parties[i].thread, brief_of(&view->parties[i]));
    if (!squeeze(table)) {
        free(table->columns);
        table->columns = NULL;
    }
}

/* ---- Rows -------------------------------------------------------------------- */

static void begin_row(StepTable *table, const char *number, const TracePlace *place)
{
    text_add_fill(table->out, ' ', INDENT);
    text_add(table->out, "%*s  ", NUMBER - 2, number);
    text_reset(&table->scratch);
    write_place(&table->scratch, place);
    style_add(table->style, table->out, PAINT_DIM, text_borrow(&table->scratch), table->where_width);
    text_add_string(table->out, "  ");
}

/* Ends a line without trailing blanks. */
static void end_row(StepTable *table)
{
    while (table->out->length > 0 && table->out->data[table->out->length - 1] == ' ')
        table->out->data[--table->out->length] = '\0';
    text_add_string(table->out, "\n");
}

static void write_row(StepTable *table, const char *number, const TracePlace *place, uint32_t thread, Paint paint,
                      const char *text)
{
    uint32_t count = table->view->thread_count;
    begin_row(table, number, place);
    if (table->columns) {
        for (uint32_t i = 0; i < thread; i++)
            text_add_fill(table->out, ' ', (int)table->columns[i]);
        style_add(table->style, table->out, paint, text, thread < count ? table->columns[thread] - GAP : 0);
    } else {
        const char *name = thread < count ? table->view->threads[thread].name : "?";
        style_add(table->style, table->out, PAINT_NAME, name, table->name_width);
        text_add_string(table->out, "  ");
        style_add(table->style, table->out, paint, text, 0);
    }
    end_row(table);
}

static void write_head(StepTable *table)
{
    text_add_fill(table->out, ' ', INDENT);
    style_add(table->style, table->out, PAINT_DIM, "step", NUMBER);
    style_add(table->style, table->out, PAINT_DIM, "where", table->where_width + 2);
    for (uint32_t i = 0; table->columns && i < table->view->thread_count; i++) {
        style_add(table->style, table->out, PAINT_NAME, table->view->threads[i].name, table->columns[i] - GAP);
        text_add_fill(table->out, ' ', GAP);
    }
    end_row(table);
}

/* What the parties do between two steps, or after the last one. */
static void write_parties(StepTable *table, uint32_t position)
{
    for (uint32_t i = table->view->party_count; i-- > 0;) { /* the acting one comes last */
        const PartyView *party = &table->view->parties[i];
        if (party->position == position && party->action)
            write_row(table, "=>", &party->place, party->thread, PAINT_BUG, brief_of(party));
    }
}

static bool has_parties(const BugView *view, uint32_t position)
{
    for (uint32_t i = 0; i < view->party_count; i++)
        if (view->parties[i].position == position)
            return true;
    return false;
}

static void write_note(StepTable *table, const char *text)
{
    text_add_fill(table->out, ' ', INDENT + NUMBER);
    style_add(table->style, table->out, PAINT_DIM, text, 0);
    text_add_string(table->out, "\n");
}

static void write_step(StepTable *table, uint32_t position)
{
    const BugView *view = table->view;
    const TraceStep *step = &view->trace->steps[position];
    char number[24];
    bool preempts = view->preempts && view->preempts[position];
    snprintf(number, sizeof number, "%s%u", preempts ? "*" : "", position + 1);
    bool marked = view->marked && view->marked[position];
    if (view->loop && position + view->loop == view->trace->step_count)
        write_note(table, "from here on, for ever:");
    write_parties(table, position);
    write_row(table, number, &step->place, thread_of(view, step->agent), marked ? PAINT_BOLD : PAINT_PLAIN,
              step->text);
}

static void write_omission(StepTable *table, uint32_t count)
{
    text_reset(&table->scratch);
    text_add(&table->scratch, "... %u more steps ...", count);
    write_note(table, table->scratch.data);
}

/* ---- Choosing what is shown ---------------------------------------------------- */

/* Was something chosen, as that a fault happens? */
static bool has_choice(const Trace *trace, const TraceStep *step)
{
    bool chosen = false;
    for (uint32_t i = 0; i < step->choice_count; i++)
        chosen |= trace->choices[step->first_choice + i].taken > 0;
    return chosen;
}

static bool is_important(const BugView *view, uint32_t position)
{
    uint32_t count = view->trace->step_count;
    return has_choice(view->trace, &view->trace->steps[position]) || (view->marked && view->marked[position]) ||
           (view->preempts && view->preempts[position]) || position + view->loop == count ||
           position + TAIL_KEPT >= count ||
           has_parties(view, position) || has_parties(view, position + 1);
}

static void write_steps(StepTable *table)
{
    const BugView *view = table->view;
    uint32_t count = view->trace->step_count;
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        while (end < count && !is_important(view, end))
            end++;
        if (end - i > RUN_LONGEST && !table->style->verbose) {
            for (uint32_t k = 0; k < RUN_KEPT; k++)
                write_step(table, i + k);
            write_omission(table, end - i - 2 * RUN_KEPT);
            i = end - RUN_KEPT;
        }
        for (; i < end; i++)
            write_step(table, i);
        if (i < count)
            write_step(table, i++);
    }
}

void columns_write(const BugView *view, const Style *style, Text *out)
{
    StepTable table = {.view = view, .style = style, .out = out};
    measure(&table);
    write_head(&table);
    write_steps(&table);
    write_parties(&table, view->trace->step_count);
    text_release(&table.scratch);
    free(table.columns);
}
