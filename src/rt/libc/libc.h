/* libc.h - what the C library keeps for a program between its calls */
#ifndef RT_LIBC_LIBC_H
#define RT_LIBC_LIBC_H

#include <stdarg.h>
#include <stddef.h>

/* Notes the arguments and the environment that every execution starts with. */
void libc_init(int argc, char **argv);
/* As at the start of main: exit handlers of constructors, the first random number, arguments and
 * environment as given. */
void libc_reset(void);
void libc_reset_environment(void);
/* Main has just returned this: whether it is 0 may be for the inputs to decide. */
void libc_return(int status);
/* exit(status) of the running thread: runs handlers and destructors, then the thread stops for good. */
_Noreturn void libc_exit(int status);

#endif
