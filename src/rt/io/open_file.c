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
#include "rt/io/descriptor.h"
#include "rt/io/file_point.h"
#include "rt/kernel/calls.h"
#include "rt/kernel/step.h"
#include "rt/kernel/thread.h"
#include "rt/sync/hidden.h"

struct OpenFile {
    OpenFile *next;
    int number;
    int origin;           /* the descriptor that this is a copy of, or its own number */
    char *name;           /* of a file that was not changed when it was opened; or NULL */
    File *file;           /* of the execution, or NULL */
    FILE *stream;
    AgentId owner;
    bool writes, closed, occupied;
    int64_t holder;       /* 1 + thread that has locked the stream, or 0 */
    uint32_t depth;       /* how often, beyond the first time */
};

/* Streams without descriptors, of memory, have numbers from here. */
enum { NUMBERS = 1 << 16, STANDARD = 3, MEMORY_FIRST = 1 << 24, MEMORY_OF_THREAD = 1 << 8 };

static struct {
    OpenFile *by_number[NUMBERS]; /* those with descriptors, the newest of each number */
    OpenFile *all;                /* of this execution, closed ones too                */
    OpenFile standard[STANDARD];
    uint64_t *names;              /* per number: hash of the name, for reports; of all processes */
} opened;

/* ---- Finding ------------------------------------------------------------------------------ */

OpenFile *open_file_find(int descriptor)
{
    if (!rt.self || descriptor < 0 || descriptor >= NUMBERS)
        return NULL;
    return descriptor < STANDARD ? &opened.standard[descriptor] : opened.by_number[descriptor];
}

static OpenFile *find_memory_stream(const FILE *stream)
{
    for (OpenFile *open = opened.all; open; open = open->next)
        if (open->number >= MEMORY_FIRST && open->stream == stream && !open->closed)
            return open;
    return NULL;
}

OpenFile *open_file_of_stream(FILE *stream)
{
    if (!rt.self)
        return NULL;
    if (stream == stdin || stream == stdout || stream == stderr)
        return &opened.standard[stream == stdin ? 0 : stream == stdout ? 1 : 2];
    int kept = errno, descriptor = fileno(stream);
    errno = kept;
    return descriptor < 0 ? find_memory_stream(stream) : open_file_find(descriptor);
}

bool open_file_occupies(int descriptor)
{
    const OpenFile *open = open_file_find(descriptor);
    return open && open->occupied;
}

File *open_file_file(const OpenFile *open) { return open->file; }

/* ---- Steps ------------------------------------------------------------------------------------ */

static uint64_t resource_of_number(int number) { return resource_make(RES_DESCRIPTOR, (uint64_t)number); }

static uint64_t resource_of_contents(const OpenFile *open)
{
    const char *name = open->file ? file_name(open->file) : open->name;
    return name ? resource_make(RES_FILE, files_hash(name)) : 0;
}

static bool holds(const OpenFile *open) { return open->holder == (int64_t)thread_strand() + 1; }

/* Announces the step; `waits`: for the lock of the stream. */
static void use(OpenFile *open, OpKind op, Mode position, Mode contents, bool waits)
{
    uint64_t data = contents == MODE_NONE ? 0 : resource_of_contents(open);
    Access *access = step_begin(op, resource_of_number(open->number));
    access->mode = (uint8_t)position;
    if (waits && !holds(open)) {
        step_guard(access, &open->holder, REL_EQ, 0);
        access->mask = FILE_VALUE_MASK;
    }
    bool is_copy = open->origin != open->number;
    if (is_copy)
        step_touch(resource_of_number(open->origin), position);
    if (data)
        step_touch(data, contents);
    step_wait();
    file_point_use(0, resource_of_number(open->number), position, open->holder, open->holder);
    if (is_copy)
        file_point_use(1, resource_of_number(open->origin), position, 0, 0);
    if (data)
        file_point_use(1u + is_copy, data, contents, 0, 0);
    uint64_t now = data ? resource_of_contents(open) : 0;
    if (now != data) { /* it was renamed meanwhile */
        step_opaque();
        step_touch(now, contents);
        file_point_use(2u + is_copy, now, contents, 0, 0);
    }
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
    if (hidden_is_shared())
        use(open, op, position, contents, false);
}

static bool locks_streams(void)
{
    static enum { UNKNOWN, NO, YES } answer; /* the same for the whole process */
    if (answer == UNKNOWN)
        answer = calls_are_listed() && (calls_contain("flockfile") || calls_contain("ftrylockfile")) ? YES : NO;
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

void stream_use(FILE *stream, OpKind op, Mode position)
{
    if (stream == stdin && rt.self)
        prepare_input();
    if (!hidden_is_shared() || ((stream == stdout || stream == stderr) && !locks_streams()))
        return;
    OpenFile *open = open_file_of_stream(stream);
    if (open)
        use(open, op, position, contents_mode(open, op), locks_streams());
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
    file_point_use(0, resource_of_number(open->number), MODE_WRITE, open->holder, holder);
    open->holder = holder;
    step_done();
}

void stream_lock(FILE *stream)
{
    OpenFile *open = open_file_of_stream(stream);
    if (!open)
        return;
    if (holds(open)) {
        open->depth++;
        return;
    }
    Access *access = step_begin(OP_LOCK, resource_of_number(open->number));
    step_guard(access, &open->holder, REL_EQ, 0);
    access->mask = FILE_VALUE_MASK;
    step_wait();
    change_holder(open, (int64_t)thread_strand() + 1);
}

bool stream_try_lock(FILE *stream)
{
    OpenFile *open = open_file_of_stream(stream);
    if (!open)
        return true;
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
    return free;
}

void stream_unlock(FILE *stream)
{
    OpenFile *open = open_file_of_stream(stream);
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
                       .writes = writes, .occupied = true};
    opened.all = open;
    if (number < NUMBERS)
        opened.by_number[number] = open;
    return open;
}

/* The usual limit is above the numbers of few threads only. */
static void raise_limit(int number)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || (rlim_t)number < limit.rlim_cur)
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

int open_file_add(int descriptor, const char *name, bool writes)
{
    if (descriptor < 0)
        return -1;
    int number = descriptor_new();
    give_number(descriptor, number);
    close(descriptor);
    OpenFile *open = make(number, writes);
    open->file = name ? files_find(name) : NULL;
    if (opened.names)
        opened.names[number] = name ? files_hash(name) : 0;
    open->name = name ? mem_copy_string(name) : NULL;
    return number;
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
    int result = close(open->number);
    if (!open->closed)
        mark_closed(open);
    return result;
}

FILE *open_file_set_stream(OpenFile *open, FILE *stream)
{
    if (stream && !open) {
        uint64_t count = 0;
        for (const OpenFile *other = opened.all; other; other = other->next)
            count += other->number >= MEMORY_FIRST && other->owner == rt.self->strand;
        open = make(MEMORY_FIRST + (int)(rt.self->strand * MEMORY_OF_THREAD + count % MEMORY_OF_THREAD), true);
    }
    if (stream)
        open->stream = stream;
    return stream;
}

int open_file_close_stream(FILE *stream)
{
    OpenFile *open = open_file_of_stream(stream);
    if (open && open->number < STANDARD)
        return is_output(open) ? fflush(stream) : 0;
    stream_use(stream, OP_FILE_CLOSE, MODE_WRITE);
    if (open && !open->closed)
        mark_closed(open);
    if (open)
        open->stream = NULL;
    return fclose(stream);
}

/* Copies have a position in common with their original. */
void open_file_move(const char *name, File *file, int storage)
{
    char path[40];
    snprintf(path, sizeof path, "/proc/self/fd/%d", storage);
    for (OpenFile *open = opened.all; open; open = open->next) {
        if (!open->name || open->file || strcmp(open->name, name) != 0)
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
    if (descriptor < STANDARD)
        snprintf(text, size, "%s", standard[descriptor]);
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

void open_file_reset(void)
{
    while (opened.all) {
        OpenFile *open = opened.all;
        opened.all = open->next;
        if (open->number < NUMBERS)
            opened.by_number[open->number] = NULL;
        if (open->stream)
            fclose(open->stream);
        else if (!open->closed)
            close(open->number);
        free(open->name);
        free(open);
    }
    for (int i = 0; i < STANDARD; i++)
        opened.standard[i] = (OpenFile){.number = i, .origin = i, .writes = i > 0};
}
