/* fpenv.h - the floating-point environment of threads
 *
 * Rounding mode and exception masks belong to a thread. Hardly any program changes
 * them, so they are switched only from the first call on that does.
 */
#ifndef RT_KERNEL_FPENV_H
#define RT_KERNEL_FPENV_H

#include "rt/kernel/runtime.h"

/* As at the start of a program. */
void fpenv_reset(void);
/* The environment of `from` is kept, that of `to` comes into force; either may be NULL. */
void fpenv_switch(Thread *from, Thread *to);

#endif
