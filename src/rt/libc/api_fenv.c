/* api_fenv.c - calls that change the floating-point environment of a thread (kernel/fpenv.h) */
#include "rt/libc/api_libc.h"

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
