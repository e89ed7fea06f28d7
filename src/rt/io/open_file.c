/* open_file.c - see open_file.h
 *
 * Descriptors are real ones, moved to numbers that do not depend on the schedule.
 */
#include "rt/io/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/io/crash_point.h"
#include "rt/io/descriptor.h"
#include "rt/file/file_point.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/node.h"
#include "rt/kernel/process.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/sync/hidden.h"

struct OpenFile {
    OpenFile *next;
    int number;
    int origin;           /* the descriptor that this is a copy of, or its own number */
    char *name;           /* of a file that was not changed when it was opened; or NULL */
    File *file;           /* of the execution, or NULL */
    FILE *stream;         /* kept after fclose, so that no other one gets its address */
    StreamMemory memory;
    AgentId owner;
    unsigned node;        /* whose it is */
    unsigned process;     /* that has opened it */
    uint64_t holders;     /* bits: processes that have it */
    bool writes, closed, occupied;
    int own_flags;        /* of the descriptor, which are the system's otherwise: FD_CLOEXEC or 0 */
    bool has_flags;       /* of a standard stream: the program has set them, to                   */
    int flags;
    int64_t holder;       /* 1 + thread that has locked the stream, or 0 */
    uint32_t depth;       /* how often, beyond the first time */
};

/* Streams without descriptors, of memory, have numbers from here. */
enum { NUMBERS = 1 << 16, STANDARD = 3, MEMORY_FIRST = 1 << 24, MEMORY_OF_THREAD = 1 << 8,
       NODE_SHIFT = 41 /* in names of standard streams */ };

static struct {
    OpenFile *by_number[NUMBERS]; /* those with descriptors, the newest of each number */
    OpenFile *all;                /* of this execution, closed ones too                */
    OpenFile standard[RT_NODES][STANDARD]; /* of the program, or of each node */
    bool standard_is_new;         /* no execution has asked for one since they were set up */
    uint64_t *names;              /* per number: hash of the name, for reports; of all processes */
} opened;

/* ---- Finding ------------------------------------------------------------------------------ */

static OpenFile *find_standard(unsigned number)
{
    opened.standard_is_new = false;
    return &opened.standard[node_self()][number];
}

OpenFile *open_file_find(int descriptor)
{
    if (!rt.self || descriptor < 0 || descriptor >= NUMBERS)
        return NULL;
    if (descriptor < STANDARD)
        return find_standard((unsigned)descriptor);
    OpenFile *open = opened.by_number[descriptor];
    if (open && !open->closed && !(open->holders >> process_self() & 1))
        report_not_modelled("a descriptor of a file that this process does not have, and another one does");
    return open && open->node == node_self() ? open : NULL;
}

static OpenFile *find_by_stream(const FILE *stream)
{
    OpenFile *open = opened.all;
    while (open && open->stream != stream)
        open = open->next;
    return open;
}

/* The buffers of streams are not copied. */
static OpenFile *check_opener(OpenFile *open)
{
    if (open && open->process != process_self())
        report_not_modelled("a stream that another process has opened");
    return open;
}

OpenFile *open_file_of_stream(FILE *stream)
{
    if (!rt.self)
        return NULL;
    if (stream == stdin || stream == stdout || stream == stderr)
        return find_standard(stream == stdin ? 0 : stream == stdout ? 1 : 2);
    int kept = errno, descriptor = fileno(stream);
    errno = kept;
    OpenFile *open = open_file_find(descriptor);
    if (open && open->stream == stream)
        return check_opener(open);
    if (open && descriptor < STANDARD)
        return open;
    OpenFile *known = find_by_stream(stream);
    return known ? check_opener(known) : open; /* of several that fdopen made for one descriptor the last is known */
}

bool open_file_occupies(int descriptor)
{
    const OpenFile *open = open_file_find(descriptor);
    return open && open->occupied;
}

File *open_file_file(const OpenFile *open) { return open->file; }

/* ---- Steps ------------------------------------------------------------------------------------ */

static uint64_t resource_of_number(int number)
{
    return resource_make(RES_DESCRIPTOR, (uint64_t)number | (number < STANDARD ? process_bits(NODE_SHIFT) : 0));
}

uint64_t open_file_resource(const OpenFile *open) { return resource_of_number(open->number); }
const char *open_file_path(const OpenFile *open) { return open->file ? file_name(open->file) : open->name; }
bool open_file_is_closed(const OpenFile *open) { return open->closed; }

static uint64_t resource_of_contents(const OpenFile *open)
{
    const char *name = open_file_path(open);
    return name ? resource_make(RES_FILE, files_hash(name)) : 0;
}

static bool holds(const OpenFile *open) { return open->holder == (int64_t)thread_strand() + 1; }

static bool locks_streams(void)
{
    static enum { UNKNOWN, NO, YES } answer; /* the same for the whole process */
    if (answer == UNKNOWN)
        answer = calls_are_listed() && (calls_contain("flockfile") || calls_contain("ftrylockfile")) ? YES : NO;
    return answer == YES;
}

/* Locked calls are ordered: those that change the stream with all others. */
static void order_locked(const OpenFile *open, Mode position)
{
    uint64_t readers = resource_of_number(open->number) | 1ull << 40;
    if (position == MODE_WRITE)
        race_acquire(readers);
    else
        race_release(readers);
}

/* Announces the step. */
static void use(OpenFile *open, OpKind op, Mode position, Mode contents, StreamManner manner)
{
    void (*point)(unsigned, uint64_t, Mode, int64_t, int64_t) = manner == UNLOCKED ? file_point_set : file_point_use;
    uint64_t data = contents == MODE_NONE ? 0 : resource_of_contents(open);
    Access *access = step_begin(op, resource_of_number(open->number));
    access->mode = (uint8_t)position;
    if (manner == LOCKED && locks_streams() && !holds(open)) {
        step_guard(access, &open->holder, REL_EQ, 0);
        access->mask = FILE_VALUE_MASK;
    }
    bool is_copy = open->origin != open->number;
    if (is_copy)
        step_touch(resource_of_number(open->origin), position);
    if (data)
        step_touch(data, contents);
    step_wait();
    point(0, resource_of_number(open->number), position, open->holder, open->holder);
    if (is_copy)
        point(1, resource_of_number(open->origin), position, 0, 0);
    if (data)
        point(1u + is_copy, data, contents, 0, 0);
    uint64_t now = data ? resource_of_contents(open) : 0;
    if (now != data) { /* it was renamed meanwhile */
        step_opaque();
        step_touch(now, contents);
        point(2u + is_copy, now, contents, 0, 0);
    }
    if (manner == LOCKED)
        order_locked(open, position);
    stream_memory_use(&open->memory, position == MODE_WRITE, manner);
    step_done();
}

/* Every execution reads standard input from its beginning, if it is a file; through a position of its own, since other
 * processes of the run use it, too. */
static void prepare_input(void)
{
    static uint32_t prepared;
    struct stat status;
    if (prepared == rt.execution)
        return;
    bool first = !prepared;
    prepared = rt.execution;
    if (fstat(0, &status) != 0 || S_ISCHR(status.st_mode))
        return;
    if (!S_ISREG(status.st_mode) && !first)
        report_not_modelled("reading standard input in more than one execution, unless it is a file (or --sym-stdin)");
    int again = S_ISREG(status.st_mode) ? open("/proc/self/fd/0", O_RDONLY | O_CLOEXEC) : -1;
    if (again < 0)
        return;
    dup2(again, 0);
    close(again);
    __fpurge(stdin);
    clearerr(stdin);
}

void open_file_use(OpenFile *open, OpKind op, Mode position, Mode contents)
{
    if (!open->number)
        prepare_input();
    if (contents == MODE_WRITE && open->number >= STANDARD)
        crash_point();
    if (hidden_is_shared())
        use(open, op, position, contents, BY_DESCRIPTOR);
}

int open_file_control(OpenFile *open, int command, long argument)
{
    bool sets = command == F_SETFL || command == F_SETFD;
    if (hidden_is_shared())
        use(open, OP_FILE_FLAGS, sets ? MODE_WRITE : MODE_READ, MODE_NONE, BY_DESCRIPTOR);
    else if (sets)
        sennit_rt_noise = 1; /* no step shows it */
    if (fcntl(open->number, F_GETFD) < 0)
        return -1;
    switch (command) {
    case F_GETFD: return open->own_flags;
    case F_SETFD: open->own_flags = (int)argument & FD_CLOEXEC; return 0;
    case F_GETFL: return open->has_flags ? open->flags : fcntl(open->number, F_GETFL);
    case F_SETFL:
        if (open->number >= STANDARD)
            return fcntl(open->number, F_SETFL, argument);
        open->flags = (fcntl(open->number, F_GETFL) & O_ACCMODE) | ((int)argument & ~O_ACCMODE);
        open->has_flags = true;
        return 0;
    default: return fcntl(open->number, command, argument);
    }
}

int open_file_is_terminal(OpenFile *open)
{
    if (hidden_is_shared())
        use(open, OP_FILE_LOOK, MODE_READ, MODE_NONE, BY_DESCRIPTOR);
    return isatty(open->number);
}

/* Does the program call a function that does not lock its stream? */
static bool calls_unlocked(void)
{
    static const char *const functions[] = {
        "getc_unlocked", "fgetc_unlocked", "getchar_unlocked", "fgets_unlocked", "fread_unlocked", "feof_unlocked",
        "ferror_unlocked", "clearerr_unlocked", "fileno_unlocked", "fflush_unlocked", "putc_unlocked",
        "fputc_unlocked", "putchar_unlocked", "fputs_unlocked", "fwrite_unlocked", "getwc_unlocked",
        "fgetwc_unlocked", "getwchar_unlocked", "fgetws_unlocked", "putwc_unlocked", "fputwc_unlocked",
        "putwchar_unlocked", "fputws_unlocked"};
    static enum { UNKNOWN, NO, YES } answer;
    for (unsigned i = 0; answer == UNKNOWN && calls_are_listed() && i < sizeof functions / sizeof *functions; i++)
        if (calls_contain(functions[i]))
            answer = YES;
    answer = answer == YES ? YES : NO;
    return answer == YES;
}

static bool is_output(const OpenFile *open) { return open->number == 1 || open->number == 2; }

/* A call on a stream may write what is in its buffer. */
static Mode contents_mode(const OpenFile *open, OpKind op)
{
    if (open->writes)
        return MODE_WRITE;
    return op == OP_FILE_CLOSE || op == OP_FILE_SEEK || op == OP_FILE_LOOK ? MODE_NONE : MODE_READ;
}

void stream_use_by(FILE *stream, OpKind op, Mode position, StreamManner manner)
{
    OpenFile *open = open_file_of_stream(stream);
    if (stream == stdin && rt.self)
        prepare_input();
    if (!open)
        return;
    bool only_reads = op == OP_FILE_READ || op == OP_FILE_LOOK;
    if (open->writes && !only_reads && open->number >= STANDARD)
        crash_point();
    if (hidden_is_shared() && (!is_output(open) || locks_streams() || calls_unlocked()))
        use(open, op, position, contents_mode(open, op), manner);
    else
        stream_memory_use(&open->memory, position == MODE_WRITE, manner);
}

void stream_use(FILE *stream, OpKind op, Mode position) { stream_use_by(stream, op, position, LOCKED); }

void stream_check(FILE *stream)
{
    const OpenFile *open = open_file_of_stream(stream);
    if (open)
        stream_memory_check(&open->memory);
}

void stream_set_memory(FILE *stream, void *memory, size_t size)
{
    OpenFile *open = open_file_of_stream(stream);
    setvbuf(stream, NULL, _IONBF, 0); /* every call accesses the memory at once */
    stream_memory_set_contents(&open->memory, memory, size);
}

int stream_set_buffer(FILE *stream, char *buffer, int mode, size_t size)
{
    OpenFile *open = open_file_of_stream(stream);
    if (!open)
        return setvbuf(stream, buffer, mode, size);
    stream_use(stream, OP_FILE_SEEK, MODE_WRITE);
    return stream_memory_set_buffer(&open->memory, stream, buffer, mode, size);
}

void stream_use_all(void)
{
    unsigned count = 0;
    if (!hidden_is_shared())
        return;
    step_begin(OP_FILE_WRITE, 0);
    for (OpenFile *open = opened.all; open; open = open->next)
        if (open->stream && !open->closed && open->writes && count++ < MAX_ANNOUNCED / 2) {
            step_touch(resource_of_number(open->number), MODE_WRITE);
            if (resource_of_contents(open))
                step_touch(resource_of_contents(open), MODE_WRITE);
        }
    step_opaque();
    step_wait();
    step_done();
}

/* ---- Locks of streams --------------------------------------------------------------------------- */

static void change_holder(OpenFile *open, int64_t holder)
{
    order_locked(open, MODE_WRITE);
    file_point_use(0, resource_of_number(open->number), MODE_WRITE, open->holder, holder);
    open->holder = holder;
    step_done();
}

void stream_lock(FILE *stream)
{
    OpenFile *open = open_file_of_stream(stream);
    if (!open)
        return;
    stream_memory_check(&open->memory);
    if (holds(open)) {
        open->depth++;
        return;
    }
    Access *access = step_begin(OP_LOCK, resource_of_number(open->number));
    step_guard(access, &open->holder, REL_EQ, 0);
    access->mask = FILE_VALUE_MASK;
    step_wait();
    change_holder(open, (int64_t)thread_strand() + 1);
    stream_memory_check(&open->memory);
}

bool stream_try_lock(FILE *stream)
{
    OpenFile *open = open_file_of_stream(stream);
    if (!open)
        return true;
    stream_memory_check(&open->memory);
    if (holds(open)) {
        open->depth++;
        return true;
    }
    Access *access = step_begin(OP_TRYLOCK, resource_of_number(open->number));
    step_switch(access, REL_EQ, 0, MODE_WRITE, MODE_READ);
    access->mask = FILE_VALUE_MASK;
    step_wait();
    bool free = open->holder == 0;
    if (free) {
        change_holder(open, (int64_t)thread_strand() + 1);
    } else {
        file_point_use(0, resource_of_number(open->number), MODE_READ, open->holder, open->holder);
        step_done();
    }
    stream_memory_check(&open->memory);
    return free;
}

void stream_unlock(FILE *stream)
{
    OpenFile *open = open_file_of_stream(stream);
    if (open)
        stream_memory_check(&open->memory);
    if (!open || !holds(open))
        return;
    if (open->depth) {
        open->depth--;
        return;
    }
    step_begin(OP_UNLOCK, resource_of_number(open->number));
    step_wait();
    change_holder(open, 0);
}

/* ---- Opening and closing --------------------------------------------------------------------------- */

static OpenFile *make(int number, bool writes)
{
    OpenFile *open = mem_alloc(sizeof *open);
    *open = (OpenFile){.next = opened.all, .number = number, .origin = number, .owner = rt.self->strand,
                       .node = node_self(), .process = process_self(), .holders = 1ull << process_self(),
                       .writes = writes, .occupied = true};
    opened.all = open;
    if (number < NUMBERS)
        opened.by_number[number] = open;
    return open;
}

/* The usual limit is above the numbers of few threads only. */
static void raise_limit(int number)
{
    static struct rlimit limit;
    if ((rlim_t)number < limit.rlim_cur || getrlimit(RLIMIT_NOFILE, &limit) != 0 || (rlim_t)number < limit.rlim_cur)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

static void give_number(int descriptor, int number)
{
    raise_limit(number);
    if (number >= NUMBERS || dup3(descriptor, number, O_CLOEXEC) < 0)
        report_not_modelled("a descriptor with a number that the system does not allow");
}

int open_file_add(int descriptor, const char *name, int flags)
{
    if (descriptor < 0)
        return -1;
    int number = descriptor_new();
    give_number(descriptor, number);
    close(descriptor);
    OpenFile *open = make(number, (flags & O_ACCMODE) != O_RDONLY);
    open->own_flags = flags & O_CLOEXEC ? FD_CLOEXEC : 0;
    open->file = name ? files_find(name) : NULL;
    if (opened.names)
        opened.names[number] = name ? files_hash(name) : 0;
    open->name = name ? mem_copy_string(name) : NULL;
    return number;
}

/* What is printed while exploring, also through copies. */
static bool is_dropped(int number) { return !rt.options.show_output && (number == 1 || number == 2); }

static void give_nothing(int number)
{
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    give_number(nothing, number);
    close(nothing);
}

int open_file_copy(OpenFile *open, int as)
{
    if (as < 0)
        open_file_use(open, OP_FILE_SEEK, MODE_READ, MODE_NONE);
    if (open->closed) {
        errno = EBADF;
        return -1;
    }
    int number = as < 0 ? descriptor_new() : as;
    if (is_dropped(open->origin))
        give_nothing(number);
    else
        give_number(open->number, number);
    OpenFile *copy = make(number, open->writes);
    copy->origin = open->origin;
    copy->file = open->file;
    copy->name = open->name ? mem_copy_string(open->name) : NULL;
    if (opened.names)
        opened.names[number] = opened.names[open->number];
    return number;
}

/* A number is free again if its owner closed it. */
static void mark_closed(OpenFile *open)
{
    open->closed = true;
    open->occupied = open->owner != rt.self->strand;
}

int open_file_close(OpenFile *open)
{
    if (open->number < STANDARD)
        return 0; /* later executions need them */
    open_file_use(open, OP_FILE_CLOSE, MODE_WRITE, MODE_NONE);
    open->holders &= ~(1ull << process_self());
    if (open->holders)
        return 0;
    int result = close(open->number);
    if (!open->closed)
        mark_closed(open);
    return result;
}

static void abandon(OpenFile *open)
{
    int descriptor = open->number;
    if (open->stream) {
        __fpurge(open->stream);
        descriptor = open->stream->_fileno;
        open->stream->_fileno = -1;
    }
    if (descriptor >= 0 && open->number < NUMBERS)
        close(descriptor);
    mark_closed(open);
}

void open_file_abandon_all(void)
{
    for (OpenFile *open = opened.all; open; open = open->next)
        if (open->node == node_self() && !open->closed && open->number < NUMBERS)
            abandon(open);
}

void open_file_fork(unsigned process)
{
    if (locks_streams())
        report_not_modelled("fork in a program that locks streams");
    for (OpenFile *open = opened.all; open; open = open->next)
        if (open->holders >> process_self() & 1 && !open->closed && !open->stream)
            open->holders |= 1ull << process;
}

bool open_file_has_stream(const OpenFile *open) { return open->stream && !open->closed; }

FILE *open_file_set_stream(OpenFile *open, FILE *stream)
{
    if (stream && !open) {
        uint64_t count = 0;
        for (const OpenFile *other = opened.all; other; other = other->next)
            count += other->number >= MEMORY_FIRST && other->owner == rt.self->strand;
        open = make(MEMORY_FIRST + (int)(rt.self->strand * MEMORY_OF_THREAD + count % MEMORY_OF_THREAD), true);
    }
    if (stream) {
        open->stream = stream;
        stream_memory_open(&open->memory);
    }
    return stream;
}

/* The real stream stays until the end of the execution, without its descriptor. */
int open_file_close_stream(FILE *stream)
{
    OpenFile *open = open_file_of_stream(stream);
    if (!open)
        return fclose(stream);
    stream_use(stream, OP_FILE_CLOSE, MODE_WRITE);
    if (open->number < STANDARD)
        return is_output(open) ? fflush(stream) : 0;
    if (!open->closed)
        mark_closed(open);
    if (open->stream != stream)
        return fclose(stream);
    stream_memory_close(&open->memory);
    int failed = fflush(stream), descriptor = open->number < NUMBERS ? stream->_fileno : -1;
    if (descriptor >= 0) {
        failed |= close(descriptor);
        stream->_fileno = -1;
    }
    return failed ? EOF : 0;
}

void open_file_replace(OpenFile *open, OpenFile *by)
{
    char *name = open->name;
    open->name = by->name;
    by->name = name;
    open->file = by->file;
    open->writes = by->writes;
    if (opened.names)
        opened.names[open->number] = opened.names[by->number];
}

/* Copies have a position in common with their original. */
void open_file_move(const char *name, File *file, int storage)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", storage);
    for (OpenFile *open = opened.all; open; open = open->next) {
        if (!open->name || open->file || open->node != node_self() || strcmp(open->name, name) != 0)
            continue;
        open->file = file;
        if (open->closed)
            continue;
        bool copies = open->origin != open->number && !open_file_find(open->origin)->closed;
        if (copies)
            report_not_modelled("changing a file that was opened and copied (dup) before");
        int moved = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
        lseek(moved, lseek(open->number, 0, SEEK_CUR), SEEK_SET);
        give_number(moved, open->number);
        close(moved);
    }
}

/* ---- Reports and lifecycle ---------------------------------------------------------------------------- */

void open_file_name(uint64_t descriptor, char *text, size_t size)
{
    static const char *const standard[] = {"stdin", "stdout", "stderr"};
    const char *name = opened.names && descriptor < NUMBERS ? files_name_of_hash(opened.names[descriptor]) : NULL;
    uint64_t number = descriptor & ((1ull << NODE_SHIFT) - 1);
    if (number < STANDARD)
        snprintf(text, size, "%s", standard[number]);
    else if (descriptor >= MEMORY_FIRST)
        snprintf(text, size, "a stream in memory");
    else if (descriptor >= NUMBERS)
        snprintf(text, size, "that is an input");
    else if (name)
        snprintf(text, size, "%s (descriptor %u)", name, (unsigned)descriptor);
    else
        snprintf(text, size, "descriptor %u", (unsigned)descriptor);
}

void open_file_init(void)
{
    void *names = mmap(NULL, NUMBERS * sizeof *opened.names, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    opened.names = names == MAP_FAILED ? NULL : names;
}

static void reset_standard(void)
{
    if (LIKELY(opened.standard_is_new))
        return;
    for (unsigned k = 0; k < RT_NODES * STANDARD; k++) {
        OpenFile *file = &opened.standard[k / STANDARD][k % STANDARD];
        unsigned i = k % STANDARD;
        stream_memory_forget(&file->memory);
        *file = (OpenFile){.number = (int)i, .origin = (int)i, .writes = i > 0, .memory.standard = i};
    }
    opened.standard_is_new = true;
}

void open_file_reset(void)
{
    while (opened.all) {
        OpenFile *open = opened.all;
        opened.all = open->next;
        if (open->number < NUMBERS)
            opened.by_number[open->number] = NULL;
        if (open->stream)
            fclose(open->stream);
        stream_memory_forget(&open->memory);
        if (!open->stream && !open->closed)
            close(open->number);
        free(open->name);
        free(open);
    }
    reset_standard();
}
