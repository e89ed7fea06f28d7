/* stream_memory.h - what a stream is in memory: an object that lives from its opening to fclose, and a buffer
 *
 * The C library allocates streams where the runtime sees nothing. A block of the program's heap stands for each; calls
 * on the stream access it. So a call after fclose is a use after free, and one without the stream's lock
 * (putc_unlocked) races with others. A buffer that the program gave to setvbuf is accessed by such calls as well.
 */
#ifndef RT_IO_STREAM_MEMORY_H
#define RT_IO_STREAM_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "rt/memory/memory.h"
#include "rt/memory/redzone.h"

/* How a call gets at an open file: by its descriptor, or by its stream, with or without the stream's lock. */
typedef enum StreamManner { BY_DESCRIPTOR, LOCKED, UNLOCKED } StreamManner;

typedef struct StreamMemory {
    Block *block;             /* NULL: a standard stream, which is never freed                    */
    unsigned standard;        /* which one                                                        */
    uint64_t buffer, size;    /* the program's own; size 0: none                                  */
    RedzoneVariable variable; /* that the buffer is on a stack                                    */
    bool contents;            /* the buffer is all that the stream reads and writes (fmemopen)    */
    void *room;               /* what the library uses in place of that buffer, or NULL           */
} StreamMemory;

/* A stream of the running thread begins or ends. */
void stream_memory_open(StreamMemory *memory);
void stream_memory_close(StreamMemory *memory);
/* A call on the stream, inside its step. Reports what is wrong with it. */
void stream_memory_use(const StreamMemory *memory, bool writes, StreamManner manner);
/* The stream must not be closed. */
void stream_memory_check(const StreamMemory *memory);
/* As setvbuf. */
int stream_memory_set_buffer(StreamMemory *memory, FILE *stream, char *buffer, int mode, size_t size);
/* The stream reads and writes memory of the program. */
void stream_memory_set_contents(StreamMemory *memory, void *contents, size_t size);
/* At the end of the execution, when the real stream is closed. */
void stream_memory_forget(StreamMemory *memory);

#endif
