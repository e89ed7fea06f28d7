/* repair_c.h - changes of memory orders that may remove a bug */
#ifndef SUBJECT_C_REPAIR_C_H
#define SUBJECT_C_REPAIR_C_H

#include "base/text.h"
#include "core/program.h"

/* Makes the change with this number for the executions that follow, and describes it. Changes are made of the atomic
 * operations of a replayed execution with a bug, and come in the order in which one would try them: one operation with
 * acquire or release, a release and an acquire of one object, a fence, an operation with seq_cst, two fences, two
 * operations, all of them. False if there are no more: everything is as in the program then. */
bool repair_c(Program *program, const Execution *ex, const Finding *finding, uint32_t number, Text *words);

#endif
