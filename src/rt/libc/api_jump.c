/* api_jump.c - <setjmp.h>: jumps leave functions without their return
 *
 * What setjmp stores is private to glibc, but it tells places apart: it contains the stack pointer and the place in the
 * code. So a place is known by its contents, wherever the program has copied them.
 */
#include <setjmp.h>
#include <string.h>

#include "base/vec.h"
#include "rt/abi/hooks.h"
#include "rt/detect/bug.h"
#include "rt/kernel/runtime.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/libc.h"
#include "rt/memory/memory.h"
#include "rt/memory/redzone.h"
#include "rt/sync/lifetime.h"

enum { MOST_PLACES = 256 };

/* A place that setjmp was called at. */
typedef struct JumpPlace {
    __jmp_buf contents;
    AgentId agent;
    uint64_t frame;  /* of the hook, just below that of the function    */
    uint64_t locals; /* local variables with blocks then                */
    uint32_t depth;  /* variables with red zones then                   */
    uint32_t handlers; /* of signals that were running                  */
} JumpPlace;

static VEC(JumpPlace) places;

void libc_reset_jumps(void) { places.count = 0; }

static JumpPlace *find_place(const void *contents)
{
    for (uint32_t i = places.count; i-- > 0;)
        if (memcmp(places.items[i].contents, contents, sizeof places.items[i].contents) == 0)
            return &places.items[i];
    return NULL;
}

__attribute__((noinline)) void sennit_rt_jump_set(const void *place, int32_t result)
{
    JumpPlace now = {.frame = address_of(__builtin_frame_address(0))};
    if (result != 0 || !rt.self || !in_stacks(now.frame))
        return;
    memcpy(now.contents, ((const struct __jmp_buf_tag *)place)->__jmpbuf, sizeof now.contents);
    now.agent = rt.self->id;
    now.locals = sennit_rt_frame_enter();
    now.depth = redzone_depth();
    now.handlers = lifetime_self()->handlers;
    JumpPlace *known = find_place(now.contents);
    if (known)
        *known = now;
    else if (places.count < MOST_PLACES)
        VEC_PUSH(&places, now);
}

/* The running thread leaves the functions that it has entered since the place was set. */
static void leave_functions(const struct __jmp_buf_tag *to, uint64_t frame)
{
    const JumpPlace *place = rt.self ? find_place(to->__jmpbuf) : NULL;
    if (rt.self && lifetime_self()->handlers > (place ? place->handlers : 0))
        report_not_modelled("a jump out of a signal handler");
    if (!place) {
        redzone_forget();
        return;
    }
    if (place->agent != rt.self->id)
        report_bug(BUG_CRASH, "a jump into a function of another thread");
    if (place->frame < frame)
        report_bug(BUG_USE_AFTER_RETURN, "a jump into a function that has returned");
    memory_free_locals(place->locals);
    redzone_return(place->depth);
}

__attribute__((noinline)) void sennit_rt_longjmp(jmp_buf place, int value)
{
    leave_functions(place, address_of(__builtin_frame_address(0)));
    longjmp(place, value);
}

__attribute__((noinline)) void sennit_rt_siglongjmp(sigjmp_buf place, int value)
{
    leave_functions(place, address_of(__builtin_frame_address(0)));
    siglongjmp(place, value);
}

__attribute__((noinline)) void sennit_rt__longjmp(jmp_buf place, int value)
{
    leave_functions(place, address_of(__builtin_frame_address(0)));
    longjmp(place, value);
}

__attribute__((noinline)) void sennit_rt___longjmp_chk(jmp_buf place, int value)
{
    leave_functions(place, address_of(__builtin_frame_address(0)));
    longjmp(place, value);
}
