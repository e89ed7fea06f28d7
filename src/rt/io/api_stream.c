/* api_stream.c - reading from streams, which may be inputs (input_file.h) */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>

#include "rt/detect/bug.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/io/api_file.h"
#include "rt/io/input_file.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/io/real.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"

/* ---- Opening ---------------------------------------------------------------------------------- */

/* The flags of open, or -1. */
static int flags_of(const char *mode)
{
    bool both = strchr(mode, '+');
    int access = both ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    int more = (strchr(mode, 'x') ? O_EXCL : 0) | (strchr(mode, 'e') ? O_CLOEXEC : 0);
    switch (*mode) {
    case 'r': return access | more;
    case 'w': return access | more | O_CREAT | O_TRUNC;
    case 'a': return access | more | O_CREAT | O_APPEND;
    default: return -1;
    }
}

static FILE *open_stream(int descriptor, const char *mode)
{
    return descriptor < 0 ? NULL : open_file_set_stream(open_file_find(descriptor), fdopen(descriptor, mode));
}

/* Each of two streams would read ahead in the file that they share. */
static void refuse_second_stream(bool has_stream)
{
    if (has_stream)
        report_not_modelled("a second stream of one descriptor");
}

static FILE *stream_of_input(InputFile *file)
{
    refuse_second_stream(file->path && file->streamed);
    file->streamed = true;
    return (FILE *)file;
}

FILE *sennit_rt_fopen(const char *path, const char *mode)
{
    if (!rt.self)
        return fopen(path, mode);
    text_read(mode);
    if (flags_of(mode) < 0) {
        errno = EINVAL;
        return NULL;
    }
    if (!input_file_of_path(path))
        return open_stream(file_open(AT_FDCWD, path, flags_of(mode), 0666), mode);
    if (mode[0] != 'r' || strchr(mode, '+'))
        report_not_modelled("writing to a file that is an input (--sym-file)");
    return stream_of_input(input_file_open(path));
}
FILE *sennit_rt_fopen64(const char *path, const char *mode) { return sennit_rt_fopen(path, mode); }

FILE *sennit_rt_fdopen(int descriptor, const char *mode)
{
    OpenFile *open = open_file_find(descriptor);
    if (pipe_find(descriptor))
        report_not_modelled("fdopen on a pipe");
    if (input_file_of_descriptor(descriptor))
        return stream_of_input(input_file_of_descriptor(descriptor));
    refuse_second_stream(open && descriptor > 2 && open_file_has_stream(open));
    FILE *stream = fdopen(descriptor, mode);
    return open && descriptor > 2 ? open_file_set_stream(open, stream) : stream;
}

/* The stream keeps its descriptor. */
FILE *sennit_rt_freopen(const char *path, const char *mode, FILE *stream)
{
    char storage[40];
    if (!rt.self)
        return freopen(path, mode, stream);
    if (!path || input_file_of_path(path) || input_file_of_stream(stream) || flags_of(mode) < 0 || stream == stdin ||
        stream == stdout || stream == stderr)
        report_not_modelled("freopen of a standard stream, of an input, or without a name");
    int descriptor = file_open(AT_FDCWD, path, flags_of(mode), 0666);
    if (descriptor < 0) {
        open_file_close_stream(stream);
        return NULL;
    }
    stream_use(stream, OP_FILE_OPEN, MODE_WRITE);
    snprintf(storage, sizeof storage, "/proc/self/fd/%d", descriptor);
    OpenFile *open = open_file_of_stream(stream);
    stream = freopen(storage, *mode == 'w' ? strchr(mode, '+') ? "r+" : "a" : mode, stream);
    if (open && stream)
        open_file_replace(open, open_file_find(descriptor));
    open_file_close(open_file_find(descriptor));
    return stream;
}
FILE *sennit_rt_freopen64(const char *path, const char *mode, FILE *stream)
{
    return sennit_rt_freopen(path, mode, stream);
}

FILE *sennit_rt_tmpfile(void)
{
    return rt.self ? open_stream(open_file_add(files_open_unnamed(), NULL, O_RDWR), "w+") : tmpfile();
}
FILE *sennit_rt_tmpfile64(void) { return sennit_rt_tmpfile(); }

int sennit_rt_fclose(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    return file ? input_file_close(file, LOCKED) : rt.self ? open_file_close_stream(stream) : fclose(stream);
}

/* ---- Locks ---------------------------------------------------------------------------------- */

void sennit_rt_flockfile(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (!rt.self)
        flockfile(stream);
    else if (file)
        input_file_hold(file);
    else
        stream_lock(stream);
}

int sennit_rt_ftrylockfile(FILE *stream)
{
    if (!rt.self)
        return ftrylockfile(stream);
    if (input_file_of_stream(stream))
        report_not_modelled("ftrylockfile of a file that is an input (--sym-stdin, --sym-file)");
    return stream_try_lock(stream) ? 0 : EBUSY;
}

void sennit_rt_funlockfile(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (!rt.self)
        funlockfile(stream);
    else if (file)
        input_file_release(file);
    else
        stream_unlock(stream);
}

/* ---- Characters ---------------------------------------------------------------------------------- */

static int get_from(FILE *stream, const void *function, StreamManner manner)
{
    InputFile *file = input_file_of_stream(stream);
    if (!file) {
        stream_use_by(stream, OP_FILE_READ, MODE_WRITE, manner);
        return fgetc(stream);
    }
    input_file_step(file, MODE_WRITE, manner);
    return input_file_get(file, function);
}

#define GETTER(function, manner) \
    int sennit_rt_##function(FILE *stream) { return get_from(stream, CALLEE(sennit_rt_##function), manner); }
GETTER(fgetc, LOCKED)
GETTER(getc, LOCKED)
GETTER(_IO_getc, LOCKED)
GETTER(getc_unlocked, UNLOCKED)
GETTER(fgetc_unlocked, UNLOCKED)
int sennit_rt_getchar(void) { return get_from(stdin, CALLEE(sennit_rt_getchar), LOCKED); }
int sennit_rt_getchar_unlocked(void)
{
    return get_from(stdin, CALLEE(sennit_rt_getchar_unlocked), UNLOCKED);
}

static bool follows_byte(const InputFile *file) { return file->position > 0 && file->position <= file->size; }

static uint32_t shadow_of_last(const InputFile *file)
{
    const uint8_t *last = file->bytes + file->position - 1;
    return tracking.on && follows_byte(file) ? shadow_memory_get(address_of(last), last, 8) : 0;
}

/* Is the character the byte that was read last? Inputs may have to decide it. */
static bool is_last(const InputFile *file, int c, uint32_t shadow)
{
    uint32_t last = shadow_of_last(file);
    bool equal = follows_byte(file) && file->bytes[file->position - 1] == (uint8_t)c;
    if (!last && shadow)
        branch_pin(shadow_expr(shadow), (uint32_t)c);
    if (!last)
        return equal;
    ExprPool *pool = tracking.pool;
    ExprId given = shadow ? expr_extract(pool, shadow_expr(shadow), 0, (Sort)8) : expr_const(pool, 8, (uint8_t)c);
    branch_decide(expr_binary(pool, EXPR_EQ, shadow_expr(last), given), equal);
    if (!equal && shadow)
        branch_pin(shadow_expr(shadow), (uint32_t)c);
    return equal;
}

/* The byte that was just read comes back with its shadow, any other concretised. */
int sennit_rt_ungetc(int c, FILE *stream)
{
    uint32_t shadow = shadow_argument(CALLEE(sennit_rt_ungetc), 0);
    InputFile *file = input_file_of_stream(stream);
    if (!file && shadow)
        concretise_value(shadow_expr(shadow), (uint32_t)c, "ungetc");
    if (!file) {
        stream_use(stream, OP_FILE_READ, MODE_WRITE);
        return ungetc(c, stream);
    }
    if (c == EOF)
        return EOF;
    input_file_hold(file);
    if (file->pushed_back == NOTHING && is_last(file, c, shadow))
        file->position--;
    else
        file->pushed_back = (uint8_t)c;
    file->at_end = false;
    input_file_release(file);
    shadow_give_result(CALLEE(sennit_rt_ungetc), shadow);
    return c;
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static char *get_text(char *text, int size, FILE *stream, StreamManner manner)
{
    InputFile *file = input_file_of_stream(stream);
    if (!file) {
        stream_use_by(stream, OP_FILE_READ, MODE_WRITE, manner);
        return real_fgets(text, size, stream);
    }
    input_file_hold(file);
    uint64_t length = size > 1 ? input_file_find_line(file, '\n', (uint64_t)size - 1) : 0;
    bool good = size == 1 || length > 0;
    if (good)
        input_file_read_line(file, text, length);
    input_file_release(file);
    return good ? text : NULL;
}

char *sennit_rt_fgets(char *text, int size, FILE *stream) { return get_text(text, size, stream, LOCKED); }
char *sennit_rt_fgets_unlocked(char *text, int size, FILE *stream)
{
    return get_text(text, size, stream, UNLOCKED);
}

/* The line without its newline. */
char *sennit_rt_gets(char *text)
{
    InputFile *file = input_file_of_stream(stdin);
    if (!file) {
        stream_use(stdin, OP_FILE_READ, MODE_WRITE);
        return real_gets(text);
    }
    input_file_hold(file);
    uint64_t length = input_file_find_line(file, '\n', UINT64_MAX), ends = length > 0 && !file->at_end;
    if (length > 0)
        input_file_read_line(file, text, length - ends);
    file->position += ends;
    input_file_release(file);
    return length > 0 ? text : NULL;
}

/* The block grows as glibc's would. */
static void make_room(char **line, size_t *size, uint64_t needed)
{
    plain_read(address_of(line), sizeof *line);
    plain_read(address_of(size), sizeof *size);
    uint64_t room = *line ? *size : 0;
    if (room < needed) {
        room = !room && needed <= 120 ? 120 : needed < 2 * room ? 2 * room : needed;
        char *grown = sennit_rt_realloc(*line, room);
        plain_write(address_of(line), sizeof *line);
        plain_write(address_of(size), sizeof *size);
        *line = grown;
        *size = room;
        shadow_memory_clear(address_of(line), sizeof *line);
        shadow_memory_clear(address_of(size), sizeof *size);
    }
}

static ssize_t get_line(InputFile *file, char **line, size_t *size, int delimiter)
{
    input_file_hold(file);
    uint64_t length = input_file_find_line(file, delimiter, UINT64_MAX);
    make_room(line, size, length + 1);
    if (length > 0)
        input_file_read_line(file, *line, length);
    input_file_release(file);
    return length > 0 ? (ssize_t)length : -1;
}

/* Reads into a buffer of the C library, and copies to a block of the program's heap. */
ssize_t sennit_rt_getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    char *text = NULL;
    size_t room = 0;
    if (!rt.self)
        return getdelim(line, size, delimiter, stream);
    InputFile *file = input_file_of_stream(stream);
    if (file)
        return get_line(file, line, size, delimiter);
    stream_use(stream, OP_FILE_READ, MODE_WRITE);
    ssize_t length = getdelim(&text, &room, delimiter, stream);
    plain_read(address_of(line), sizeof *line);
    plain_read(address_of(size), sizeof *size);
    if (length >= 0 && (!*line || *size < (size_t)length + 1)) {
        PLAIN_STORE(size, (size_t)length + 1);
        PLAIN_STORE(line, sennit_rt_realloc(*line, (size_t)length + 1));
    }
    if (length >= 0)
        sennit_rt_memcpy(*line, text, (size_t)length + 1);
    free(text);
    return length;
}

ssize_t sennit_rt___getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    return sennit_rt_getdelim(line, size, delimiter, stream);
}

ssize_t sennit_rt_getline(char **line, size_t *size, FILE *stream)
{
    return sennit_rt_getdelim(line, size, '\n', stream);
}

/* ---- Blocks and state ---------------------------------------------------------------------------------- */

static size_t get_blocks(void *to, size_t size, size_t count, FILE *stream, StreamManner manner)
{
    InputFile *file = input_file_of_stream(stream);
    if (!file) {
        stream_use_by(stream, OP_FILE_READ, MODE_WRITE, manner);
        return real_fread(to, size, count, stream);
    }
    input_file_step(file, MODE_WRITE, manner);
    return size ? input_file_read(file, to, size * count) / size : 0;
}

size_t sennit_rt_fread(void *to, size_t size, size_t count, FILE *stream)
{
    return get_blocks(to, size, count, stream, LOCKED);
}

size_t sennit_rt_fread_unlocked(void *to, size_t size, size_t count, FILE *stream)
{
    return get_blocks(to, size, count, stream, UNLOCKED);
}

static int is_at_end(FILE *stream, StreamManner manner)
{
    InputFile *file = input_file_of_stream(stream);
    if (file) {
        input_file_step(file, MODE_READ, manner);
        return file->at_end;
    }
    stream_use_by(stream, OP_FILE_LOOK, MODE_READ, manner);
    return feof(stream);
}
int sennit_rt_feof(FILE *stream) { return is_at_end(stream, LOCKED); }
int sennit_rt_feof_unlocked(FILE *stream) { return is_at_end(stream, UNLOCKED); }

static int has_error(FILE *stream, StreamManner manner)
{
    InputFile *file = input_file_of_stream(stream);
    if (file) {
        input_file_step(file, MODE_READ, manner);
        return 0;
    }
    stream_use_by(stream, OP_FILE_LOOK, MODE_READ, manner);
    return ferror(stream);
}
int sennit_rt_ferror(FILE *stream) { return has_error(stream, LOCKED); }
int sennit_rt_ferror_unlocked(FILE *stream) { return has_error(stream, UNLOCKED); }

static void clear_error(FILE *stream, StreamManner manner)
{
    InputFile *file = input_file_of_stream(stream);
    if (file) {
        input_file_step(file, MODE_WRITE, manner);
        file->at_end = false;
        return;
    }
    stream_use_by(stream, OP_FILE_SEEK, MODE_WRITE, manner);
    clearerr(stream);
}
void sennit_rt_clearerr(FILE *stream) { clear_error(stream, LOCKED); }
void sennit_rt_clearerr_unlocked(FILE *stream) { clear_error(stream, UNLOCKED); }

/* ---- Buffers ---------------------------------------------------------------------------------- */

int sennit_rt_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    InputFile *file = input_file_of_stream(stream);
    if (!rt.self)
        return setvbuf(stream, buffer, mode, size);
    if (!file)
        return stream_set_buffer(stream, buffer, mode, size);
    input_file_step(file, MODE_WRITE, LOCKED);
    return 0;
}

void sennit_rt_setbuffer(FILE *stream, char *buffer, size_t size)
{
    sennit_rt_setvbuf(stream, buffer, buffer ? _IOFBF : _IONBF, size);
}

void sennit_rt_setbuf(FILE *stream, char *buffer) { sennit_rt_setbuffer(stream, buffer, BUFSIZ); }
void sennit_rt_setlinebuf(FILE *stream) { sennit_rt_setvbuf(stream, NULL, _IOLBF, 0); }

/* ---- Positions ---------------------------------------------------------------------------------- */

/* What is written to stdout and stderr is dropped: they have no positions, like pipes. */
static bool has_no_position(const FILE *stream)
{
    bool output = rt.self && (stream == stdout || stream == stderr);
    if (output)
        errno = ESPIPE;
    return output;
}

int sennit_rt_fseek(FILE *stream, long offset, int whence)
{
    InputFile *file = input_file_of_stream(stream);
    if (file)
        return input_file_seek(file, offset, whence, LOCKED) < 0 ? -1 : 0;
    if (has_no_position(stream))
        return -1;
    stream_use(stream, OP_FILE_SEEK, MODE_WRITE);
    return fseek(stream, offset, whence);
}

long sennit_rt_ftell(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (file)
        return (long)input_file_tell(file);
    if (has_no_position(stream))
        return -1;
    stream_use(stream, OP_FILE_LOOK, MODE_READ);
    return ftell(stream);
}

int sennit_rt_fseeko(FILE *stream, off_t offset, int whence) { return sennit_rt_fseek(stream, offset, whence); }
off_t sennit_rt_ftello(FILE *stream) { return sennit_rt_ftell(stream); }
int sennit_rt_fseeko64(FILE *stream, off64_t offset, int whence) { return sennit_rt_fseek(stream, offset, whence); }
off64_t sennit_rt_ftello64(FILE *stream) { return sennit_rt_ftell(stream); }

int sennit_rt_fgetpos(FILE *stream, fpos_t *position)
{
    if (input_file_of_stream(stream))
        report_not_modelled("fgetpos of a file that is an input (--sym-stdin, --sym-file)");
    stream_use(stream, OP_FILE_LOOK, MODE_READ);
    plain_overwrite(position, sizeof *position);
    return fgetpos(stream, position);
}

int sennit_rt_fsetpos(FILE *stream, const fpos_t *position)
{
    if (input_file_of_stream(stream))
        report_not_modelled("fsetpos of a file that is an input (--sym-stdin, --sym-file)");
    plain_use(position, sizeof *position);
    stream_use(stream, OP_FILE_SEEK, MODE_WRITE);
    return fsetpos(stream, position);
}

/* The structures are the same where this tool runs. */
int sennit_rt_fgetpos64(FILE *stream, fpos64_t *position) { return sennit_rt_fgetpos(stream, (fpos_t *)position); }
int sennit_rt_fsetpos64(FILE *stream, const fpos64_t *position)
{
    return sennit_rt_fsetpos(stream, (const fpos_t *)position);
}

void sennit_rt_rewind(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (file) {
        input_file_seek(file, 0, SEEK_SET, LOCKED);
    } else if (!has_no_position(stream)) {
        stream_use(stream, OP_FILE_SEEK, MODE_WRITE);
        rewind(stream);
    }
}

int sennit_rt_fileno(FILE *stream)
{
    InputFile *file = input_file_of_stream(stream);
    if (file)
        return input_file_descriptor(file);
    stream_check(stream);
    return fileno(stream);
}
int sennit_rt_fileno_unlocked(FILE *stream) { return sennit_rt_fileno(stream); }

/* ---- Words ---------------------------------------------------------------------------------- */

int sennit_rt_getw(FILE *stream)
{
    int word;
    return sennit_rt_fread(&word, sizeof word, 1, stream) == 1 ? word : EOF;
}

int sennit_rt_putw(int word, FILE *stream) { return sennit_rt_fwrite(&word, sizeof word, 1, stream) == 1 ? 0 : EOF; }

/* ---- What glibc tells of its streams (stdio_ext.h) ---------------------------------------------- */

#define TELLS(type, function)                                                                                \
    type sennit_rt_##function(FILE *stream)                                                                  \
    {                                                                                                        \
        if (input_file_of_stream(stream))                                                                    \
            report_not_modelled(#function " of a file that is an input (--sym-stdin, --sym-file)");          \
        stream_use(stream, OP_FILE_LOOK, MODE_READ);                                                         \
        return function(stream);                                                                             \
    }
TELLS(size_t, __fbufsize)
TELLS(size_t, __fpending)
TELLS(int, __flbf)
TELLS(int, __freadable)
TELLS(int, __freading)
TELLS(int, __fwritable)
TELLS(int, __fwriting)

void sennit_rt___fpurge(FILE *stream)
{
    if (input_file_of_stream(stream))
        report_not_modelled("__fpurge of a file that is an input (--sym-stdin, --sym-file)");
    stream_use(stream, OP_FILE_SEEK, MODE_WRITE);
    __fpurge(stream);
}

/* Whether calls lock by themselves: all that do are modelled with their lock. */
int sennit_rt___fsetlocking(FILE *stream, int type)
{
    if (rt.self && type != FSETLOCKING_QUERY)
        report_not_modelled("__fsetlocking");
    return __fsetlocking(stream, type);
}
