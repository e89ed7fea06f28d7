/* input_file.h - standard input and files that are inputs (--sym-stdin, --sym-file)
 *
 * A program can be explored with them without a change of its source. Such a file is read only and has exactly as many
 * bytes as the option says; each byte is an input.
 */
#ifndef RT_LIBC_INPUT_FILE_H
#define RT_LIBC_INPUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/event.h"
#include "rt/io/stream_memory.h"

enum { NOTHING = -2 };

/* One file that was opened, with a position of its own; its address stands for a FILE. */
typedef struct InputFile {
    const char *path;     /* NULL: standard input                                */
    char name[64];        /* of the input                                        */
    uint8_t *bytes;
    uint64_t size;
    uint64_t position;
    int pushed_back;      /* by ungetc, or NOTHING                               */
    int last_pushed;      /* the pushed-back byte that was read last, or NOTHING */
    int64_t holder;       /* 1 + thread that has exclusive use of it, or 0       */
    uint32_t depth;       /* how often, beyond the first time                    */
    bool at_end;
    bool occupied;        /* open, or closed by another thread than its owner    */
    bool opened, closed;  /* in this execution                                   */
    bool streamed;        /* it has a stream, not only a descriptor              */
    uint32_t owner;       /* agent that opened it                                */
    StreamMemory memory;
} InputFile;

/* Before the first fork. */
void input_file_init(void);
/* At the start of an execution, in main: creates the contents. */
void input_file_begin(void);

/* NULL if it is no input, and outside executions. Of a path: what an opened one is a copy of. */
const InputFile *input_file_of_path(const char *path);
InputFile *input_file_of_stream(const FILE *stream);
InputFile *input_file_of_descriptor(int descriptor);
int input_file_descriptor(const InputFile *file);

/* The file of this path, opened once more. */
InputFile *input_file_open(const char *path);
int input_file_close(InputFile *file, StreamManner manner);

/* The step of an operation on the file; none if there is one thread only, or if the running thread holds the file. */
void input_file_step(InputFile *file, Mode mode, StreamManner manner);
/* Exclusive use of the file, for operations that take more than one step because inputs decide something in them. */
void input_file_hold(InputFile *file);
void input_file_release(InputFile *file);

/* Copies up to `wanted` bytes, with their shadows, to memory of the program; answers how many. */
uint64_t input_file_read(InputFile *file, uint8_t *to, uint64_t wanted);
/* The next byte or EOF, as the result of the modelled `function`. */
int input_file_get(InputFile *file, const void *function);
/* How many bytes there are up to and including the next delimiter, at most `most`; the inputs decide. */
uint64_t input_file_find_line(InputFile *file, int delimiter, uint64_t most);
/* Copies `length` bytes and a final zero. */
void input_file_read_line(InputFile *file, char *text, uint64_t length);
/* The position; the new one; -1 and errno. */
int64_t input_file_tell(InputFile *file);
int64_t input_file_seek(InputFile *file, int64_t offset, int whence, StreamManner manner);

/* Zeroed memory with one byte more than `size`, at the same place in every process. */
void *input_reserve(uint64_t size);

#endif
