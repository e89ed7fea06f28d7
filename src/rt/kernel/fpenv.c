/* fpenv.c - see fpenv.h */
#include "rt/kernel/fpenv.h"

#include <fenv.h>

#include "rt/kernel/transient.h"

/* Thread.fpenv is NULL for the default environment. */
static void save(Thread *thread)
{
    if (!thread->fpenv)
        thread->fpenv = transient_alloc(sizeof(fenv_t));
    fegetenv(thread->fpenv);
}

void fpenv_switch(Thread *from, Thread *to)
{
    if (from)
        save(from);
    fesetenv(to && to->fpenv ? to->fpenv : FE_DFL_ENV);
}

void fpenv_inherit(Thread *child)
{
    if (UNLIKELY(rt.fp_control))
        save(child);
}

void fpenv_reset(void)
{
    if (rt.fp_control)
        fesetenv(FE_DFL_ENV);
    rt.fp_control = false;
}
