/* libc.h - what the C library keeps for a program between its calls */
#ifndef RT_LIBC_H
#define RT_LIBC_H

#include <stdarg.h>
#include <stddef.h>

/* Notes the arguments and the environment that every execution starts with. */
void libc_init(int argc, char **argv);
/* As at the start of a program: no exit handlers, the first random number, arguments and
 * environment as given. */
void libc_reset(void);
void libc_reset_environment(void);
/* exit(status) of the running thread: runs the handlers, then the thread stops for good. */
/* Main has just returned this: whether it is 0 may be for the inputs to decide. */
void libc_return(int status);
_Noreturn void libc_exit(int status);

#endif
