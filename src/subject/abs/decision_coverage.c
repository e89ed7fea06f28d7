/* decision_coverage.c - see decision_coverage.h */
#include "subject/abs/decision_coverage.h"

#include <stdio.h>
#include <string.h>

static const Image *image_of(const AbsProgram *program) { return program_abs_machine(program)->image; }

DecisionCoverage *decision_coverage_create(Region *region, AbsProgram *program)
{
    uint32_t count = image_of(program)->decisions.count;
    DecisionCoverage *decisions = region_alloc(region, sizeof *decisions + count + 1);
    decisions->count = count;
    decisions->sent = region_alloc(region, count + 1);
    decisions->counted = region_alloc(region, count + 1);
    program_abs_cover(program, decisions->covered);
    return decisions;
}

bool decision_coverage_is_complete(const DecisionCoverage *decisions)
{
    for (uint32_t i = 1; i < decisions->count; i++)
        if (decisions->covered[i] != COVERED_BOTH)
            return false;
    return true;
}

/* ---- For other processes ----------------------------------------------------------- */

void decision_coverage_export(DecisionCoverage *decisions, bool all, Text *out)
{
    for (uint32_t i = 1; i < decisions->count; i++) {
        uint8_t ways = decisions->covered[i];
        if (all ? ways != 0 : ways != decisions->sent[i])
            text_add(out, "decision %u %u\n", i, ways);
        if (!all)
            decisions->sent[i] = ways;
    }
}

uint32_t decision_coverage_reached(DecisionCoverage *decisions, Text *words)
{
    for (uint32_t i = 1; i < decisions->count; i++) {
        uint8_t news = decisions->covered[i] & (uint8_t)~decisions->counted[i];
        if (news & COVERED_TRUE)
            text_add(words, " %ut", i);
        if (news & COVERED_FALSE)
            text_add(words, " %uf", i);
        decisions->counted[i] |= news;
    }
    return decisions->count > 1 ? 2 * (decisions->count - 1) : 0;
}

bool decision_coverage_import(DecisionCoverage *decisions, const char *line)
{
    unsigned number, ways;
    if (sscanf(line, "decision %u %u", &number, &ways) != 2 || number == 0 || number >= decisions->count ||
        ways > COVERED_BOTH)
        return false;
    decisions->covered[number] |= (uint8_t)ways;
    return true;
}

/* ---- Reports ----------------------------------------------------------------------- */

static uint32_t count_covered(const DecisionCoverage *decisions)
{
    uint32_t covered = 0;
    for (uint32_t i = 1; i < decisions->count; i++)
        covered += decisions->covered[i] == COVERED_BOTH;
    return covered;
}

const char *decision_outcome(const CodeDecision *decision, uint8_t outcome)
{
    bool branch = strcmp(decision->kind, "case") == 0 || strcmp(decision->kind, "switch") == 0;
    if (outcome == COVERED_FALSE)
        return branch ? "passed over" : "false";
    return branch ? "matched" : "true";
}

static const char *missing_outcome(const CodeDecision *decision, uint8_t covered)
{
    return covered ? decision_outcome(decision, COVERED_BOTH & (uint8_t)~covered) : "reached";
}

static Place place_of(AbsProgram *program, const CodeDecision *decision)
{
    Program *base = program_abs_program(program);
    Place place = {0};
    base->ops->place(base, (uint64_t)(decision->code->number + 1) << 32 | decision->pos, &place);
    return place;
}

void decision_coverage_report(const DecisionCoverage *decisions, AbsProgram *program, bool finished, Text *out)
{
    text_add(out, "%u of %u decisions had both outcomes\n", count_covered(decisions),
             decisions->count ? decisions->count - 1 : 0);
    for (uint32_t i = 1; i < decisions->count; i++) {
        const CodeDecision *decision = &image_of(program)->decisions.items[i];
        Place place = place_of(program, decision);
        if (decisions->covered[i] != COVERED_BOTH)
            text_add(out, "  %s:%u:%u: this %s %s %s\n", place.file, place.line, place.column, decision->kind,
                     finished ? "is never" : "was not yet", missing_outcome(decision, decisions->covered[i]));
    }
}

void decision_coverage_report_json(const DecisionCoverage *decisions, AbsProgram *program, bool finished, Text *out)
{
    Json json = {.text = out, .first = true};
    json_open_object(&json, NULL);
    json_add_count(&json, "total", decisions->count ? decisions->count - 1 : 0);
    json_add_count(&json, "covered", count_covered(decisions));
    json_add_bool(&json, "finished", finished);
    json_open_list(&json, "missing");
    for (uint32_t i = 1; i < decisions->count; i++) {
        const CodeDecision *decision = &image_of(program)->decisions.items[i];
        Place place = place_of(program, decision);
        if (decisions->covered[i] == COVERED_BOTH)
            continue;
        json_open_object(&json, NULL);
        json_add_string(&json, "kind", decision->kind);
        json_add_string(&json, "file", place.file);
        json_add_count(&json, "line", place.line);
        json_add_string(&json, "function", place.function);
        json_add_string(&json, "never", missing_outcome(decision, decisions->covered[i]));
        json_close_object(&json);
    }
    json_close_list(&json);
    json_close_object(&json);
}
