/* watchdog.h - stops steps that take too long (--max-step-time)
 *
 * Whether such a step would end is unknown: its thread takes no further step, and the others continue
 * (CUT-1). A thread is not stopped inside the runtime or a library but when it leaves them; if it does not, the process
 * ends with RT_EXIT_CRASHED, and what the other threads would have done is not explored.
 */
#ifndef RT_DETECT_WATCHDOG_H
#define RT_DETECT_WATCHDOG_H

#include <stdint.h>

/* Starts the watchdog of this process. 0: 10 seconds. */
void watchdog_init(uint32_t limit_seconds);

#endif
