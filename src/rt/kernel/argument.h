/* argument.h - arguments of hooks that lie in the frame of the program
 *
 * A function may use the memory of arguments that it gets on the stack for other things. But that memory is part of
 * the caller's frame, and frames are compared (rt/spin/repeat.h): what remains there must not depend on how the runtime
 * executed the hook.
 */
#ifndef RT_KERNEL_ARGUMENT_H
#define RT_KERNEL_ARGUMENT_H

static inline void argument_is_read(const void *const *argument)
{
    __asm__ volatile("" : : "m"(*(const char(*)[4])*argument));
}

/* The argument keeps its value in memory until the function returns. */
#define ARGUMENT_STAYS(argument) \
    __attribute__((cleanup(argument_is_read), unused)) const void *stays_##argument = &(argument)

#endif
