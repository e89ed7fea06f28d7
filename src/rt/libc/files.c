/* files.c - see files.h
 *
 * Contents are made when the execution begins, by main, so that their names do not depend on who
 * reads first. Once there are threads, each operation on a file is a step: its position is
 * shared.
 */
#include "rt/libc/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "rt/abi/tracked_hooks.h"
#include "rt/detect/bug.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/input.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/inputs/tracking.h"
#include "rt/kernel/step.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/pipe.h"
#include "rt/memory/object_map.h"

enum { MAX_FILES = 17, FIRST_DESCRIPTOR = 1 << 20, NOTHING = -2 };

/* One file; its address stands in for a FILE. */
typedef struct InputFile {
    const char *path;     /* NULL: standard input                         */
    char name[64];        /* of the input                                 */
    uint8_t *bytes;
    uint64_t size;
    uint64_t position;
    int pushed_back;      /* by ungetc, or NOTHING                        */
    int last_pushed;      /* what the last reader of a byte got of these  */
    int64_t holder;       /* 1 + thread that has it to itself, or 0       */
    bool at_end;
} InputFile;

static struct {
    InputFile files[MAX_FILES]; /* standard input is the first, if it is one */
    uint32_t count;
    uint8_t *text;        /* of the arguments                             */
    char **argv;
} inputs;

/* ---- Set-up ---------------------------------------------------------------------- */

/* Memory that lies at the same place in every process. */
static void *reserve(uint64_t size)
{
    void *memory = mmap(NULL, size + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        mem_exhausted(size);
    return memory;
}

static void add_file(const char *path, uint64_t size)
{
    if (inputs.count == MAX_FILES)
        return;
    InputFile *file = &inputs.files[inputs.count++];
    *file = (InputFile){.path = path, .size = size, .bytes = reserve(size)};
    if (path)
        snprintf(file->name, sizeof file->name, "file:%s", path);
    else
        snprintf(file->name, sizeof file->name, "stdin");
}

void files_init(void)
{
    const RtOptions *options = &rt.options;
    if (options->stdin_size)
        add_file(NULL, options->stdin_size);
    for (uint32_t i = 0; i < options->file_count; i++)
        add_file(options->files[i].path, options->files[i].size);
    if (options->max_args) {
        inputs.text = reserve((uint64_t)options->max_args * (options->arg_size + 1));
        inputs.argv = reserve(((uint64_t)options->argc + options->max_args + 1) * sizeof *inputs.argv);
    }
}

/* ---- The start of an execution ---------------------------------------------------------- */

static uint32_t choose_count(void)
{
    const RtOptions *options = &rt.options;
    uint64_t low = options->min_args, high = options->max_args;
    InputKind kind = {.width = 32, .low = options->min_args, .high = options->max_args, .first = options->min_args};
    uint32_t shadow = 0;
    if (low == high)
        return options->max_args;
    uint64_t count = (uint64_t)input_number("argc", &kind, &shadow);
    if (shadow)
        branch_narrow(shadow_expr(shadow), count, 1, 1, &low, &high);
    return (uint32_t)count;
}

/* The program's own arguments come first. */
static void make_arguments(int *argc, char ***argv)
{
    const RtOptions *options = &rt.options;
    uint32_t count = choose_count();
    int used = 0;
    for (; used < options->argc; used++)
        inputs.argv[used] = options->argv[used];
    for (uint32_t i = 0; i < count; i++) {
        uint8_t *text = inputs.text + (uint64_t)i * (options->arg_size + 1);
        char name[24];
        snprintf(name, sizeof name, "arg%u", i + 1);
        memset(text, 0, options->arg_size + 1);
        shadow_memory_clear(address_of(text), options->arg_size + 1);
        object_map_add(text, options->arg_size + 1, "argument");
        input_bytes(name, text, options->arg_size);
        inputs.argv[used++] = (char *)text;
    }
    inputs.argv[used] = NULL;
    shadow_memory_clear(address_of(inputs.argv), ((uint64_t)used + 1) * sizeof *inputs.argv);
    object_map_add(inputs.argv, ((uint64_t)used + 1) * sizeof *inputs.argv, "argv");
    *argc = used;
    *argv = inputs.argv;
}

void files_begin(int *argc, char ***argv)
{
    sennit_rt_site = NULL; /* decisions made here have no place in the program */
    for (uint32_t i = 0; i < inputs.count; i++) {
        InputFile *file = &inputs.files[i];
        file->position = 0;
        file->pushed_back = file->last_pushed = NOTHING;
        file->holder = 0;
        file->at_end = false;
        input_bytes(file->name, file->bytes, file->size);
    }
    if (rt.options.max_args)
        make_arguments(argc, argv);
}

/* ---- Finding ---------------------------------------------------------------------------------- */

static InputFile *of_path(const char *path)
{
    for (uint32_t i = 0; i < inputs.count && rt.self; i++)
        if (inputs.files[i].path && strcmp(inputs.files[i].path, path) == 0)
            return &inputs.files[i];
    return NULL;
}

static InputFile *of_stream(const FILE *stream)
{
    if (!inputs.count || !rt.self)
        return NULL;
    if (stream == stdin)
        return inputs.files[0].path ? NULL : &inputs.files[0];
    uint64_t address = address_of(stream), base = address_of(inputs.files);
    return address >= base && address < base + sizeof inputs.files ? (InputFile *)(uintptr_t)address : NULL;
}

static InputFile *of_descriptor(int descriptor)
{
    if (!inputs.count || !rt.self)
        return NULL;
    if (descriptor == 0)
        return inputs.files[0].path ? NULL : &inputs.files[0];
    uint32_t number = (uint32_t)(descriptor - FIRST_DESCRIPTOR);
    return descriptor >= FIRST_DESCRIPTOR && number < inputs.count ? &inputs.files[number] : NULL;
}

/* ---- Reading -------------------------------------------------------------------------------------- */

static bool is_mine(const InputFile *file) { return file->holder == (int64_t)rt.self->id + 1; }

/* A step of its own where somebody else might use the file too; nobody holds it then. */
static void change_holder(InputFile *file, int64_t holder)
{
    if (rt.ex->agent_count < 2)
        return;
    Access *access = step_begin(OP_READ_FILE, resource_make(RES_OTHER, (uint64_t)(file - inputs.files) + 1));
    if (!is_mine(file))
        step_guard(access, &file->holder, REL_EQ, 0);
    step_wait();
    step_value(0, file->holder, holder);
    file->holder = holder;
    step_done();
}

static void take_step(InputFile *file)
{
    if (!is_mine(file))
        change_holder(file, 0);
}

/* Operations in which inputs decide something take more than one step: others must wait. */
static void hold(InputFile *file) { change_holder(file, (int64_t)rt.self->id + 1); }
static void release(InputFile *file)
{
    if (is_mine(file))
        change_holder(file, 0);
}

/* Only single bytes can be read then. */
static void refuse_pushed(const InputFile *file)
{
    if (file->pushed_back != NOTHING)
        report_not_modelled("reading more than one byte after ungetc of another one");
}

static uint64_t copy_bytes(InputFile *file, uint8_t *to, uint64_t wanted)
{
    uint64_t left = file->size - file->position, count = wanted < left ? wanted : left;
    refuse_pushed(file);
    plain_write(address_of(to), count);
    memcpy(to, file->bytes + file->position, count);
    shadow_memory_copy(address_of(to), address_of(file->bytes + file->position), count);
    file->position += count;
    file->at_end |= count < wanted;
    return count;
}

static int get_byte(InputFile *file, const void *model)
{
    uint32_t shadow = 0;
    int byte = file->last_pushed = file->pushed_back;
    file->pushed_back = NOTHING;
    if (byte == NOTHING && file->position == file->size) {
        file->at_end = true;
        byte = EOF;
    } else if (byte == NOTHING) {
        const uint8_t *at = file->bytes + file->position++;
        uint32_t narrow = tracking.on ? shadow_memory_get(address_of(at), at, 8) : 0;
        shadow = narrow ? sennit_rt_shadow_cast(SENNIT_SHADOW_ZEXT, 8, 32, narrow) : 0;
        byte = *at;
    }
    shadow_give_result(model, shadow);
    return byte;
}

/* Whether a byte ends the line is for the inputs to decide. */
static bool ends_line(const uint8_t *byte, int delimiter)
{
    uint32_t shadow = tracking.on ? shadow_memory_get(address_of(byte), byte, 8) : 0;
    bool holds = *byte == (uint8_t)delimiter;
    if (shadow)
        branch_decide(
            expr_binary(tracking.pool, EXPR_EQ, shadow_expr(shadow), expr_const(tracking.pool, 8, (uint8_t)delimiter)),
            holds);
    return holds;
}

/* The bytes up to and with the next delimiter, at most `most`. Whoever looks for more notes the end. */
static uint64_t line_length(InputFile *file, int delimiter, uint64_t most)
{
    uint64_t length = 0;
    for (; length < most; length++) {
        if (file->position + length == file->size) {
            file->at_end = true;
            return length;
        }
        if (ends_line(file->bytes + file->position + length, delimiter))
            return length + 1;
    }
    return length;
}

/* Those bytes, with the end of a string behind them. */
static void copy_line(InputFile *file, char *text, uint64_t length)
{
    copy_bytes(file, (uint8_t *)text, length);
    plain_write(address_of(text + length), 1);
    text[length] = '\0';
    shadow_memory_clear(address_of(text + length), 1);
}

/* ---- Streams ---------------------------------------------------------------------------------------- */

FILE *sennit_rt_fopen(const char *path, const char *mode)
{
    InputFile *file = of_path(path);
    if (!file)
        return fopen(path, mode);
    if (mode[0] != 'r' || strchr(mode, '+'))
        report_not_modelled("writing to a file that is an input (--sym-file)");
    take_step(file);
    file->position = 0;
    file->at_end = false;
    return (FILE *)file;
}
FILE *sennit_rt_fopen64(const char *path, const char *mode) { return sennit_rt_fopen(path, mode); }

int sennit_rt_fclose(FILE *stream) { return of_stream(stream) ? 0 : fclose(stream); }

static int get_from(FILE *stream, const void *model)
{
    InputFile *file = of_stream(stream);
    if (!file)
        return fgetc(stream);
    take_step(file);
    return get_byte(file, model);
}

#define GETTER(function) \
    int sennit_rt_##function(FILE *stream) { return get_from(stream, (const void *)(uintptr_t)sennit_rt_##function); }
GETTER(fgetc)
GETTER(getc)
GETTER(_IO_getc)
GETTER(getc_unlocked)
GETTER(fgetc_unlocked)
int sennit_rt_getchar(void) { return get_from(stdin, (const void *)(uintptr_t)sennit_rt_getchar); }
int sennit_rt_getchar_unlocked(void) { return get_from(stdin, (const void *)(uintptr_t)sennit_rt_getchar_unlocked); }

static uint32_t shadow_of_last(const InputFile *file)
{
    const uint8_t *last = file->bytes + file->position - 1;
    return tracking.on && file->position > 0 ? shadow_memory_get(address_of(last), last, 8) : 0;
}

/* Is the character the byte that was read last? Inputs may have to decide it. */
static bool is_last(const InputFile *file, int c, uint32_t shadow)
{
    uint32_t last = shadow_of_last(file);
    bool equal = file->position > 0 && file->bytes[file->position - 1] == (uint8_t)c;
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

/* What was just read comes back with its expression; anything else as it is. */
int sennit_rt_ungetc(int c, FILE *stream)
{
    uint32_t shadow = shadow_argument((const void *)(uintptr_t)sennit_rt_ungetc, 0);
    InputFile *file = of_stream(stream);
    if (!file && shadow)
        concretise_value(shadow_expr(shadow), (uint32_t)c, "ungetc");
    if (!file)
        return ungetc(c, stream);
    if (c == EOF)
        return EOF;
    hold(file);
    if (file->pushed_back == NOTHING && is_last(file, c, shadow))
        file->position--;
    else
        file->pushed_back = (uint8_t)c;
    file->at_end = false;
    release(file);
    shadow_give_result((const void *)(uintptr_t)sennit_rt_ungetc, shadow);
    return c;
}

char *sennit_rt_fgets(char *text, int size, FILE *stream)
{
    InputFile *file = of_stream(stream);
    if (!file)
        return fgets(text, size, stream);
    hold(file);
    uint64_t length = size > 1 ? line_length(file, '\n', (uint64_t)size - 1) : 0;
    bool good = size == 1 || length > 0;
    if (good)
        copy_line(file, text, length);
    release(file);
    return good ? text : NULL;
}
char *sennit_rt_fgets_unlocked(char *text, int size, FILE *stream) { return sennit_rt_fgets(text, size, stream); }

/* The linker warns of the original. */
static char *real_gets(char *text)
{
    size_t length = 0;
    int c;
    while ((c = getchar()) != EOF && c != '\n')
        text[length++] = (char)c;
    text[length] = '\0';
    return c == EOF && length == 0 ? NULL : text;
}

/* The line without its end. */
char *sennit_rt_gets(char *text)
{
    InputFile *file = of_stream(stdin);
    if (!file)
        return real_gets(text);
    hold(file);
    uint64_t length = line_length(file, '\n', UINT64_MAX), ends = length > 0 && !file->at_end;
    if (length > 0)
        copy_line(file, text, length - ends);
    file->position += ends;
    release(file);
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

ssize_t files_getdelim(char **line, size_t *size, int delimiter, FILE *stream)
{
    InputFile *file = of_stream(stream);
    hold(file);
    uint64_t length = line_length(file, delimiter, UINT64_MAX);
    make_room(line, size, length + 1);
    if (length > 0)
        copy_line(file, *line, length);
    release(file);
    return length > 0 ? (ssize_t)length : -1;
}

size_t sennit_rt_fread(void *to, size_t size, size_t count, FILE *stream)
{
    InputFile *file = of_stream(stream);
    if (!file)
        return fread(to, size, count, stream);
    take_step(file);
    return size ? copy_bytes(file, to, size * count) / size : 0;
}

int sennit_rt_feof(FILE *stream) { return of_stream(stream) ? of_stream(stream)->at_end : feof(stream); }
int sennit_rt_feof_unlocked(FILE *stream) { return sennit_rt_feof(stream); }
int sennit_rt_ferror_unlocked(FILE *stream) { return sennit_rt_ferror(stream); }
size_t sennit_rt_fread_unlocked(void *to, size_t size, size_t count, FILE *stream)
{
    return sennit_rt_fread(to, size, count, stream);
}
int sennit_rt_ferror(FILE *stream) { return of_stream(stream) ? 0 : ferror(stream); }

void sennit_rt_clearerr(FILE *stream)
{
    if (of_stream(stream))
        of_stream(stream)->at_end = false;
    else
        clearerr(stream);
}

void sennit_rt_setbuf(FILE *stream, char *buffer)
{
    if (!of_stream(stream))
        setbuf(stream, buffer);
}

int sennit_rt_setvbuf(FILE *stream, char *buffer, int mode, size_t size)
{
    return of_stream(stream) ? 0 : setvbuf(stream, buffer, mode, size);
}

static int64_t seek(InputFile *file, int64_t offset, int whence)
{
    int64_t base = whence == SEEK_CUR ? (int64_t)file->position : whence == SEEK_END ? (int64_t)file->size : 0;
    take_step(file);
    if (base + offset < 0 || base + offset > (int64_t)file->size) {
        errno = EINVAL;
        return -1;
    }
    file->position = (uint64_t)(base + offset);
    file->pushed_back = NOTHING;
    file->at_end = false;
    return base + offset;
}

int sennit_rt_fseek(FILE *stream, long offset, int whence)
{
    InputFile *file = of_stream(stream);
    return !file ? fseek(stream, offset, whence) : seek(file, offset, whence) < 0 ? -1 : 0;
}

long sennit_rt_ftell(FILE *stream)
{
    InputFile *file = of_stream(stream);
    return file ? (long)file->position : ftell(stream);
}

int sennit_rt_fseeko(FILE *stream, off_t offset, int whence) { return sennit_rt_fseek(stream, offset, whence); }
off_t sennit_rt_ftello(FILE *stream) { return sennit_rt_ftell(stream); }

void sennit_rt_rewind(FILE *stream)
{
    InputFile *file = of_stream(stream);
    if (file)
        seek(file, 0, SEEK_SET);
    else
        rewind(stream);
}

int sennit_rt_fileno(FILE *stream)
{
    InputFile *file = of_stream(stream);
    return !file ? fileno(stream) : file->path ? FIRST_DESCRIPTOR + (int)(file - inputs.files) : 0;
}

/* ---- Descriptors --------------------------------------------------------------------------------------- */

int sennit_rt_open(const char *path, int flags, ...)
{
    InputFile *file = of_path(path);
    va_list args;
    va_start(args, flags);
    int mode = va_arg(args, int);
    va_end(args);
    if (!file)
        return open(path, flags, mode);
    if ((flags & O_ACCMODE) != O_RDONLY)
        report_not_modelled("writing to a file that is an input (--sym-file)");
    take_step(file);
    file->position = 0;
    return FIRST_DESCRIPTOR + (int)(file - inputs.files);
}

int sennit_rt_close(int descriptor)
{
    PipeEnd *end = pipe_find(descriptor);
    if (end)
        return pipe_close(end);
    return of_descriptor(descriptor) ? 0 : close(descriptor);
}

ssize_t sennit_rt_read(int descriptor, void *to, size_t size)
{
    PipeEnd *end = pipe_find(descriptor);
    if (end)
        return pipe_read(end, to, size);
    InputFile *file = of_descriptor(descriptor);
    if (!file)
        return read(descriptor, to, size);
    take_step(file);
    return (ssize_t)copy_bytes(file, to, size);
}

off_t sennit_rt_lseek(int descriptor, off_t offset, int whence)
{
    InputFile *file = of_descriptor(descriptor);
    return file ? (off_t)seek(file, offset, whence) : lseek(descriptor, offset, whence);
}

/* ---- Scanning -------------------------------------------------------------------------------------------- */

/* Code that is followed reads files that are inputs itself (tracked/scan.c); these are the others. */
int sennit_rt_scan_real(FILE *stream, const char *format, va_list args)
{
    if (of_stream(stream))
        report_not_modelled(
            "scanf, outside code that is followed, of a file that is an input (--sym-stdin, --sym-file)");
    return vfscanf(stream, format, args);
}

#define SCANNER(function, parameter, stream)                         \
    int sennit_rt_##function(parameter const char *format, ...)      \
    {                                                                \
        va_list args;                                                \
        va_start(args, format);                                      \
        int count = sennit_rt_scan_real(stream, format, args);       \
        va_end(args);                                                \
        return count;                                                \
    }
#define NO_PARAMETER
#define STREAM FILE *stream,
SCANNER(scanf, NO_PARAMETER, stdin)
SCANNER(__isoc99_scanf, NO_PARAMETER, stdin)
SCANNER(__isoc23_scanf, NO_PARAMETER, stdin)
SCANNER(fscanf, STREAM, stream)
SCANNER(__isoc99_fscanf, STREAM, stream)
SCANNER(__isoc23_fscanf, STREAM, stream)

bool sennit_rt_scan_begin(FILE *stream)
{
    InputFile *file = of_stream(stream);
    if (file)
        hold(file);
    return file != NULL;
}

void sennit_rt_scan_end(FILE *stream) { release(of_stream(stream)); }

void sennit_rt_scan_back(FILE *stream)
{
    InputFile *file = of_stream(stream);
    if (file->last_pushed == NOTHING)
        file->position--;
    else
        file->pushed_back = file->last_pushed;
}

/* ---- The end --------------------------------------------------------------------------------------------- */

bool files_has(FILE *stream) { return of_stream(stream) != NULL; }
