/* stream_memory.c - see stream_memory.h */
#include "rt/io/stream_memory.h"

#include <stdlib.h>

#include "base/mem.h"
#include "rt/detect/bug.h"
#include "rt/detect/race.h"
#include "rt/inputs/concretise.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/node.h"
#include "rt/memory/globals.h"
#include "rt/memory/memory_check.h"
#include "rt/sync/hidden.h"

enum { STREAM_SIZE = 8 }; /* one word is enough for all that is checked */

/* The standard streams are variables for the race detector, as hidden state is (rt/sync/hidden.c). */
static uint64_t standard[RT_NODES][3];
static const SennitGlobal records[] __attribute__((section("sennit_stand_ins"), used, aligned(8))) = {
    {&standard[0][0], sizeof **standard, "stdin", NULL, NULL, 0},
    {&standard[0][1], sizeof **standard, "stdout", NULL, NULL, 0},
    {&standard[0][2], sizeof **standard, "stderr", NULL, NULL, 0},
    {&standard[1], sizeof standard - sizeof *standard, "a standard stream of a node", NULL, NULL, 0},
};

void stream_memory_open(StreamMemory *memory)
{
    *memory = (StreamMemory){.block = memory_allocate_kind(BLOCK_STREAM, STREAM_SIZE, STREAM_SIZE)};
}

/* Others must not use it at the same time, whatever locks they hold. */
void stream_memory_close(StreamMemory *memory)
{
    if (!memory->block || memory->block->freed)
        return;
    if (!rt.plain_visible)
        race_access(memory->block->address, STREAM_SIZE, RACE_FREE);
    memory_mark_freed(memory->block);
}

/* ---- Uses ----------------------------------------------------------------------------- */

static void access_memory(uint64_t address, uint64_t size, bool writes, StreamManner manner)
{
    memory_check_in_step(address, size, writes);
    if (!hidden_is_shared() || rt.plain_visible)
        return;
    if (manner == LOCKED)
        race_access_in_step(address, size, writes ? RACE_WRITE : RACE_READ);
    else
        race_access(address, size, writes ? RACE_WRITE : RACE_READ);
}

/* What a call does with the buffer is up to the library: it may write any part of it. */
static void access_buffer(const StreamMemory *memory, StreamManner manner)
{
    if (redzone_has_returned(&memory->variable))
        report_bug(BUG_USE_AFTER_RETURN, "use of a stream whose buffer is a variable of a function that has returned");
    access_memory(memory->buffer, memory->size, true, manner);
    if (memory->contents && tracking.on) {
        concretise_memory(memory->buffer, memory->size, "fmemopen");
        shadow_memory_overwritten((const void *)(uintptr_t)memory->buffer, memory->size);
    }
}

static uint64_t address_of_stream(const StreamMemory *memory)
{
    return memory->block ? memory->block->address : address_of(&standard[node_self()][memory->standard]);
}

void stream_memory_check(const StreamMemory *memory)
{
    memory_check_in_step(address_of_stream(memory), STREAM_SIZE, false);
}

void stream_memory_use(const StreamMemory *memory, bool writes, StreamManner manner)
{
    if (manner == BY_DESCRIPTOR)
        return;
    access_memory(address_of_stream(memory), STREAM_SIZE, writes, manner);
    if (memory->size && writes)
        access_buffer(memory, manner);
}

/* ---- Buffers ---------------------------------------------------------------------------- */

/* The library gets room of ours, as the program's may be gone when it is used. Standard streams keep the library's
 * own: they outlive the execution. */
int stream_memory_set_buffer(StreamMemory *memory, FILE *stream, char *buffer, int mode, size_t size)
{
    if (memory->contents)
        return 0;
    bool own = buffer && size && mode != _IONBF;
    void *room = own && memory->block ? mem_alloc(size) : NULL;
    int result = setvbuf(stream, room, mode, room ? size : 0);
    if (result) {
        free(room);
        return result;
    }
    stream_memory_forget(memory);
    if (own) {
        memory->buffer = address_of(buffer);
        memory->size = size;
        memory->variable = redzone_find_variable(memory->buffer);
        memory->room = room;
    }
    return 0;
}

void stream_memory_set_contents(StreamMemory *memory, void *contents, size_t size)
{
    memory->buffer = address_of(contents);
    memory->size = size;
    memory->variable = redzone_find_variable(memory->buffer);
    memory->contents = true;
}

void stream_memory_forget(StreamMemory *memory)
{
    free(memory->room);
    memory->room = NULL;
    memory->buffer = memory->size = 0;
    memory->variable = (RedzoneVariable){0};
}
