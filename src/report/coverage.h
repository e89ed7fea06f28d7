/* coverage.h - which lines, functions and branches of the source were executed
 *
 * Filled point by point, then sorted and merged; written in the format of lcov, which genhtml and
 * editors read, and as a readable list of the branches that were never taken.
 */
#ifndef REPORT_COVERAGE_H
#define REPORT_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef enum CoverageKind { COVERAGE_FUNCTION, COVERAGE_LINE, COVERAGE_BRANCH } CoverageKind;

typedef struct CoveragePoint {
    const char *file;      /* strings are borrowed and must outlive the coverage       */
    const char *function;
    uint32_t line, column;
    CoverageKind kind;
    uint32_t ordinal;      /* of a branch among those at the same place                */
    uint32_t outcome;      /* of a branch                                              */
    uint32_t target;       /* of a branch: the line it goes to, 0: unknown             */
    const char *what;      /* of a branch: "if", "while" ... NULL: not known           */
    const char *words;     /* of a branch: its outcome, "true"; NULL: it has a target  */
    bool hit;
    bool reached;          /* of a branch, after coverage_sort: some outcome was taken */
} CoveragePoint;

typedef struct CodeCoverage {
    CoveragePoint *points;
    uint32_t count, room;
} CodeCoverage;

typedef struct CoverageTotals {
    uint32_t lines, lines_hit;
    uint32_t functions, functions_hit;
    uint32_t branches, branches_hit; /* outcomes of branches */
} CoverageTotals;

/* Adds a point; lines without number and system headers are ignored. */
void coverage_add(CodeCoverage *coverage, const CoveragePoint *point);
/* Sorts the points and merges equal ones. Once, after the last point and before the functions below. */
void coverage_sort(CodeCoverage *coverage);
void coverage_release(CodeCoverage *coverage);

CoverageTotals coverage_totals(const CodeCoverage *coverage);
/* A tracefile of lcov; relative names are made absolute with `directory`. */
void coverage_write_lcov(const CodeCoverage *coverage, const char *directory, Text *out);
/* A line for each outcome that no execution took, with the source line. */
void coverage_write_uncovered(const CodeCoverage *coverage, const char *directory, Text *out);

/* "85 % of 20 lines, 7 of 8 branches" */
void coverage_write_phrase(const CoverageTotals *totals, Text *out);

/* Reads a tracefile and writes a table, a row per file and one for all. False if `tracefile`
 * has no record of any file. */
bool coverage_write_table(const char *tracefile, Text *out);

#endif
