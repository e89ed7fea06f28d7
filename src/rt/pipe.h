/* pipe.h - pipes between threads of the program, for the calls that take descriptors */
#ifndef RT_PIPE_H
#define RT_PIPE_H

#include <stddef.h>
#include <sys/types.h>

typedef struct PipeEnd PipeEnd;

/* The end that a descriptor stands for; NULL if it is an ordinary one. */
PipeEnd *pipe_find(int descriptor);
/* Waits until there is something, or nobody can write any more (then 0). */
ssize_t pipe_read(PipeEnd *end, void *to, size_t size);
ssize_t pipe_write(PipeEnd *end, const void *from, size_t size);
int pipe_close(PipeEnd *end);

#endif
