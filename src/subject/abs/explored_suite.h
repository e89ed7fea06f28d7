/* explored_suite.h - a suite of tests from the executions of a search (`explore --tests DIR`)
 *
 * Each test begins with the main block of the model and has one execution: its schedule, with its inputs. Executions
 * that a bound cut are no tests, since their ends are not known.
 */
#ifndef SUBJECT_ABS_EXPLORED_SUITE_H
#define SUBJECT_ABS_EXPLORED_SUITE_H

#include "abs/program/program_abs.h"
#include "app/run/runinfo.h"
#include "tcg/testcase.h"

typedef struct ExploredSuite {
    const RunInfo *info;
    AbsProgram *program;       /* of the search                                  */
    TestSuite tests;
    uint64_t cut, left;        /* executions that are no tests; beyond --max-tests */
} ExploredSuite;

/* Can the options of a search be those of a test? */
bool explored_suite_check(const Options *options, Error *error);
/* Creates the directory. */
bool explored_suite_prepare(const Options *options, Error *error);
/* Adds the execution that `program` has just repeated. */
void explored_suite_add(ExploredSuite *suite, const Execution *ex);
/* Runs each test, and writes them if all reproduce their executions. */
bool explored_suite_write(ExploredSuite *suite, Error *error);
void explored_suite_release(ExploredSuite *suite);

#endif
