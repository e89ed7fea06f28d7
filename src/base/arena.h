/* arena.h - memory that is freed all at once
 *
 * Blocks are not freed individually. `arena_reset` keeps the memory for reuse, so a program that runs repeatedly soon
 * needs no further system calls.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

typedef struct ArenaChunk ArenaChunk;

/* Start with {0}. */
typedef struct Arena {
    char *next;          /* free bytes of the current chunk */
    char *end;
    ArenaChunk *current;
    ArenaChunk *first;
    size_t used;         /* bytes in the chunks before the current one */
} Arena;

void arena_release(Arena *arena);
/* Frees all blocks; the memory is reused. */
void arena_reset(Arena *arena);
/* Bytes allocated since the last reset. */
size_t arena_used(const Arena *arena);

/* The slow path of arena_alloc; `size` is a multiple of 16. */
void *arena_alloc_chunk(Arena *arena, size_t size);

/* Uninitialised, aligned to 16 bytes, never NULL. */
static inline void *arena_alloc(Arena *arena, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (size > (size_t)(arena->end - arena->next))
        return arena_alloc_chunk(arena, size);
    void *block = arena->next;
    arena->next += size;
    return block;
}

/* The same, zeroed. */
void *arena_zero(Arena *arena, size_t size);
/* A copy of `size` bytes, with a NUL byte behind it. */
char *arena_copy(Arena *arena, const char *bytes, size_t size);

#endif
