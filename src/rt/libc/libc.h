/* libc.h - the state that the C library keeps for a program between calls */
#ifndef RT_LIBC_LIBC_H
#define RT_LIBC_LIBC_H

#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

/* Copies the arguments and the environment that every execution starts with to memory of the program. */
void libc_init(void);
/* Restores the state at the start of main: exit handlers of constructors, the first random number, the environment. */
void libc_reset(void);
void libc_reset_environment(void);
void libc_reset_hidden(void);
/* Once per process: what a cluster keeps per node, and what each process has that fork makes. */
void libc_init_hidden(void);
void libc_init_random(void);
void libc_init_handlers(void);
void libc_init_strings(void);
void libc_init_fork(void);
void libc_init_environment(void);
/* The environment and the options of the command line of a node that starts. */
void libc_begin_node(char **environment);
void libc_reset_jumps(void);
/* What umask was told in this execution. */
mode_t libc_umask(void);
/* Main has just returned this status; decides whether it is 0 if it is symbolic. */
void libc_return(int status);
/* The exit handlers of the running thread's node are those of its constructors again. */
void libc_restore_handlers(void);
/* exit(status) of the running thread: runs handlers and destructors, then the thread stops. */
_Noreturn void libc_exit(int status);
/* A signal of another process ends the running thread's. */
void libc_end_by(int signal);

#endif
