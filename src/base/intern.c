/* intern.c - see intern.h */
#include "base/intern.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void intern_release(Intern *intern)
{
    arena_release(&intern->arena);
    free(intern->slots);
    *intern = (Intern){0};
}

static uint32_t hash(const char *bytes, size_t size)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)bytes[i]) * 16777619u;
    return h ^ (h >> 15);
}

static const char **probe(const Intern *intern, const char *bytes, size_t size)
{
    uint32_t mask = intern->room - 1;
    for (uint32_t i = hash(bytes, size) & mask;; i = (i + 1) & mask) {
        const char *slot = intern->slots[i];
        if (!slot || (strncmp(slot, bytes, size) == 0 && slot[size] == '\0'))
            return &intern->slots[i];
    }
}

static void grow(Intern *intern)
{
    const char **old = intern->slots;
    uint32_t room = intern->room;
    intern->room = room ? room * 2 : 256;
    intern->slots = mem_alloc((size_t)intern->room * sizeof *intern->slots);
    for (uint32_t i = 0; i < room; i++)
        if (old[i])
            *probe(intern, old[i], strlen(old[i])) = old[i];
    free(old);
}

const char *intern_make(Intern *intern, const char *bytes, size_t size)
{
    if ((intern->count + 1) * 2 > intern->room)
        grow(intern);
    const char **slot = probe(intern, bytes, size);
    if (!*slot) {
        *slot = arena_copy(&intern->arena, bytes, size);
        intern->count++;
    }
    return *slot;
}
