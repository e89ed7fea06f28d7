/* mem.c - see mem.h */
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void exhausted(size_t size)
{
    fprintf(stderr, "sennit: out of memory (%zu bytes)\n", size);
    abort();
}

void (*mem_exhausted)(size_t size) = exhausted;

void *mem_alloc(size_t size)
{
    void *block = calloc(1, size ? size : 1);
    if (!block)
        mem_exhausted(size);
    return block;
}

void *mem_resize(void *block, size_t size)
{
    void *moved = realloc(block, size ? size : 1);
    if (!moved)
        mem_exhausted(size);
    return moved;
}

char *mem_copy_string(const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(mem_alloc(size), text, size);
}
