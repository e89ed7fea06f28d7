/* api_output.c - what the program prints: dropped while exploring, shown on replay
 *
 * What it writes to files it can read again: such a call is a step (open_file.h).
 */
#include <errno.h>

#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_call.h"
#include "rt/io/input_file.h"
#include "rt/io/open_file.h"
#include "rt/io/pipe.h"
#include "rt/kernel/identity.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"
#include "rt/signal/interrupt.h"

/* ---- Where it goes ---------------------------------------------------------------- */

static bool is_dropped(const FILE *stream)
{
    return rt.self && !rt.options.show_output && (stream == stdout || stream == stderr);
}

static bool is_dropped_file(int file) { return rt.self && !rt.options.show_output && (file == 1 || file == 2); }

/* The number of bytes that would be printed; fast for a format without a conversion. */
static int count_output(const char *format, va_list args)
{
    if (!strchr(format, '%'))
        return (int)strlen(format);
    return vsnprintf(NULL, 0, format, args);
}

/* A stream that is an input can only be read. */
static bool rejects(const FILE *stream, StreamManner manner)
{
    InputFile *file = input_file_of_stream(stream);
    if (!file)
        return false;
    input_file_step(file, MODE_WRITE, manner);
    errno = EBADF;
    return true;
}

static int print(FILE *stream, const char *format, va_list args)
{
    interrupt_unsafe("printf");
    text_read_arguments(format, args);
    if (rejects(stream, LOCKED))
        return -1;
    stream_use(stream, OP_FILE_WRITE, MODE_WRITE);
    return is_dropped(stream) ? count_output(format, args) : vfprintf(stream, format, args);
}

/* What is written to stdout and stderr cannot be read by the program. */
static void use_file(int file)
{
    OpenFile *open = file == 1 || file == 2 ? NULL : open_file_find(file);
    if (open)
        open_file_use(open, OP_FILE_WRITE, MODE_WRITE, MODE_WRITE);
}

static int print_file(int file, const char *format, va_list args)
{
    interrupt_unsafe("dprintf");
    text_read_arguments(format, args);
    use_file(file);
    return is_dropped_file(file) ? count_output(format, args) : vdprintf(file, format, args);
}

/* ---- Formatted output ---------------------------------------------------------------- */

#define FORWARD(result, last, call)  \
    do {                             \
        va_list args;                \
        va_start(args, last);        \
        result = call;               \
        va_end(args);                \
    } while (0)

int sennit_rt_printf(const char *format, ...)
{
    int count;
    FORWARD(count, format, print(stdout, format, args));
    return count;
}

int sennit_rt_fprintf(FILE *stream, const char *format, ...)
{
    int count;
    FORWARD(count, format, print(stream, format, args));
    return count;
}

int sennit_rt_dprintf(int file, const char *format, ...)
{
    int count;
    FORWARD(count, format, print_file(file, format, args));
    return count;
}

int sennit_rt___printf_chk(int flag, const char *format, ...)
{
    int count;
    (void)flag;
    FORWARD(count, format, print(stdout, format, args));
    return count;
}

int sennit_rt___fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    int count;
    (void)flag;
    FORWARD(count, format, print(stream, format, args));
    return count;
}

int sennit_rt_vprintf(const char *format, va_list args) { return print(stdout, format, args); }
int sennit_rt_vfprintf(FILE *stream, const char *format, va_list args) { return print(stream, format, args); }
int sennit_rt_vdprintf(int file, const char *format, va_list args) { return print_file(file, format, args); }

int sennit_rt___vprintf_chk(int flag, const char *format, va_list args)
{
    (void)flag;
    return print(stdout, format, args);
}

int sennit_rt___vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
{
    (void)flag;
    return print(stream, format, args);
}

/* ---- Characters and strings ----------------------------------------------------------- */

/* What may be read again loses its shadow. */
static void concretise_text(const void *data, size_t size, const FILE *stream)
{
    if (tracking.on && rt.self && stream != stdout && stream != stderr)
        concretise_memory(address_of(data), size, "a file");
}

int sennit_rt_puts(const char *text)
{
    interrupt_unsafe("puts");
    int length = (int)text_read(text);
    stream_use(stdout, OP_FILE_WRITE, MODE_WRITE);
    return is_dropped(stdout) ? length + 1 : puts(text);
}

static int put_text(const char *text, FILE *stream, StreamManner manner)
{
    interrupt_unsafe("fputs");
    int length = (int)text_read(text);
    concretise_text(text, (size_t)length, stream);
    if (rejects(stream, manner))
        return EOF;
    stream_use_by(stream, OP_FILE_WRITE, MODE_WRITE, manner);
    return is_dropped(stream) ? length : fputs(text, stream);
}

static int put(int c, FILE *stream, const void *function, StreamManner manner)
{
    uint32_t shadow = shadow_argument(function, 0);
    if (shadow && stream != stdout && stream != stderr)
        concretise_value(shadow_expr(shadow), (uint32_t)c, "a file");
    if (rejects(stream, manner))
        return EOF;
    stream_use_by(stream, OP_FILE_WRITE, MODE_WRITE, manner);
    return is_dropped(stream) ? (unsigned char)c : fputc(c, stream);
}

#define PUTTER(function, manner) \
    int sennit_rt_##function(int c, FILE *stream) { return put(c, stream, CALLEE(sennit_rt_##function), manner); }
PUTTER(fputc, LOCKED)
PUTTER(putc, LOCKED)
PUTTER(_IO_putc, LOCKED)
PUTTER(putc_unlocked, UNLOCKED)
PUTTER(fputc_unlocked, UNLOCKED)
int sennit_rt_putchar(int c) { return put(c, stdout, CALLEE(sennit_rt_putchar), LOCKED); }
int sennit_rt_putchar_unlocked(int c) { return put(c, stdout, CALLEE(sennit_rt_putchar_unlocked), UNLOCKED); }
int sennit_rt_fputs(const char *text, FILE *stream) { return put_text(text, stream, LOCKED); }
int sennit_rt_fputs_unlocked(const char *text, FILE *stream) { return put_text(text, stream, UNLOCKED); }

static size_t put_blocks(const void *data, size_t size, size_t count, FILE *stream, StreamManner manner)
{
    plain_read(address_of(data), size * count);
    concretise_text(data, size * count, stream);
    if (rejects(stream, manner))
        return 0;
    stream_use_by(stream, OP_FILE_WRITE, MODE_WRITE, manner);
    return is_dropped(stream) ? count : fwrite(data, size, count, stream);
}

size_t sennit_rt_fwrite(const void *data, size_t size, size_t count, FILE *stream)
{
    return put_blocks(data, size, count, stream, LOCKED);
}

size_t sennit_rt_fwrite_unlocked(const void *data, size_t size, size_t count, FILE *stream)
{
    return put_blocks(data, size, count, stream, UNLOCKED);
}

ssize_t sennit_rt_write(int file, const void *data, size_t size)
{
    PipeEnd *end = pipe_find_polled(file);
    if (end)
        return pipe_write(end, data, size, PIPE_SIGNALS);
    plain_read(address_of(data), size);
    if (tracking.on && rt.self && file != 1 && file != 2)
        concretise_memory(address_of(data), size, "a file");
    use_file(file);
    return is_dropped_file(file) ? (ssize_t)size : write(file, data, size);
}

static int flush(FILE *stream, StreamManner manner)
{
    InputFile *input = input_file_of_stream(stream);
    if (input) {
        input_file_step(input, MODE_READ, manner);
        return 0;
    }
    if (stream)
        stream_use_by(stream, OP_FILE_WRITE, MODE_WRITE, manner);
    else
        stream_use_all();
    return stream && is_dropped(stream) ? 0 : fflush(stream);
}

int sennit_rt_fflush(FILE *stream) { return flush(stream, LOCKED); }
int sennit_rt_fflush_unlocked(FILE *stream) { return flush(stream, UNLOCKED); }

/* ---- Messages --------------------------------------------------------------------------- */

static bool shows_messages(void)
{
    stream_use(stderr, OP_FILE_WRITE, MODE_WRITE);
    return !is_dropped(stderr);
}

void sennit_rt_perror(const char *text)
{
    if (text)
        text_read(text);
    identity_settle();
    if (shows_messages())
        perror(text);
}

void sennit_rt_psignal(int number, const char *text)
{
    if (text)
        text_read(text);
    if (shows_messages())
        psignal(number, text);
}

/* What warn, warnx, err and errx have in common; the ones without x add the text of errno. */
static void warn_by(void (*show)(const char *, va_list), const char *format, va_list args)
{
    if (format)
        text_read_arguments(format, args);
    if (shows_messages())
        show(format, args);
}

void sennit_rt_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    identity_settle();
    warn_by(vwarn, format, args);
    va_end(args);
}

void sennit_rt_warnx(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    warn_by(vwarnx, format, args);
    va_end(args);
}

void sennit_rt_err(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    identity_settle();
    warn_by(vwarn, format, args);
    va_end(args);
    sennit_rt_exit(status);
}

void sennit_rt_errx(int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    warn_by(vwarnx, format, args);
    va_end(args);
    sennit_rt_exit(status);
}

void sennit_rt_vwarn(const char *format, va_list args)
{
    identity_settle();
    warn_by(vwarn, format, args);
}

void sennit_rt_vwarnx(const char *format, va_list args) { warn_by(vwarnx, format, args); }

void sennit_rt_verr(int status, const char *format, va_list args)
{
    sennit_rt_vwarn(format, args);
    sennit_rt_exit(status);
}

void sennit_rt_verrx(int status, const char *format, va_list args)
{
    sennit_rt_vwarnx(format, args);
    sennit_rt_exit(status);
}

/* The log of the system gets nothing, not in replays either. */
void sennit_rt_vsyslog(int priority, const char *format, va_list args)
{
    if (rt.self)
        text_read_arguments(format, args);
    else
        vsyslog(priority, format, args);
}

void sennit_rt_syslog(int priority, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sennit_rt_vsyslog(priority, format, args);
    va_end(args);
}

void sennit_rt_openlog(const char *name, int options, int facility)
{
    if (rt.self && name)
        text_read(name);
    else if (!rt.self)
        openlog(name, options, facility);
}

void sennit_rt_error(int status, int number, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (format)
        text_read_arguments(format, args);
    if (shows_messages()) {
        fprintf(stderr, "%s: ", program_invocation_name);
        vfprintf(stderr, format, args);
        fprintf(stderr, number ? ": %s\n" : "\n", strerror(number));
    }
    va_end(args);
    if (status)
        sennit_rt_exit(status);
}

void sennit_rt_error_at_line(int status, int number, const char *file, unsigned line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (file)
        text_read(file);
    text_read_arguments(format, args);
    if (shows_messages()) {
        fprintf(stderr, "%s:%s:%u: ", program_invocation_name, file ? file : "", line);
        vfprintf(stderr, format, args);
        fprintf(stderr, number ? ": %s\n" : "\n", strerror(number));
    }
    va_end(args);
    if (status)
        sennit_rt_exit(status);
}
