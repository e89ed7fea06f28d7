/* coro.c - see coro.h; the switch itself is in coro_<machine>.S */
#include "rt/kernel/coro.h"

/* Where a new context starts: calls the entry with its argument, both in saved registers. */
void coro_start(void);

#if defined(__x86_64__)
/* As coro_switch leaves a stack: r15 r14 r13 r12 rbx rbp, return address. */
void *coro_prepare(uint64_t top, void (*entry)(void *), void *argument)
{
    uint64_t *sp = (uint64_t *)(uintptr_t)top;
    *--sp = (uint64_t)(uintptr_t)coro_start;
    *--sp = 0; /* rbp: the end of the chain of frames */
    *--sp = (uint64_t)(uintptr_t)entry;
    *--sp = (uint64_t)(uintptr_t)argument;
    *--sp = 0;
    *--sp = 0;
    *--sp = 0;
    return sp;
}

uint64_t coro_frame(const void *context) { return ((const uint64_t *)context)[5]; }
#elif defined(__aarch64__)
/* As coro_switch leaves a stack: x19..x28, x29, x30, d8..d15. */
void *coro_prepare(uint64_t top, void (*entry)(void *), void *argument)
{
    uint64_t *sp = (uint64_t *)(uintptr_t)top - 20;
    for (int i = 0; i < 20; i++)
        sp[i] = 0;
    sp[0] = (uint64_t)(uintptr_t)entry;
    sp[1] = (uint64_t)(uintptr_t)argument;
    sp[11] = (uint64_t)(uintptr_t)coro_start;
    return sp;
}

uint64_t coro_frame(const void *context) { return ((const uint64_t *)context)[10]; }
#else
#error "no context switch for this machine: write coro_<machine>.S"
#endif
