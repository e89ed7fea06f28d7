/* misuse.h - reports of synchronisation objects used in ways that POSIX leaves undefined */
#ifndef RT_SYNC_MISUSE_H
#define RT_SYNC_MISUSE_H

#include "rt/abi/hooks.h"
#include "rt/kernel/thread.h"

/* Who did the other half of a misuse, and where: took the lock that is destroyed,
 * destroyed the lock that is used. Part of the bug's identity. */
typedef struct Witness {
    AgentId agent;
    const SennitSite *site;
} Witness;

static inline Witness misuse_witness(void)
{
    return (Witness){.agent = thread_self(), .site = sennit_rt_site};
}

/* "main destroys mutex `m` which is held by worker": verb "destroys", type "mutex", how
 * "which is held", and the witness (NULL: nobody else is involved). */
_Noreturn void misuse_report(const char *verb, const char *type, uint64_t resource, const char *how,
                             const Witness *other);

#endif
