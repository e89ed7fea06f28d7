/* api_identity.c - numbers of threads, of the process and of the machine
 *
 * The numbers are the same in every process (identity.h): programs keep them in locks, and the values of steps are
 * compared when a trace is replayed.
 */
#include "rt/detect/unseen.h"
#include "rt/kernel/identity.h"
#include "rt/kernel/process.h"
#include "rt/libc/api_libc.h"

pid_t sennit_rt_gettid(void) { return identity_number(); }
pid_t sennit_rt_getpid(void) { return process_number(process_self()); }

int *sennit_rt___errno_location(void) { return identity_error(); }

/* How much memory is available now differs from process to process. */
long sennit_rt_sysconf(int name) { return sysconf(name == _SC_AVPHYS_PAGES ? _SC_PHYS_PAGES : name); }

/* So do the random bytes that the kernel gives to each process. */
unsigned long sennit_rt_getauxval(unsigned long type)
{
    static const unsigned char fixed[16] = {73, 21, 190, 5, 66, 233, 112, 38, 151, 84, 207, 9, 128, 60, 245, 97};
    if (type != AT_RANDOM || !rt.self)
        return getauxval(type);
    unseen_note(UNSEEN_RANDOM, "getauxval(AT_RANDOM)", sennit_rt_site);
    return (unsigned long)(uintptr_t)fixed;
}
