/* api_wide.c - wide characters in streams: as their relatives of bytes (api_stream.c, api_output.c) */
#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/inputs/concretise.h"
#include "rt/io/input_file.h"
#include "rt/io/open_file.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"

static bool is_dropped(const FILE *stream)
{
    return rt.self && !rt.options.show_output && (stream == stdout || stream == stderr);
}

static void use(FILE *stream, OpKind op, StreamManner manner)
{
    if (input_file_of_stream(stream))
        report_not_modelled("wide characters in a file that is an input (--sym-stdin, --sym-file)");
    stream_use_by(stream, op, op == OP_FILE_LOOK ? MODE_READ : MODE_WRITE, manner);
}

/* What is read or written is concrete. */
static void read_text(const wchar_t *text, size_t limit)
{
    size_t size = text_measure(text, sizeof *text, limit);
    plain_read(address_of(text), size);
    if (tracking.on && rt.self)
        concretise_memory(address_of(text), size, "wide characters");
}

/* ---- Characters and strings ------------------------------------------------------------------ */

static wint_t get(FILE *stream, StreamManner manner)
{
    use(stream, OP_FILE_READ, manner);
    return fgetwc(stream);
}

wint_t sennit_rt_fgetwc(FILE *stream) { return get(stream, LOCKED); }
wint_t sennit_rt_getwc(FILE *stream) { return get(stream, LOCKED); }
wint_t sennit_rt_getwchar(void) { return get(stdin, LOCKED); }
wint_t sennit_rt_fgetwc_unlocked(FILE *stream) { return get(stream, UNLOCKED); }
wint_t sennit_rt_getwc_unlocked(FILE *stream) { return get(stream, UNLOCKED); }
wint_t sennit_rt_getwchar_unlocked(void) { return get(stdin, UNLOCKED); }

wint_t sennit_rt_ungetwc(wint_t c, FILE *stream)
{
    use(stream, OP_FILE_READ, LOCKED);
    return ungetwc(c, stream);
}

static wchar_t *get_text(wchar_t *text, int size, FILE *stream, StreamManner manner)
{
    use(stream, OP_FILE_READ, manner);
    if (!rt.self || size <= 0)
        return fgetws(text, size, stream);
    wchar_t *room = mem_alloc((size_t)size * sizeof *room);
    bool good = fgetws(room, size, stream) != NULL;
    if (good)
        sennit_rt_memcpy(text, room, (wcslen(room) + 1) * sizeof *room);
    free(room);
    return good ? text : NULL;
}

wchar_t *sennit_rt_fgetws(wchar_t *text, int size, FILE *stream) { return get_text(text, size, stream, LOCKED); }
wchar_t *sennit_rt_fgetws_unlocked(wchar_t *text, int size, FILE *stream)
{
    return get_text(text, size, stream, UNLOCKED);
}

static wint_t put(wchar_t c, FILE *stream, StreamManner manner)
{
    use(stream, OP_FILE_WRITE, manner);
    return is_dropped(stream) ? (wint_t)c : fputwc(c, stream);
}

wint_t sennit_rt_fputwc(wchar_t c, FILE *stream) { return put(c, stream, LOCKED); }
wint_t sennit_rt_putwc(wchar_t c, FILE *stream) { return put(c, stream, LOCKED); }
wint_t sennit_rt_putwchar(wchar_t c) { return put(c, stdout, LOCKED); }
wint_t sennit_rt_fputwc_unlocked(wchar_t c, FILE *stream) { return put(c, stream, UNLOCKED); }
wint_t sennit_rt_putwc_unlocked(wchar_t c, FILE *stream) { return put(c, stream, UNLOCKED); }
wint_t sennit_rt_putwchar_unlocked(wchar_t c) { return put(c, stdout, UNLOCKED); }

static int put_text(const wchar_t *text, FILE *stream, StreamManner manner)
{
    read_text(text, SIZE_MAX);
    use(stream, OP_FILE_WRITE, manner);
    return is_dropped(stream) ? 1 : fputws(text, stream);
}

int sennit_rt_fputws(const wchar_t *text, FILE *stream) { return put_text(text, stream, LOCKED); }
int sennit_rt_fputws_unlocked(const wchar_t *text, FILE *stream) { return put_text(text, stream, UNLOCKED); }

/* Outside replays the orientation of stdout and stderr stays open, as nothing is written there. */
int sennit_rt_fwide(FILE *stream, int mode)
{
    use(stream, OP_FILE_LOOK, LOCKED);
    return is_dropped(stream) ? mode : fwide(stream, mode);
}

/* ---- Formatted output -------------------------------------------------------------------------- */

/* The characters that would be printed; -1 if there is an error. The result is the caller's. */
static wchar_t *format_text(const wchar_t *format, va_list args, int *count)
{
    for (size_t size = 256;; size *= 4) {
        va_list again;
        wchar_t *text = mem_alloc(size * sizeof *text);
        va_copy(again, args);
        *count = vswprintf(text, size, format, again);
        va_end(again);
        if (*count >= 0 || size > (1u << 24))
            return text;
        free(text);
    }
}

/* The strings among the arguments are those of a format of bytes with the same conversions. */
static void read_arguments(const wchar_t *format, va_list args)
{
    read_text(format, SIZE_MAX);
    size_t length = wcslen(format);
    char *bytes = mem_alloc(length + 1);
    for (size_t i = 0; i <= length; i++)
        bytes[i] = (char)(format[i] < 128 ? format[i] : '?');
    text_read_arguments_of(bytes, args);
    free(bytes);
}

static int print(FILE *stream, const wchar_t *format, va_list args)
{
    int count;
    if (!rt.self)
        return vfwprintf(stream, format, args);
    read_arguments(format, args);
    use(stream, OP_FILE_WRITE, LOCKED);
    if (!is_dropped(stream))
        return vfwprintf(stream, format, args);
    free(format_text(format, args, &count));
    return count;
}

int sennit_rt_vfwprintf(FILE *stream, const wchar_t *format, va_list args) { return print(stream, format, args); }
int sennit_rt_vwprintf(const wchar_t *format, va_list args) { return print(stdout, format, args); }

int sennit_rt_fwprintf(FILE *stream, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int count = print(stream, format, args);
    va_end(args);
    return count;
}

int sennit_rt_wprintf(const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int count = print(stdout, format, args);
    va_end(args);
    return count;
}

int sennit_rt_vswprintf(wchar_t *to, size_t size, const wchar_t *format, va_list args)
{
    int count;
    if (!rt.self)
        return vswprintf(to, size, format, args);
    read_arguments(format, args);
    wchar_t *text = format_text(format, args, &count);
    bool fits = count >= 0 && (size_t)count < size;
    if (fits)
        sennit_rt_memcpy(to, text, ((size_t)count + 1) * sizeof *text);
    else if (size) /* glibc leaves what fits */
        plain_write(address_of(to), size * sizeof *to);
    free(text);
    return fits ? count : vswprintf(to, size, format, args);
}

int sennit_rt_swprintf(wchar_t *to, size_t size, const wchar_t *format, ...)
{
    va_list args;
    va_start(args, format);
    int count = sennit_rt_vswprintf(to, size, format, args);
    va_end(args);
    return count;
}
