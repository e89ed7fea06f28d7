/* input_file.c - see input_file.h
 *
 * main creates the contents when the execution begins, so that the names of the inputs do not depend on which thread
 * reads first. Once there are several threads, each operation on a file is a step: its position is shared.
 */
#include "rt/io/input_file.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/detect/race_clock.h"
#include "rt/inputs/branch.h"
#include "rt/inputs/input.h"
#include "rt/inputs/shadow_call.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/step.h"
#include "rt/sync/plain.h"

/* The k-th file that a thread opens has place FIRST_OPENED + strand * OPENED_BY_THREAD + k. */
enum { MAX_FILES = 17, FIRST_OPENED = 32, OPENED_BY_THREAD = 8, FIRST_DESCRIPTOR = 1 << 20,
       PLACES = FIRST_OPENED + OPENED_BY_THREAD * RT_MAX_AGENTS };

static struct {
    InputFile files[PLACES]; /* standard input is the first, if it is one */
    uint32_t count;          /* of files, not opened ones */
    uint32_t most;           /* places that were used     */
} inputs;

/* ---- Set-up ---------------------------------------------------------------------------- */

void *input_reserve(uint64_t size)
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
    *file = (InputFile){.path = path, .size = size, .bytes = input_reserve(size)};
    if (path)
        snprintf(file->name, sizeof file->name, "file:%s", path);
    else
        snprintf(file->name, sizeof file->name, "stdin");
}

void input_file_init(void)
{
    const RtOptions *options = &rt.options;
    if (options->stdin_size)
        add_file(NULL, options->stdin_size);
    for (uint32_t i = 0; i < options->file_count; i++)
        add_file(options->files[i].path, options->files[i].size);
}

void input_file_begin(void)
{
    for (uint32_t i = FIRST_OPENED; i < inputs.most; i++)
        inputs.files[i].occupied = inputs.files[i].opened = inputs.files[i].closed = false;
    inputs.most = 0;
    for (uint32_t i = 0; i < inputs.count; i++) {
        InputFile *file = &inputs.files[i];
        file->position = 0;
        file->pushed_back = file->last_pushed = NOTHING;
        file->holder = file->depth = 0;
        file->at_end = file->closed = false;
        input_bytes(file->name, file->bytes, file->size);
    }
}

/* ---- Finding ------------------------------------------------------------------------------- */

const InputFile *input_file_of_path(const char *path)
{
    for (uint32_t i = 0; i < inputs.count && rt.self; i++)
        if (inputs.files[i].path && strcmp(inputs.files[i].path, path) == 0)
            return &inputs.files[i];
    return NULL;
}

InputFile *input_file_of_stream(const FILE *stream)
{
    if (!inputs.count || !rt.self)
        return NULL;
    if (stream == stdin)
        return inputs.files[0].path ? NULL : &inputs.files[0];
    uint64_t address = address_of(stream), base = address_of(inputs.files);
    return address >= base && address < base + sizeof inputs.files ? (InputFile *)(uintptr_t)address : NULL;
}

InputFile *input_file_of_descriptor(int descriptor)
{
    if (!inputs.count || !rt.self)
        return NULL;
    if (descriptor == 0)
        return inputs.files[0].path ? NULL : &inputs.files[0];
    uint32_t number = (uint32_t)(descriptor - FIRST_DESCRIPTOR);
    bool is_open = descriptor >= FIRST_DESCRIPTOR && number < inputs.most && !inputs.files[number].closed;
    return is_open ? &inputs.files[number] : NULL;
}

int input_file_descriptor(const InputFile *file)
{
    return file->path ? FIRST_DESCRIPTOR + (int)(file - inputs.files) : 0;
}

/* ---- Steps ---------------------------------------------------------------------------------- */

/* A function of the thread's own history. One that was closed is the last choice: a use of it shall be noticed. */
static InputFile *find_place(void)
{
    InputFile *first = &inputs.files[FIRST_OPENED + rt.self->strand * OPENED_BY_THREAD];
    for (int k = 0; k < OPENED_BY_THREAD; k++)
        if (!first[k].opened)
            return &first[k];
    for (int k = 0; k < OPENED_BY_THREAD; k++)
        if (!first[k].occupied)
            return &first[k];
    report_not_modelled("more than 8 open files that are inputs (--sym-file) in one thread");
}

InputFile *input_file_open(const char *path)
{
    const InputFile *file = input_file_of_path(path);
    InputFile *place = find_place();
    uint32_t number = (uint32_t)(place - inputs.files);
    *place = *file;
    place->position = 0;
    place->pushed_back = place->last_pushed = NOTHING;
    place->holder = place->depth = 0;
    place->at_end = place->streamed = false;
    place->occupied = place->opened = true;
    place->closed = false;
    place->owner = rt.self->strand;
    if (number >= inputs.most)
        inputs.most = number + 1;
    stream_memory_open(&place->memory);
    return place;
}

int input_file_close(InputFile *file, StreamManner manner)
{
    input_file_step(file, MODE_WRITE, manner);
    if (file->closed) {
        errno = EBADF;
        return -1;
    }
    file->closed = true;
    file->occupied = file->owner != rt.self->strand;
    if (manner != BY_DESCRIPTOR && file->path)
        stream_memory_close(&file->memory);
    return 0;
}

static bool is_mine(const InputFile *file) { return file->holder == (int64_t)rt.self->id + 1; }

/* Operations that lock the file are ordered: those that change it with all others. */
static void order(const InputFile *file, Mode mode)
{
    race_acquire(resource_of(RES_OTHER, &file->holder));
    if (mode == MODE_WRITE) {
        race_acquire(resource_of(RES_OTHER, &file->position)); /* stands for those that only looked */
        race_release(resource_of(RES_OTHER, &file->holder));
    } else {
        race_release(resource_of(RES_OTHER, &file->position));
    }
}

/* A step of its own if other threads might use the file too; it waits until no other thread holds the file. */
static void change_holder(InputFile *file, int64_t holder, Mode mode, StreamManner manner)
{
    if (rt.ex->agent_count < 2) {
        file->holder = holder;
        stream_memory_use(&file->memory, mode == MODE_WRITE, manner);
        return;
    }
    uint64_t number = file->path ? FIRST_DESCRIPTOR + (uint64_t)(file - inputs.files) : 0;
    Access *access = step_begin(OP_READ_FILE, resource_make(RES_DESCRIPTOR, number));
    access->mode = (uint8_t)mode;
    if (!is_mine(file) && manner != UNLOCKED)
        step_guard(access, &file->holder, REL_EQ, 0);
    step_wait();
    step_value(0, file->holder, holder);
    file->holder = holder;
    if (manner != UNLOCKED)
        order(file, mode);
    stream_memory_use(&file->memory, mode == MODE_WRITE, manner);
    step_done();
}

void input_file_step(InputFile *file, Mode mode, StreamManner manner)
{
    if (!is_mine(file))
        change_holder(file, 0, mode, manner);
    else
        stream_memory_use(&file->memory, mode == MODE_WRITE, manner);
}

void input_file_hold(InputFile *file)
{
    if (is_mine(file))
        file->depth++;
    else
        change_holder(file, (int64_t)rt.self->id + 1, MODE_WRITE, LOCKED);
}

void input_file_release(InputFile *file)
{
    if (is_mine(file) && file->depth)
        file->depth--;
    else if (is_mine(file))
        change_holder(file, 0, MODE_WRITE, LOCKED);
}

/* ---- Reading ---------------------------------------------------------------------------------- */

/* After ungetc of a byte that was not read there, only single bytes can be read. */
static void refuse_pushed(const InputFile *file)
{
    if (file->pushed_back != NOTHING)
        report_not_modelled("reading several bytes after ungetc of a byte that was not read there");
}

uint64_t input_file_read(InputFile *file, uint8_t *to, uint64_t wanted)
{
    uint64_t left = file->position < file->size ? file->size - file->position : 0;
    uint64_t count = wanted < left ? wanted : left;
    refuse_pushed(file);
    plain_write(address_of(to), count);
    memcpy(to, file->bytes + file->position, count);
    shadow_memory_copy(address_of(to), address_of(file->bytes + file->position), count);
    file->position += count;
    file->at_end |= count < wanted;
    return count;
}

int input_file_get(InputFile *file, const void *function)
{
    uint32_t shadow = 0;
    int byte = file->last_pushed = file->pushed_back;
    file->pushed_back = NOTHING;
    if (byte == NOTHING && file->position >= file->size) {
        file->at_end = true;
        byte = EOF;
    } else if (byte == NOTHING) {
        const uint8_t *at = file->bytes + file->position++;
        uint32_t narrow = tracking.on ? shadow_memory_get(address_of(at), at, 8) : 0;
        shadow = narrow ? sennit_rt_shadow_cast(SENNIT_SHADOW_ZEXT, 8, 32, narrow) : 0;
        byte = *at;
    }
    shadow_give_result(function, shadow);
    return byte;
}

/* The inputs decide whether a byte ends the line. */
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

uint64_t input_file_find_line(InputFile *file, int delimiter, uint64_t most)
{
    uint64_t length = 0;
    for (; length < most; length++) {
        if (file->position + length >= file->size) {
            file->at_end = true;
            return length;
        }
        if (ends_line(file->bytes + file->position + length, delimiter))
            return length + 1;
    }
    return length;
}

void input_file_read_line(InputFile *file, char *text, uint64_t length)
{
    input_file_read(file, (uint8_t *)text, length);
    plain_write(address_of(text + length), 1);
    text[length] = '\0';
    shadow_memory_clear(address_of(text + length), 1);
}

int64_t input_file_tell(InputFile *file)
{
    input_file_step(file, MODE_READ, LOCKED);
    int64_t position = (int64_t)file->position - (file->pushed_back != NOTHING);
    if (position < 0)
        errno = EINVAL;
    return position;
}

int64_t input_file_seek(InputFile *file, int64_t offset, int whence, StreamManner manner)
{
    input_file_step(file, MODE_WRITE, manner);
    if (file->closed && manner == BY_DESCRIPTOR) {
        errno = EBADF;
        return -1;
    }
    int64_t now = (int64_t)file->position - (file->pushed_back != NOTHING);
    int64_t base = whence == SEEK_CUR ? now : whence == SEEK_END ? (int64_t)file->size : 0;
    if (whence < SEEK_SET || whence > SEEK_END || base + offset < 0) {
        errno = EINVAL;
        return -1;
    }
    file->position = (uint64_t)(base + offset);
    file->pushed_back = NOTHING;
    file->at_end = false;
    return base + offset;
}
