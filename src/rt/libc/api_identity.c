/* api_identity.c - numbers of threads and of the process
 *
 * The numbers are the same in every process (identity.h): programs keep them in locks, and the values of steps are
 * compared when a trace is replayed.
 */
#include "rt/kernel/identity.h"
#include "rt/libc/api_libc.h"

pid_t sennit_rt_gettid(void) { return identity_number(); }
pid_t sennit_rt_getpid(void) { return IDENTITY_PROCESS; }

int *sennit_rt___errno_location(void) { return identity_error(); }
