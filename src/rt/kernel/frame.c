/* frame.c - see frame.h */
#include "rt/kernel/frame.h"

#include "rt/abi/hooks.h"

enum { WIPED = 2048 };

/* In a frame of its own, which is all that is cleared. */
__attribute__((noinline)) void frame_wipe_below(void)
{
    unsigned char below[WIPED];
    memset(below, 0, sizeof below);
    __asm__ volatile("" : : "r"(below) : "memory");
}

/* ---- Hooks ---------------------------------------------------------------------------- */

typedef uint64_t Five(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e);
typedef uint64_t Ten(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h,
                     uint64_t i, uint64_t j);

static __attribute__((noinline)) uint64_t call_five(Five *hook, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                                                    uint64_t e)
{
    FRAME_ENTER(FRAME_HOOK, address_of((const void *)hook), a, b, c, d, e);
    return hook(a, b, c, d, e);
}

static __attribute__((noinline)) uint64_t call_ten(Ten *hook, uint64_t a, uint64_t b, uint64_t c, uint64_t d,
                                                   uint64_t e, uint64_t f, uint64_t g, uint64_t h, uint64_t i,
                                                   uint64_t j)
{
    FRAME_ENTER(FRAME_HOOK, address_of((const void *)hook), a, b, c, d, e, f, g, h, i, j);
    return hook(a, b, c, d, e, f, g, h, i, j);
}

/* What was passed on the stack lies in the frame of the caller, which may not use it again. */
static void wipe_arguments(char *frame)
{
#if defined(__x86_64__)
    enum { BEHIND_RETURN_ADDRESS = 16, ON_STACK = 5 * sizeof(uint64_t) };
    memset(frame + BEHIND_RETURN_ADDRESS, 0, ON_STACK);
    __asm__ volatile("" : : "r"(frame) : "memory");
#else
    (void)frame;
#endif
}

uint64_t sennit_rt_framed(void (*hook)(void), uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
    return rt.options.states && rt.self ? call_five((Five *)hook, a, b, c, d, e) : ((Five *)hook)(a, b, c, d, e);
}

uint64_t sennit_rt_framed_many(void (*hook)(void), uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                               uint64_t f, uint64_t g, uint64_t h, uint64_t i, uint64_t j)
{
    if (!rt.options.states || !rt.self)
        return ((Ten *)hook)(a, b, c, d, e, f, g, h, i, j);
    uint64_t result = call_ten((Ten *)hook, a, b, c, d, e, f, g, h, i, j);
    wipe_arguments(__builtin_frame_address(0));
    return result;
}
