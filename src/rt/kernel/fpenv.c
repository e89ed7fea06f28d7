/* fpenv.c - see fpenv.h */
#include "rt/kernel/fpenv.h"

#include <fenv.h>

#include "rt/libc/api_libc.h"

/* The environment of a thread; NULL in the thread means the default one. */
static void keep(Thread *thread)
{
    if (!thread->fpenv)
        thread->fpenv = run_alloc(sizeof(fenv_t));
    fegetenv(thread->fpenv);
}

void fpenv_switch(Thread *from, Thread *to)
{
    if (from)
        keep(from);
    fesetenv(to && to->fpenv ? to->fpenv : FE_DFL_ENV);
}

void fpenv_reset(void)
{
    if (rt.fp_control)
        fesetenv(FE_DFL_ENV);
    rt.fp_control = false;
}

int sennit_rt_fesetround(int mode)
{
    rt.fp_control = true;
    return fesetround(mode);
}

int sennit_rt_fesetenv(const fenv_t *environment)
{
    rt.fp_control = true;
    return fesetenv(environment);
}

int sennit_rt_feupdateenv(const fenv_t *environment)
{
    rt.fp_control = true;
    return feupdateenv(environment);
}

int sennit_rt_feholdexcept(fenv_t *environment)
{
    rt.fp_control = true;
    return feholdexcept(environment);
}

int sennit_rt_feenableexcept(int exceptions)
{
    rt.fp_control = true;
    return feenableexcept(exceptions);
}
