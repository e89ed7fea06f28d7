/* restore.h - executions that continue where they differ from the one before, instead of beginning anew
 *
 * A mark is the state of an execution before one of its steps, while all threads wait: the program's memory, the used
 * part of each stack, what the runtime knows. Marks lie along the newest execution. An execution whose plan repeats the
 * steps up to a mark is continued from there; what it leaves is what it would leave from the beginning. The engine
 * does not notice. docs/design/restoring.md says what belongs to a mark, and which programs have none.
 */
#ifndef RT_PROGRAM_RESTORE_H
#define RT_PROGRAM_RESTORE_H

#include "base/error.h"
#include "rt/kernel/runtime.h"

/* Once per process, after everything else. False if executions must be continued and cannot be. */
bool restore_init(Error *error);
/* An execution along ex->plan begins. True: there is a mark from which restore_run continues it. Otherwise it must
 * begin anew; it may leave a mark. */
bool restore_find(Execution *ex);
/* Continues from the mark. The plan has been adopted. */
void restore_run(Execution *ex);
/* Is what it left to be compared with what it leaves from its beginning? Then that comes next. */
bool restore_is_checked(const Execution *ex);
void restore_begin_check(Execution *ex);
/* The execution has ended. */
void restore_end(Execution *ex);

#endif
