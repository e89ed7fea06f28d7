/* crash.h - fatal signals and hangs in program code
 *
 * A crash leaves a finding in the execution, a step without end a cut; both end the process with RT_EXIT_CRASHED.
 */
#ifndef RT_DETECT_CRASH_H
#define RT_DETECT_CRASH_H

#include <stdint.h>

/* Installs the handlers of fatal signals and starts the watchdog, for this process. 0: 10 seconds. */
void crash_init(uint32_t hang_seconds);

#endif
