/* identity.c - see identity.h */
#include "rt/kernel/identity.h"

#include <errno.h>

#include "rt/detect/bug.h"

enum { MARK = 0x5e44e77 }; /* the program has written its errno since a library did; no error has this number */

/* What lies at the thread pointer, as far as programs know it. */
typedef struct Identity {
    uint64_t self;      /* its own address                                   */
    uint64_t vector;    /* of thread-local variables: not available          */
    uint64_t self_too;
    uint64_t unused[4];
    int error;
} Identity;

_Static_assert(sizeof(Identity) == IDENTITY_STRIDE, "the layout of the address space has another size");

static AgentId own_agent(void) { return rt.self ? rt.self->strand : 0; }

static uint64_t place_of(AgentId agent) { return IDENTITY_BASE + agent * IDENTITY_STRIDE; }

static Identity *identity_of(AgentId agent) { return (Identity *)(uintptr_t)place_of(agent); }

int identity_number(void) { return IDENTITY_PROCESS + (int)own_agent(); }

/* ---- The thread pointer --------------------------------------------------------- */

uint64_t sennit_rt_thread_pointer(void)
{
    uint64_t place = place_of(own_agent());
    if (rt.self)
        identity_of(own_agent())->self = identity_of(own_agent())->self_too = place;
    return place;
}

uint64_t sennit_rt_thread_slot(uint64_t offset)
{
    if (offset == 0 || offset == offsetof(Identity, self_too))
        return sennit_rt_thread_pointer();
    report_not_modelled("what lies at this distance from the thread pointer");
}

/* ---- errno ------------------------------------------------------------------------ */

/* The real value of a thread's errno. */
static int *real_error(AgentId agent)
{
    return agent == own_agent() ? rt.errno_location : &thread_get(agent)->saved_errno;
}

static void refresh(AgentId agent)
{
    if (*real_error(agent) != MARK)
        identity_of(agent)->error = *real_error(agent);
}

void identity_access(uint64_t address, bool writes)
{
    AgentId agent = (AgentId)((address - IDENTITY_BASE) / IDENTITY_STRIDE);
    if ((address - IDENTITY_BASE) % IDENTITY_STRIDE < offsetof(Identity, error))
        return;
    refresh(agent);
    if (writes)
        *real_error(agent) = MARK;
}

void identity_settle(void)
{
    if (rt.self && *rt.errno_location == MARK)
        *rt.errno_location = identity_of(own_agent())->error;
}

int *sennit_rt_errno_value(void)
{
    identity_settle();
    return __errno_location();
}

int *identity_error(void)
{
    if (!rt.self)
        return __errno_location();
    refresh(own_agent());
    return &identity_of(own_agent())->error;
}
