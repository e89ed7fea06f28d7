/* fpenv.h - the floating-point environment of threads
 *
 * Rounding mode and exception masks belong to a thread. Few programs change them, so they
 * are switched only after the first call that does (rt.fp_control).
 */
#ifndef RT_KERNEL_FPENV_H
#define RT_KERNEL_FPENV_H

#include "rt/kernel/runtime.h"

/* The environment of the start of a program. */
void fpenv_reset(void);
/* A new thread begins with the environment of its creator, the running thread. */
void fpenv_inherit(Thread *child);
/* Saves the environment of `from` and loads that of `to`; either may be NULL. */
void fpenv_switch(Thread *from, Thread *to);

#endif
