/* crash.h - when the program dies or hangs in program code */
#ifndef RT_DETECT_CRASH_H
#define RT_DETECT_CRASH_H

#include <stdint.h>

/* Handlers for fatal signals and the watchdog, for this process. */
void crash_init(uint32_t hang_seconds);

#endif
