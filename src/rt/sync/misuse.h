/* misuse.h - reports of uses of synchronisation objects that POSIX leaves undefined */
#ifndef RT_SYNC_MISUSE_H
#define RT_SYNC_MISUSE_H

#include "rt/abi/hooks.h"
#include "rt/kernel/thread.h"

/* The agent and place of the other half of a misuse: the acquisition of a lock that is
 * destroyed, the destruction of a lock that is used. Part of the bug's identity. */
typedef struct Witness {
    AgentId agent;
    const SennitSite *site;
} Witness;

/* The current thread and place. */
static inline Witness misuse_witness(void)
{
    return (Witness){.agent = thread_self(), .site = sennit_rt_site};
}

/* Reports "main destroys mutex m which is held by worker" and stops the thread: verb "destroys",
 * type "mutex", how "which is held", and the witness (NULL: no other agent is involved). */
_Noreturn void misuse_report(const char *verb, const char *type, uint64_t resource, const char *how,
                             const Witness *other);

#endif
