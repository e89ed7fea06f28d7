/* decision_coverage.h - which decisions of a model went which way in the executions of a search */
#ifndef SUBJECT_ABS_DECISION_COVERAGE_H
#define SUBJECT_ABS_DECISION_COVERAGE_H

#include "abs/program/program_abs.h"
#include "base/region.h"
#include "report/json.h"
#include "report/style.h"

/* In the region: the workers note what they see. */
typedef struct DecisionCoverage {
    uint32_t count;       /* from 1                             */
    uint8_t *sent;        /* what other processes have heard of */
    uint8_t *counted;     /* the same as words                  */
    uint8_t covered[];    /* COVERED_*                          */
} DecisionCoverage;

/* Lets the program note its decisions. */
DecisionCoverage *decision_coverage_create(Region *region, AbsProgram *program);

/* Has each gone both ways? */
bool decision_coverage_is_complete(const DecisionCoverage *decisions);

/* For other processes, a line "decision NUMBER WAYS" each: what is new, or all. And such a line. */
void decision_coverage_export(DecisionCoverage *decisions, bool all, Text *out);
/* As words " 3t 5f": what is new since the last call. Answers how many there are if each has gone both ways. */
uint32_t decision_coverage_reached(DecisionCoverage *decisions, Text *words);
bool decision_coverage_import(DecisionCoverage *decisions, const char *line);

/* How many have, and the others with what they never did. `finished`: nothing is left to be
 * explored, so they cannot. */
void decision_coverage_report(const DecisionCoverage *decisions, AbsProgram *program, bool finished, Text *out);
void decision_coverage_report_json(const DecisionCoverage *decisions, AbsProgram *program, bool finished, Text *out);

#endif
