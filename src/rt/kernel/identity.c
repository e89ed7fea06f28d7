/* identity.c - see identity.h */
#include "rt/kernel/identity.h"

#include <errno.h>

#include "rt/detect/bug.h"
#include "rt/kernel/process.h"
#include "rt/kernel/seat.h"

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

static uint32_t own_seat(void) { return rt.self ? rt.self->seat : 0; }

static uint64_t place_of(uint32_t seat) { return IDENTITY_BASE + seat * IDENTITY_STRIDE; }

static Identity *identity_of(uint32_t seat) { return (Identity *)(uintptr_t)place_of(seat); }

/* The first thread of a process has the process's number. */
int identity_number(void)
{
    if (UNLIKELY(rt.self && rt.self->process) && process_is_first())
        return process_number(rt.self->process);
    return IDENTITY_PROCESS + (int)own_seat();
}

void identity_save(uint32_t seat, RtImage *image) { image_add(image, identity_of(seat), sizeof(Identity)); }

/* ---- The thread pointer --------------------------------------------------------- */

uint64_t sennit_rt_thread_pointer(void)
{
    uint64_t place = place_of(own_seat());
    if (rt.self)
        identity_of(own_seat())->self = identity_of(own_seat())->self_too = place;
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
static int *real_error(uint32_t seat)
{
    return seat == own_seat() ? rt.errno_location : &thread_get(seat_agent(seat))->saved_errno;
}

static void refresh(uint32_t seat)
{
    if (*real_error(seat) != MARK)
        identity_of(seat)->error = *real_error(seat);
}

void identity_access(uint64_t address, bool writes)
{
    uint32_t seat = (uint32_t)((address - IDENTITY_BASE) / IDENTITY_STRIDE);
    bool is_error = (address - IDENTITY_BASE) % IDENTITY_STRIDE >= offsetof(Identity, error);
    if (!is_error || seat_agent(seat) == AGENT_NONE)
        return;
    refresh(seat);
    if (writes)
        *real_error(seat) = MARK;
}

void identity_settle(void)
{
    if (rt.self && *rt.errno_location == MARK)
        *rt.errno_location = identity_of(own_seat())->error;
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
    refresh(own_seat());
    return &identity_of(own_seat())->error;
}
