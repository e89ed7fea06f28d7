/* api_machine.c - what a program can measure of itself and its machine: the same in every execution
 *
 * Nothing takes time but what the virtual clock shows; there are no children to wait for.
 */
#include "rt/detect/bug.h"
#include "rt/libc/api_libc.h"
#include "rt/sync/vtime.h"

#define SECOND 1000000000ll

static int fail(int error)
{
    errno = error;
    return -1;
}

/* ---- Use of resources ---------------------------------------------------------------------- */

int sennit_rt_getrusage(int whose, struct rusage *result)
{
    struct rusage usage = {0};
    if (!rt.self)
        return getrusage(whose, result);
    if (whose != RUSAGE_SELF && whose != RUSAGE_CHILDREN && whose != RUSAGE_THREAD)
        return fail(EINVAL);
    PLAIN_STORE(result, usage);
    return 0;
}

clock_t sennit_rt_times(struct tms *result)
{
    struct tms none = {0};
    if (!rt.self)
        return times(result);
    if (result)
        PLAIN_STORE(result, none);
    return (clock_t)(vtime_now() / (SECOND / sysconf(_SC_CLK_TCK)));
}

int sennit_rt_getloadavg(double *loads, int count)
{
    if (!rt.self)
        return getloadavg(loads, count);
    int some = count < 0 ? 0 : count > 3 ? 3 : count;
    for (int i = 0; i < some; i++)
        PLAIN_STORE(&loads[i], 0.0);
    return some;
}

/* Of the real machine only what stays the same. */
int sennit_rt_sysinfo(struct sysinfo *result)
{
    if (!rt.self)
        return sysinfo(result);
    struct sysinfo real, shown = {.uptime = vtime_now() / SECOND, .procs = 1};
    if (sysinfo(&real) != 0)
        return -1;
    shown.totalram = shown.freeram = real.totalram;
    shown.totalswap = shown.freeswap = real.totalswap;
    shown.mem_unit = real.mem_unit;
    PLAIN_STORE(result, shown);
    return 0;
}

/* There is one processor. */
int sennit_rt_getcpu(unsigned *processor, unsigned *node)
{
    if (!rt.self)
        return getcpu(processor, node);
    if (processor)
        PLAIN_STORE(processor, 0u);
    if (node)
        PLAIN_STORE(node, 0u);
    return 0;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* A limit would hold for the search as well. Dumps of memory are never written. */
static int limit(int resource, const struct rlimit *new)
{
    plain_use(new, sizeof *new);
    if (resource != RLIMIT_CORE)
        report_not_modelled("setrlimit other than of RLIMIT_CORE");
    return 0;
}

int sennit_rt_setrlimit(__rlimit_resource_t resource, const struct rlimit *new)
{
    return rt.self ? limit((int)resource, new) : setrlimit(resource, new);
}

int sennit_rt_setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *new)
{
    return rt.self ? limit((int)resource, (const struct rlimit *)new) : setrlimit64(resource, new);
}
