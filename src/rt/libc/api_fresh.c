/* api_fresh.c - library functions that return memory they have allocated: it becomes the program's own
 *
 * What the C library allocates is no part of the program's heap, where races and uses after free are noticed. So the
 * result is copied to a block of the running thread.
 */
#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/file/files.h"
#include "rt/io/api_file.h"
#include "rt/io/open_file.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"

static void *copy_of(const void *from, size_t size)
{
    void *block = sennit_rt_malloc(size);
    return block ? sennit_rt_memcpy(block, from, size) : NULL;
}

/* The text moves to the program's heap. */
static char *adopt(char *text)
{
    char *copy = text ? copy_of(text, strlen(text) + 1) : NULL;
    free(text);
    return copy;
}

static char *store_text(char *to, const char *text)
{
    return sennit_rt_memcpy(to, text, strlen(text) + 1);
}

/* ---- Paths -------------------------------------------------------------------------- */

char *sennit_rt_getcwd(char *to, size_t size)
{
    if (!rt.self)
        return getcwd(to, size);
    char *path = getcwd(NULL, 0), *result = NULL;
    if (path && !to && !size)
        return adopt(path);
    if (path && strlen(path) < size)
        result = store_text(to ? to : sennit_rt_malloc(size), path);
    else if (path)
        errno = size ? ERANGE : EINVAL;
    free(path);
    return result;
}

char *sennit_rt_getwd(char *to) { return sennit_rt_getcwd(to, PATH_MAX); }

char *sennit_rt_get_current_dir_name(void)
{
    return rt.self ? adopt(get_current_dir_name()) : get_current_dir_name();
}

char *sennit_rt_realpath(const char *path, char *to)
{
    if (!rt.self)
        return realpath(path, to);
    text_read(path);
    char *found = realpath(path, NULL);
    if (!to || !found)
        return adopt(found);
    store_text(to, found);
    free(found);
    return to;
}

char *sennit_rt_canonicalize_file_name(const char *path) { return sennit_rt_realpath(path, NULL); }

/* The functions of the program see entries of the library; the list has copies. */
int sennit_rt_scandir(const char *path, struct dirent ***list, int (*selects)(const struct dirent *),
                      int (*compare)(const struct dirent **, const struct dirent **))
{
    struct dirent **found;
    char name[PATH_MAX];
    if (!rt.self)
        return scandir(path, list, selects, compare);
    text_read(path);
    if (!file_list(path, name))
        return -1;
    if (files_changed_below(name) || files_find(name))
        report_not_modelled("scandir of a directory in which the program has made or removed files");
    int count = scandir(path, &found, selects, compare);
    if (count < 0)
        return count;
    struct dirent **copies = sennit_rt_malloc(((size_t)count + !count) * sizeof *copies);
    for (int i = 0; i < count; i++) {
        PLAIN_STORE(&copies[i], copy_of(found[i], found[i]->d_reclen));
        free(found[i]);
    }
    free(found);
    PLAIN_STORE(list, copies);
    return count;
}

/* ---- Strings ---------------------------------------------------------------------------- */

char *sennit_rt___strdup(const char *text) { return sennit_rt_strdup(text); }
char *sennit_rt___strndup(const char *text, size_t limit) { return sennit_rt_strndup(text, limit); }

wchar_t *sennit_rt_wcsdup(const wchar_t *text)
{
    return rt.self ? copy_of(text, (wcslen(text) + 1) * sizeof *text) : wcsdup(text);
}

int sennit_rt___vasprintf_chk(char **result, int flag, const char *format, va_list args)
{
    (void)flag;
    return rt.self ? sennit_rt_vasprintf(result, format, args) : vasprintf(result, format, args);
}

int sennit_rt___asprintf_chk(char **result, int flag, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = sennit_rt___vasprintf_chk(result, flag, format, args);
    va_end(args);
    return length;
}

/* ---- Streams in memory -------------------------------------------------------------------- */

/* What the program gets when it flushes or closes a stream of open_memstream. */
typedef struct MemoryStream {
    char **text;          /* variables of the program                   */
    size_t *size;
    char *block;          /* on the program's heap, with a final zero   */
    uint64_t length;
    uint64_t position;
    uint32_t execution;   /* it belongs to; a later flush changes nothing */
} MemoryStream;

static bool is_current(const MemoryStream *stream) { return rt.self && stream->execution == rt.execution; }

static void publish(MemoryStream *stream)
{
    PLAIN_STORE(stream->text, stream->block);
    PLAIN_STORE(stream->size, stream->position < stream->length ? stream->position : stream->length);
}

static ssize_t stream_write(void *cookie, const char *bytes, size_t size)
{
    MemoryStream *stream = cookie;
    if (!is_current(stream))
        return (ssize_t)size;
    uint64_t end = stream->position + size;
    if (end > stream->length) {
        stream->block = sennit_rt_realloc(stream->block, end + 1);
        sennit_rt_memset(stream->block + stream->length, 0, end + 1 - stream->length);
        stream->length = end;
    }
    sennit_rt_memcpy(stream->block + stream->position, bytes, size);
    stream->position = end;
    publish(stream);
    return (ssize_t)size;
}

static int stream_seek(void *cookie, off64_t *offset, int whence)
{
    MemoryStream *stream = cookie;
    int64_t from = whence == SEEK_SET ? 0 : (int64_t)(whence == SEEK_CUR ? stream->position : stream->length);
    if (from + *offset < 0)
        return -1;
    stream->position = (uint64_t)(from + *offset);
    *offset = (off64_t)stream->position;
    return 0;
}

static int stream_close(void *cookie)
{
    free(cookie);
    return 0;
}

FILE *sennit_rt_open_memstream(char **text, size_t *size)
{
    if (!rt.self)
        return open_memstream(text, size);
    MemoryStream *stream = mem_alloc(sizeof *stream);
    *stream = (MemoryStream){.text = text, .size = size, .execution = rt.execution};
    stream->block = sennit_rt_calloc(1, 1);
    publish(stream);
    FILE *made = fopencookie(stream, "w", (cookie_io_functions_t){NULL, stream_write, stream_seek, stream_close});
    return open_file_set_stream(NULL, made);
}

/* The library accesses the program's memory itself, in every call on the stream. */
FILE *sennit_rt_fmemopen(void *memory, size_t size, const char *mode)
{
    FILE *made = fmemopen(memory, size, mode);
    if (!rt.self || !made)
        return made;
    text_read(mode);
    open_file_set_stream(NULL, made);
    if (memory)
        stream_set_memory(made, memory, size);
    return made;
}

/* The functions are the program's. */
FILE *sennit_rt_fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    FILE *made = fopencookie(cookie, mode, functions);
    if (rt.self)
        text_read(mode);
    return rt.self && made ? open_file_set_stream(NULL, made) : made;
}

FILE *sennit_rt_open_wmemstream(wchar_t **text, size_t *size)
{
    if (rt.self)
        report_not_modelled("open_wmemstream");
    return open_wmemstream(text, size);
}
