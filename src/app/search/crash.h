/* crash.h - what a process that died in the program under test leaves to be noted */
#ifndef APP_SEARCH_CRASH_H
#define APP_SEARCH_CRASH_H

#include "core/execution.h"

/* If the process that ran `ex` died in it without leaving a finding, adds one that tells
 * how it died. `status` is that of waitpid. False if it did not die in the program. */
bool crash_note(Execution *ex, int status);

#endif
