/* crash.h - the finding of an execution that killed its process */
#ifndef APP_SEARCH_CRASH_H
#define APP_SEARCH_CRASH_H

#include "core/execution.h"

/* If the process that ran `ex` died in it and left no finding, adds one that says how it died. `status` is
 * that of waitpid. False if it did not die in the program under test. */
bool crash_note(Execution *ex, int status);

#endif
