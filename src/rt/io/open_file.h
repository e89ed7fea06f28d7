/* open_file.h - descriptors and streams of files, and their steps
 *
 * Position, flags and buffer of an open file are one resource, named by its descriptor; a copy (dup) also uses that of
 * the original. Its contents are another, which other descriptors of the file share. What is written to stdout and
 * stderr cannot be read by the program: no steps, unless it calls flockfile or functions that do not lock.
 */
#ifndef RT_IO_OPEN_FILE_H
#define RT_IO_OPEN_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "rt/abi/ops.h"
#include "rt/file/files.h"
#include "rt/io/stream_memory.h"
#include "rt/kernel/resource.h"

typedef struct OpenFile OpenFile;

/* NULL: the descriptor or stream is none of an open file, or execution. */
OpenFile *open_file_find(int descriptor);
OpenFile *open_file_of_stream(FILE *stream);
/* Is the number in use, or has another thread than its owner closed it? */
bool open_file_occupies(int descriptor);
/* The file of this execution, or NULL. */
File *open_file_file(const OpenFile *open);
/* The name of the file now; NULL: it has none. The resource of its position and flags. Is it closed? */
const char *open_file_path(const OpenFile *open);
uint64_t open_file_resource(const OpenFile *open);
bool open_file_is_closed(const OpenFile *open);

/* Gives a new descriptor of the system, opened with these flags, the running thread's next number. `name`: of the
 * file, NULL if it has none. -1 stays -1. */
int open_file_add(int descriptor, const char *name, int flags);
/* As dup; `as`: the number, or -1. */
int open_file_copy(OpenFile *open, int as);
int open_file_close(OpenFile *open);
/* The running thread forks: the new process has its open files, too. */
void open_file_fork(unsigned process);
/* The stream belongs to the open file; NULL: to no descriptor. Returns the stream, which may be NULL. */
FILE *open_file_set_stream(OpenFile *open, FILE *stream);
bool open_file_has_stream(const OpenFile *open);
int open_file_close_stream(FILE *stream);
/* The first one now is the file that the second one is, as dup2 would have it. */
void open_file_replace(OpenFile *open, OpenFile *by);
/* The real file of this name was taken over: its descriptors move to the copy. */
void open_file_move(const char *name, File *file, int storage);

/* One step that uses position and contents of the open file in these modes; MODE_NONE: not the contents. */
void open_file_use(OpenFile *open, OpKind op, Mode position, Mode contents);
/* As fcntl with a command on flags; isatty. Those of standard streams, which others use too, change in this execution
 * only. */
int open_file_control(OpenFile *open, int command, long argument);
int open_file_is_terminal(OpenFile *open);
/* The same for a call on a stream, which waits for its lock. None for streams that are not known. A bug: the stream is
 * closed, its buffer is gone. */
void stream_use(FILE *stream, OpKind op, Mode position);
/* The same for a call that may not lock the stream, and then races with others. */
void stream_use_by(FILE *stream, OpKind op, Mode position, StreamManner manner);
/* For a call that reads what never changes: the stream must not be closed. */
void stream_check(FILE *stream);
/* The stream's contents are memory of the program (fmemopen). */
void stream_set_memory(FILE *stream, void *memory, size_t size);
/* As setvbuf. */
int stream_set_buffer(FILE *stream, char *buffer, int mode, size_t size);
/* flockfile and its relatives; the second answers whether it succeeded. */
void stream_lock(FILE *stream);
bool stream_try_lock(FILE *stream);
void stream_unlock(FILE *stream);
/* fflush(NULL) */
void stream_use_all(void);

/* The running thread's node is no more: nothing of what its streams hold is written. */
void open_file_abandon_all(void);

/* Names for reports. */
void open_file_name(uint64_t descriptor, char *text, size_t size);

/* Before the first execution; and at the start of each: closes what the last one left open. */
void open_file_init(void);
void open_file_reset(void);

#endif
