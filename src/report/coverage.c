/* coverage.c - see coverage.h */
#include "report/coverage.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "report/source.h"

/* ---- Points ------------------------------------------------------------------- */

/* System headers are not part of the program under test. */
static bool is_of_interest(const CoveragePoint *point)
{
    return point->line > 0 && strncmp(point->file, "/usr/", 5) != 0 && strcmp(point->file, "?") != 0;
}

void coverage_add(CodeCoverage *coverage, const CoveragePoint *point)
{
    if (!is_of_interest(point))
        return;
    if (coverage->count == coverage->room) {
        coverage->room = coverage->room ? 2 * coverage->room : 256;
        coverage->points = mem_resize(coverage->points, coverage->room * sizeof *coverage->points);
    }
    coverage->points[coverage->count++] = *point;
}

void coverage_release(CodeCoverage *coverage)
{
    free(coverage->points);
    *coverage = (CodeCoverage){0};
}

static int compare_numbers(uint32_t a, uint32_t b)
{
    return a < b ? -1 : a > b;
}

/* A line of a file may belong to several functions (macros, inlining): it is one line. */
static int compare_branches(const CoveragePoint *a, const CoveragePoint *b)
{
    int order = compare_numbers(a->column, b->column);
    if (!order)
        order = strcmp(a->function, b->function);
    return order ? order : compare_numbers(a->ordinal, b->ordinal);
}

static int compare_points(const void *left, const void *right)
{
    const CoveragePoint *a = left, *b = right;
    int order = strcmp(a->file, b->file);
    if (!order)
        order = compare_numbers(a->kind, b->kind);
    if (!order)
        order = compare_numbers(a->line, b->line);
    if (!order && a->kind == COVERAGE_FUNCTION)
        order = strcmp(a->function, b->function);
    if (!order && a->kind == COVERAGE_BRANCH)
        order = compare_branches(a, b);
    return order || a->kind != COVERAGE_BRANCH ? order : compare_numbers(a->outcome, b->outcome);
}

static bool same_branch(const CoveragePoint *a, const CoveragePoint *b)
{
    return a->kind == COVERAGE_BRANCH && b->kind == COVERAGE_BRANCH && a->line == b->line &&
           strcmp(a->file, b->file) == 0 && compare_branches(a, b) == 0;
}

/* The end of the outcomes of the branch that starts at `first`. */
static uint32_t end_of_branch(const CodeCoverage *coverage, uint32_t first)
{
    uint32_t end = first + 1;
    while (end < coverage->count && same_branch(&coverage->points[first], &coverage->points[end]))
        end++;
    return end;
}

static void note_reached(CodeCoverage *coverage)
{
    for (uint32_t first = 0, end; first < coverage->count; first = end) {
        bool reached = false;
        end = end_of_branch(coverage, first);
        for (uint32_t i = first; i < end; i++)
            reached |= coverage->points[i].hit;
        for (uint32_t i = first; i < end; i++)
            coverage->points[i].reached = reached;
    }
}

void coverage_sort(CodeCoverage *coverage)
{
    uint32_t kept = 0;
    if (coverage->count)
        qsort(coverage->points, coverage->count, sizeof *coverage->points, compare_points);
    for (uint32_t i = 0; i < coverage->count; i++) {
        CoveragePoint *last = kept ? &coverage->points[kept - 1] : NULL;
        if (last && compare_points(last, &coverage->points[i]) == 0)
            last->hit |= coverage->points[i].hit;
        else
            coverage->points[kept++] = coverage->points[i];
    }
    coverage->count = kept;
    note_reached(coverage);
}

CoverageTotals coverage_totals(const CodeCoverage *coverage)
{
    CoverageTotals totals = {0};
    for (uint32_t i = 0; i < coverage->count; i++) {
        const CoveragePoint *point = &coverage->points[i];
        uint32_t *all = point->kind == COVERAGE_LINE ? &totals.lines
                        : point->kind == COVERAGE_FUNCTION ? &totals.functions : &totals.branches;
        uint32_t *hit = point->kind == COVERAGE_LINE ? &totals.lines_hit
                        : point->kind == COVERAGE_FUNCTION ? &totals.functions_hit : &totals.branches_hit;
        ++*all;
        *hit += point->hit;
    }
    return totals;
}

/* ---- Writing -------------------------------------------------------------------- */

static void write_function(const CoveragePoint *point, Text *out)
{
    text_add(out, "FN:%u,%s\nFNDA:%d,%s\n", point->line, point->function, point->hit, point->function);
}

/* `block` numbers the branches of a line. */
static void write_branch(const CoveragePoint *point, uint32_t block, Text *out)
{
    text_add(out, "BRDA:%u,%u,%u,%s\n", point->line, block, point->outcome,
             !point->reached ? "-" : point->hit ? "1" : "0");
}

static void write_file(const CodeCoverage *coverage, uint32_t first, uint32_t end, const char *directory, Text *out)
{
    const CoveragePoint *points = coverage->points;
    CodeCoverage part = {.points = coverage->points + first, .count = end - first};
    CoverageTotals totals = coverage_totals(&part);
    bool relative = points[first].file[0] != '/' && *directory;
    text_add(out, "TN:\nSF:%s%s%s\n", relative ? directory : "", relative ? "/" : "", points[first].file);
    for (uint32_t i = first, block = 0; i < end; i++) {
        const CoveragePoint *before = i > first ? &points[i - 1] : NULL;
        switch (points[i].kind) {
        case COVERAGE_FUNCTION:
            write_function(&points[i], out);
            break;
        case COVERAGE_LINE:
            text_add(out, "DA:%u,%d\n", points[i].line, points[i].hit);
            break;
        case COVERAGE_BRANCH:
            if (!before || before->kind != COVERAGE_BRANCH || before->line != points[i].line)
                block = 0;
            else if (!same_branch(before, &points[i]))
                block++;
            write_branch(&points[i], block, out);
            break;
        }
    }
    text_add(out, "FNF:%u\nFNH:%u\nBRF:%u\nBRH:%u\nLF:%u\nLH:%u\nend_of_record\n", totals.functions,
             totals.functions_hit, totals.branches, totals.branches_hit, totals.lines, totals.lines_hit);
}

void coverage_write_lcov(const CodeCoverage *coverage, const char *directory, Text *out)
{
    for (uint32_t first = 0, end; first < coverage->count; first = end) {
        end = first + 1;
        while (end < coverage->count && strcmp(coverage->points[first].file, coverage->points[end].file) == 0)
            end++;
        write_file(coverage, first, end, directory, out);
    }
}

static void write_missing(const CoveragePoint *point, const char *directory, Text *out)
{
    text_add(out, "%s:%u:%u: in %s: ", point->file, point->line, point->column, point->function);
    if (!point->reached)
        text_add_string(out, "never reached");
    else if (point->words)
        text_add(out, "this %s is never %s", point->what, point->words);
    else if (point->target)
        text_add(out, "the branch to line %u was never taken", point->target);
    else
        text_add(out, "never has outcome %u", point->outcome + 1);
    text_add_string(out, "\n        ");
    if (!source_add_line(out, point->file, directory, point->line))
        text_add_string(out, "(source not found)");
    text_add_string(out, "\n");
}

void coverage_write_uncovered(const CodeCoverage *coverage, const char *directory, Text *out)
{
    for (uint32_t i = 0; i < coverage->count; i++) {
        const CoveragePoint *point = &coverage->points[i];
        bool again = i > 0 && !point->reached && same_branch(point, point - 1);
        if (point->kind == COVERAGE_BRANCH && !point->hit && !again)
            write_missing(point, directory, out);
    }
}

static unsigned percent(uint32_t part, uint32_t all)
{
    return all ? (unsigned)((uint64_t)part * 100 / all) : 100;
}

void coverage_write_phrase(const CoverageTotals *totals, Text *out)
{
    text_add(out, "%u %% of %u line%s, %u of %u branch%s", percent(totals->lines_hit, totals->lines), totals->lines,
             totals->lines == 1 ? "" : "s", totals->branches_hit, totals->branches,
             totals->branches == 1 ? "" : "es");
}

/* ---- A table from a tracefile ------------------------------------------------------ */

static void write_row(const char *name, size_t width, const CoverageTotals *totals, Text *out)
{
    text_add(out, "%-*s  %6u of %6u %4u %%  %6u of %6u %4u %%  %5u of %5u\n", (int)width, name, totals->lines_hit,
             totals->lines, percent(totals->lines_hit, totals->lines), totals->branches_hit, totals->branches,
             percent(totals->branches_hit, totals->branches), totals->functions_hit, totals->functions);
}

static void add_totals(CoverageTotals *sum, const CoverageTotals *part)
{
    sum->lines += part->lines;
    sum->lines_hit += part->lines_hit;
    sum->branches += part->branches;
    sum->branches_hit += part->branches_hit;
    sum->functions += part->functions;
    sum->functions_hit += part->functions_hit;
}

static void read_count(const char *line, CoverageTotals *totals)
{
    static const char *const keys[] = {"LF:", "LH:", "BRF:", "BRH:", "FNF:", "FNH:"};
    uint32_t *const counts[] = {&totals->lines, &totals->lines_hit, &totals->branches, &totals->branches_hit,
                                &totals->functions, &totals->functions_hit};
    for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++)
        if (strncmp(line, keys[i], strlen(keys[i])) == 0)
            *counts[i] = (uint32_t)strtoul(line + strlen(keys[i]), NULL, 10);
}

static size_t widest_name(const char *tracefile)
{
    size_t widest = 5;
    for (const char *line = tracefile; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (strncmp(line, "SF:", 3) == 0 && strcspn(line + 3, "\n") > widest)
            widest = strcspn(line + 3, "\n");
    return widest;
}

bool coverage_write_table(const char *tracefile, Text *out)
{
    CoverageTotals all = {0}, totals = {0};
    Text name = {0};
    uint32_t files = 0;
    size_t width = widest_name(tracefile);
    text_add(out, "%-*s  %-22s  %-22s  %s\n", (int)width, "file", "lines", "branches", "functions");
    for (const char *line = tracefile; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, "SF:", 3) == 0) {
            text_reset(&name);
            text_add_bytes(&name, line + 3, strcspn(line + 3, "\n"));
            totals = (CoverageTotals){0};
        } else if (strncmp(line, "end_of_record", 13) == 0) {
            write_row(text_borrow(&name), width, &totals, out);
            add_totals(&all, &totals);
            files++;
        } else {
            read_count(line, &totals);
        }
    }
    if (files > 1)
        write_row("all", width, &all, out);
    text_release(&name);
    return files > 0;
}
