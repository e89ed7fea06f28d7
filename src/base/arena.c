/* arena.c - see arena.h
 *
 * Design: a list of chunks, each at least twice as large as the one before up to a
 * limit. A reset goes back to the first chunk and walks through the list again.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { FIRST_CHUNK = 16 << 10, LARGEST_CHUNK = 16 << 20, HEADER = 32 };

struct ArenaChunk {
    ArenaChunk *next;
    size_t size; /* usable bytes behind the header */
};

_Static_assert(sizeof(ArenaChunk) <= HEADER, "blocks stay aligned");

static char *chunk_bytes(ArenaChunk *chunk)
{
    return (char *)chunk + HEADER;
}

static void enter_chunk(Arena *arena, ArenaChunk *chunk)
{
    arena->current = chunk;
    arena->next = chunk_bytes(chunk);
    arena->end = arena->next + chunk->size;
}

void arena_release(Arena *arena)
{
    for (ArenaChunk *chunk = arena->first, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    *arena = (Arena){0};
}

void arena_reset(Arena *arena)
{
    arena->used = 0;
    if (arena->first)
        enter_chunk(arena, arena->first);
}

size_t arena_used(const Arena *arena)
{
    return arena->current ? arena->used + (size_t)(arena->next - chunk_bytes(arena->current)) : 0;
}

static ArenaChunk *create_chunk(const Arena *arena, size_t size)
{
    size_t wanted = arena->current ? arena->current->size * 2 : FIRST_CHUNK;
    if (wanted > LARGEST_CHUNK)
        wanted = LARGEST_CHUNK;
    if (wanted < size)
        wanted = size;
    ArenaChunk *chunk = mem_resize(NULL, wanted + HEADER);
    chunk->size = wanted;
    chunk->next = NULL;
    return chunk;
}

void *arena_alloc_chunk(Arena *arena, size_t size)
{
    ArenaChunk *chunk = arena->current ? arena->current->next : arena->first;
    if (arena->current)
        arena->used += (size_t)(arena->next - chunk_bytes(arena->current));
    if (!chunk || chunk->size < size) {
        ArenaChunk *fresh = create_chunk(arena, size);
        fresh->next = chunk;
        *(arena->current ? &arena->current->next : &arena->first) = fresh;
        chunk = fresh;
    }
    enter_chunk(arena, chunk);
    void *block = arena->next;
    arena->next += size;
    return block;
}

void *arena_zero(Arena *arena, size_t size)
{
    return memset(arena_alloc(arena, size), 0, size);
}

char *arena_copy(Arena *arena, const char *bytes, size_t size)
{
    char *copy = arena_alloc(arena, size + 1);
    memcpy(copy, bytes, size);
    copy[size] = '\0';
    return copy;
}
