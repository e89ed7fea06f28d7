/* cycleview.c - see cycleview.h */
#include "report/cycleview.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "report/json.h"

static const char *const NAMES[] = {"unchecked", "confirmed", "discarded", "timeout"};

void cycleview_name(CycleView *cycle)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < cycle->place_count; i++) {
        uint64_t place = cycle->places[i].line;
        for (const char *c = cycle->places[i].function; c && *c; c++)
            place = map_mix(place, (uint64_t)*c);
        sum += map_mix(place, 7);
    }
    snprintf(cycle->id, sizeof cycle->id, "%04x", (unsigned)(map_mix(sum, 11) & 0xffff));
}

static bool has_id(const CycleView *cycles, uint32_t count, const char *id)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(cycles[i].id, id) == 0)
            return true;
    return false;
}

void cycleview_tell_apart(CycleView *cycles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CycleView *cycle = &cycles[i];
        uint64_t hash = cycle->place_count;
        for (const char *c = cycle->line; c && *c; c++)
            hash = map_mix(hash, (uint64_t)*c);
        for (uint32_t k = 0; k < cycle->place_count; k++)
            hash = map_mix(hash, cycle->places[k].column);
        for (; has_id(cycles, i, cycle->id); hash = map_mix(hash, 13))
            snprintf(cycle->id, sizeof cycle->id, "%04x", (unsigned)(hash & 0xffff));
    }
}

/* ---- JSON --------------------------------------------------------------------------- */

static void add_places(Json *json, const CycleView *cycle)
{
    json_open_list(json, "places");
    for (uint32_t i = 0; i < cycle->place_count; i++) {
        json_open_object(json, NULL);
        json_add_string(json, "file", cycle->places[i].file);
        json_add_count(json, "line", cycle->places[i].line);
        json_add_string(json, "function", cycle->places[i].function);
        json_close_object(json);
    }
    json_close_list(json);
}

/* "a -12:f-> b -20:g-> a" as a list of edges. */
static void add_edges(Json *json, const char *line)
{
    const char *from = line, *opens;
    json_open_list(json, "edges");
    while ((opens = strstr(from, " -"))) {
        const char *label = opens + 2, *closes = strstr(label, "-> ");
        if (!closes)
            break;
        const char *to = closes + 3, *next = strstr(to, " -");
        size_t length = next ? (size_t)(next - to) : strlen(to);
        json_open_object(json, NULL);
        json_add_bytes(json, "from", from, (size_t)(opens - from));
        json_add_bytes(json, "label", label, (size_t)(closes - label));
        json_add_bytes(json, "to", to, length);
        json_close_object(json);
        from = to;
    }
    json_close_list(json);
}

/* Indented lines: a text per line. */
static void add_lines(Json *json, const char *key, const char *lines)
{
    json_open_list(json, key);
    while (lines && *lines) {
        lines += strspn(lines, " ");
        size_t length = strcspn(lines, "\n");
        if (length)
            json_add_bytes(json, NULL, lines, length);
        lines += length + (lines[length] == '\n');
    }
    json_close_list(json);
}

static void add_cycle(Json *json, const CycleView *cycle)
{
    json_open_object(json, NULL);
    json_add_string(json, "id", cycle->id);
    json_add_string(json, "cycle", cycle->line);
    if (cycle->title)
        json_add_string(json, "title", cycle->title);
    add_edges(json, cycle->line);
    add_lines(json, "details", cycle->details);
    if (cycle->constraints)
        add_lines(json, "constraints", cycle->constraints);
    add_places(json, cycle);
    if (cycle->source)
        json_add_string(json, "source", cycle->source);
    json_add_string(json, "result", NAMES[cycle->result]);
    json_add_bool(json, "bounded", cycle->bounded);
    if (cycle->note)
        json_add_string(json, "note", cycle->note);
    json_add_string(json, "trace", cycle->trace);
    json_add_count(json, "states", cycle->states);
    json_add_count(json, "executions", cycle->executions);
    json_add_count(json, "pruned", cycle->pruned);
    json_add_count(json, "deadlocks", cycle->deadlocks);
    json_add_number(json, "seconds", cycle->seconds);
    if (cycle->compared) {
        json_add_count(json, "states_guided", cycle->states_guided);
        json_add_count(json, "states_unguided", cycle->states_unguided);
    }
    json_close_object(json);
}

void cycleview_write_json(const CycleView *cycles, uint32_t count, Text *out)
{
    Json json = {.text = out, .first = true};
    json_open_list(&json, NULL);
    for (uint32_t i = 0; i < count; i++)
        add_cycle(&json, &cycles[i]);
    json_close_list(&json);
}

/* ---- Text ---------------------------------------------------------------------------- */

static void add_result(const CycleView *cycle, const Style *style, Text *out)
{
    static const Paint paints[] = {PAINT_WARN, PAINT_BUG, PAINT_GOOD, PAINT_WARN};
    static const char *const sentences[] = {"not checked", "confirmed: an execution reaches this deadlock",
                                            "discarded: no schedule leads to it",
                                            "undecided: the time limit for this cycle was reached"};
    static const char *const others[] = {"not checked", "confirmed: in an execution a task waits forever",
                                         "discarded: no schedule leads to it", "undecided: the time limit was reached"};
    text_add_string(out, "  ");
    style_add(style, out, paints[cycle->result], (cycle->title ? others : sentences)[cycle->result], 0);
    if (cycle->bounded && cycle->result == CYCLE_DISCARDED)
        text_add_string(out, " within the bounds");
    if (cycle->note)
        text_add(out, " (%s)", cycle->note);
    if (cycle->executions) {
        text_add_string(out, "; ");
        style_add_count(out, cycle->states);
        text_add_string(out, " states in ");
        style_add_count(out, cycle->executions);
        text_add_string(out, cycle->executions == 1 ? " execution, " : " executions, ");
        style_add_time(out, cycle->seconds);
    }
    text_add_string(out, "\n");
}

void cycleview_write_text(const CycleView *cycle, uint32_t number, uint32_t count, const Style *style, Text *out)
{
    Text head = {0};
    if (cycle->title)
        text_add_string(&head, cycle->title);
    else
        text_add(&head, "Cycle %u of %u", number, count);
    style_add(style, out, PAINT_BOLD, head.data, 0);
    text_add(out, " [%s]: %s\n%s", cycle->id, cycle->line, cycle->details ? cycle->details : "");
    if (style->verbose && cycle->constraints)
        text_add(out, "  necessary conditions of a deadlock along it:\n%s", cycle->constraints);
    add_result(cycle, style, out);
    if (cycle->report)
        text_add(out, "\n%s", cycle->report);
    text_add_string(out, "\n");
    text_release(&head);
}

uint32_t cycleview_cycles(const CycleView *cycles, uint32_t count)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += cycles[i].title == NULL;
    return found;
}

uint32_t cycleview_count(const CycleView *cycles, uint32_t count, CycleResult result)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        found += cycles[i].result == result;
    return found;
}

void cycleview_write_counts(const CycleView *cycles, uint32_t count, Text *out)
{
    static const CycleResult order[] = {CYCLE_CONFIRMED, CYCLE_DISCARDED, CYCLE_TIMEOUT, CYCLE_UNCHECKED};
    static const char *const words[] = {"not checked", "confirmed", "discarded", "undecided"};
    const char *separator = "";
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t found = cycleview_count(cycles, count, order[i]);
        if (found)
            text_add(out, "%s%u %s", separator, found, words[order[i]]);
        separator = found ? ", " : separator;
    }
}
