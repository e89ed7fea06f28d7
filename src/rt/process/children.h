/* children.h - the life of processes: fork, the end of a process, waiting for children */
#ifndef RT_PROCESS_CHILDREN_H
#define RT_PROCESS_CHILDREN_H

#include <stdbool.h>

/* A step: the number of the child in the parent, 0 in the child. `begin` changes what is in place of the parent's
 * descriptors to the new process's. */
int children_fork(void (*begin)(unsigned process));
/* A step: the process of the running thread ends with this status (as of wait). */
_Noreturn void children_end(int status);

/* A child that has ended, or 0. */
typedef struct EndedChild {
    int number, status;
} EndedChild;

/* A step: waits for the child of this number (-1: for any one) to end; without `waits` answers at once. `keeps`: it can
 * be waited for again. 0, or an error: ECHILD, EINTR. */
int children_wait(int number, bool waits, bool keeps, EndedChild *ended);
/* A step: the number of the parent; 1 if it has ended. */
int children_parent(void);

#endif
