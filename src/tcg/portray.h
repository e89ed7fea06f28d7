/* portray.h - a test from an execution that is over: its start, its schedule and its end
 *
 * Of the start state only what the execution looked at is known. What no step depended on is
 * shown as "_"; in the test itself it has some value of its type.
 */
#ifndef TCG_PORTRAY_H
#define TCG_PORTRAY_H

#include "abs/program/program_abs.h"
#include "tcg/testcase.h"

/* Fills objects, tasks, constraints and the texts of the steps; inputs, choices and steps are there. */
void portray(AbsProgram *program, const Execution *ex, TestFormat format, TestCase *test);

#endif
