/* restore_check.h - does an execution that was continued from a mark leave what it leaves from its beginning? */
#ifndef RT_PROGRAM_RESTORE_CHECK_H
#define RT_PROGRAM_RESTORE_CHECK_H

#include "core/execution.h"

/* Keeps what the execution has left. */
void restore_check_keep(const Execution *ex);
/* The same execution has been run from its beginning: ends the search if it left something else. */
void restore_check_compare(const Execution *ex);

#endif
