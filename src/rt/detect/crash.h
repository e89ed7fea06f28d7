/* crash.h - fatal signals in program code
 *
 * A crash leaves a finding in the execution and ends the process with RT_EXIT_CRASHED.
 */
#ifndef RT_DETECT_CRASH_H
#define RT_DETECT_CRASH_H

/* Installs the handlers of fatal signals for this process. */
void crash_init(void);
/* Ends the process and its execution, which stays in shared memory. */
_Noreturn void crash_leave(void);

#endif
