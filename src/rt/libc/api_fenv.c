/* api_fenv.c - calls that change the floating-point environment of a thread (kernel/fpenv.h) */
#include "rt/libc/api_libc.h"

int sennit_rt_fesetround(int mode)
{
    rt.fp_control = true;
    return fesetround(mode);
}

static void read_environment(const fenv_t *environment)
{
    if (environment != FE_DFL_ENV && environment != FE_NOMASK_ENV)
        plain_use(environment, sizeof *environment);
}

int sennit_rt_fesetenv(const fenv_t *environment)
{
    read_environment(environment);
    rt.fp_control = true;
    return fesetenv(environment);
}

int sennit_rt_feupdateenv(const fenv_t *environment)
{
    read_environment(environment);
    rt.fp_control = true;
    return feupdateenv(environment);
}

int sennit_rt_feholdexcept(fenv_t *environment)
{
    plain_overwrite(environment, sizeof *environment);
    rt.fp_control = true;
    return feholdexcept(environment);
}

int sennit_rt_feenableexcept(int exceptions)
{
    rt.fp_control = true;
    return feenableexcept(exceptions);
}

int sennit_rt_fesetmode(const femode_t *mode)
{
    if (mode != FE_DFL_MODE)
        plain_use(mode, sizeof *mode);
    rt.fp_control = true;
    return fesetmode(mode);
}
