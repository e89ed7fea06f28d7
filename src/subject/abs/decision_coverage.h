/* decision_coverage.h - decision coverage of a search: which outcomes the decisions of a model had */
#ifndef SUBJECT_ABS_DECISION_COVERAGE_H
#define SUBJECT_ABS_DECISION_COVERAGE_H

#include "abs/program/program_abs.h"
#include "base/region.h"
#include "report/json.h"
#include "report/style.h"

/* In the region: all workers add to it. */
typedef struct DecisionCoverage {
    uint32_t count;       /* decisions, numbered from 1        */
    uint8_t *sent;        /* outcomes exported so far          */
    uint8_t *counted;     /* outcomes reported as words so far */
    uint8_t covered[];    /* COVERED_*                         */
} DecisionCoverage;

/* Makes the program record the outcomes of its decisions. */
DecisionCoverage *decision_coverage_create(Region *region, AbsProgram *program);

/* Has each decision had both outcomes? */
bool decision_coverage_is_complete(const DecisionCoverage *decisions);

/* The outcome (one of COVERED_*) in a word: branches of `case` and `switch` are matched or passed over, conditions are
 * true or false. */
const char *decision_outcome(const CodeDecision *decision, uint8_t outcome);

/* For other processes, a line "decision NUMBER OUTCOMES" each: new ones since the last call, or all. */
void decision_coverage_export(DecisionCoverage *decisions, bool all, Text *out);
/* Adds such a line; false if it is malformed. */
bool decision_coverage_import(DecisionCoverage *decisions, const char *line);
/* New outcomes since the last call as words " 3t 5f" (SearchRecord: record_reached). Answers the number of words of
 * complete coverage. */
uint32_t decision_coverage_reached(DecisionCoverage *decisions, Text *words);

/* How many decisions had both outcomes, and the missing outcomes of the others. `finished`: the search is complete, so
 * these are impossible. */
void decision_coverage_report(const DecisionCoverage *decisions, AbsProgram *program, bool finished, Text *out);
void decision_coverage_report_json(const DecisionCoverage *decisions, AbsProgram *program, bool finished, Text *out);

#endif
