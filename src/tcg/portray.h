/* portray.h - from a finished execution to a test: its start, its schedule and its end
 *
 * Only the part of the start state that the execution used is known. Values that no step depended on are shown as "_";
 * in the test they have some value of their type.
 */
#ifndef TCG_PORTRAY_H
#define TCG_PORTRAY_H

#include "abs/program/program_abs.h"
#include "tcg/testcase.h"

/* Fills objects, tasks, constraints and the texts of the steps; inputs, choices and steps are filled already. */
void portray(AbsProgram *program, const Execution *ex, TestFormat format, TestCase *test);

#endif
