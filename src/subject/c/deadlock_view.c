/* deadlock_view.c - see deadlock_view.h */
#include "subject/c/deadlock_view.h"

#include <stdlib.h>

static void add_wait(const CycleWait *wait, Text *line, Text *details)
{
    text_add(details, "    %s:%u: %s ", wait->file, wait->line, wait->thread);
    if (wait->kind == CYCLEWAIT_ENDED) {
        text_add(line, "%s -%u:%s ends-> ", wait->held, wait->line, wait->thread);
        text_add(details, "locks %s and may end without unlocking it\n", wait->held);
        return;
    }
    text_add(line, "%s -%u:%s-> ", wait->held_line ? wait->held : wait->thread, wait->line, wait->thread);
    text_add(details, wait->kind == CYCLEWAIT_JOIN ? "waits for %s" : "requests %s", wait->requested);
    if (wait->held_line)
        text_add(details, " and holds %s since line %u", wait->held, wait->held_line);
    text_add_string(details, "\n");
}

static void add_place(CycleView *view, const CycleWait *wait)
{
    if (view->place_count < CYCLE_PLACES)
        view->places[view->place_count++] =
            (TracePlace){.file = wait->file, .function = wait->function, .line = wait->line, .column = wait->column};
}

static void add_note(CycleView *view, const CycleCandidate *cycle, const CycleSearch *search)
{
    Text note = {0};
    if (view->result == CYCLE_DISCARDED && cycle->state == LOCKCYCLE_GATED)
        text_add(&note, "guarded by %s", cycle->gate ? cycle->gate : "one lock");
    else if (view->result == CYCLE_DISCARDED && cycle->state == LOCKCYCLE_ORDERED)
        text_add_string(&note, "its waits never happen at the same time");
    else if (search->borrowed)
        text_add_string(&note, "the trace is that of another cycle at the same places");
    view->note = note.data;
}

void deadlockview_fill(CycleView *view, const CycleCandidate *cycle, const CycleSearch *search)
{
    Text line = {0}, details = {0};
    for (uint32_t i = 0; i < cycle->waits.count; i++) {
        add_wait(&cycle->waits.items[i], &line, &details);
        add_place(view, &cycle->waits.items[i]);
    }
    const CycleWait *first = &cycle->waits.items[0];
    text_add_string(&line, first->held_line ? first->held : first->thread);
    view->line = line.data;
    view->details = details.data;
    view->source = cycle->in_code && cycle->in_runs ? "code and runs" : cycle->in_code ? "code" : "runs";
    view->executions = search->executions;
    view->states = search->steps;
    view->seconds = search->seconds;
    view->deadlocks = search->bug ? search->bug->seen : 0;
    add_note(view, cycle, search);
    cycleview_name(view);
}

void deadlockview_release(CycleView *view)
{
    free((char *)view->line);
    free((char *)view->details);
    free((char *)view->note);
}

bool deadlockview_is_for_all(const CycleCandidates *cycles, DeadlockScope scope)
{
    return scope == SCOPE_CODE && candidates_are_complete(cycles) && !cycles->other_waits;
}

void deadlockview_write_scope(const CycleCandidates *cycles, DeadlockScope scope, Text *out)
{
    static const char *const sentences[] = {"", "every schedule was explored", "not every schedule was explored", ""};
    text_add_string(out, sentences[scope]);
    if (cycles->unknown_count && scope != SCOPE_BUG)
        text_add(out, "%s%u place%s in the code where the lock or thread is unknown (%s%s)",
                 out->length ? "; " : "", cycles->unknown_count, cycles->unknown_count == 1 ? "" : "s",
                 cycles->unknown.data, cycles->unknown_count > 3 ? ", ..." : "");
    if (cycles->cut && scope != SCOPE_BUG)
        text_add(out, "%sthe code has more cycles than are listed", out->length ? "; " : "");
    if (cycles->other_waits)
        text_add(out,
                 "%scondition variables, semaphores, barriers and other waits: only as seen in the explored schedules",
                 out->length ? "; " : "");
}
