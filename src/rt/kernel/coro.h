/* coro.h - coroutines: contexts with stacks of their own, of which one runs at a time */
#ifndef RT_KERNEL_CORO_H
#define RT_KERNEL_CORO_H

#include <stdint.h>

/* Saves the callee-saved registers on the stack and the stack pointer in *save, and continues
 * where `load` was saved. The floating-point environment is not part of a context: see fpenv.h. */
void coro_switch(void **save, void *load);
/* The same without saving the current context. */
_Noreturn void coro_jump(void *load);

/* A context that calls entry(argument) on the stack ending at `top` (16-byte aligned);
 * `entry` must not return. */
void *coro_prepare(uint64_t top, void (*entry)(void *), void *argument);

/* The frame of the function that switched away from this context: the start of its chain of frames. */
uint64_t coro_frame(const void *context);

#endif
