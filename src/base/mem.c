/* mem.c - see mem.h */
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

static void exhausted(size_t size)
{
    fprintf(stderr, "sennit: out of memory (%zu bytes): use less (--jobs=1, smaller bounds), allow more (ulimit -v)\n",
            size);
    _exit(EXIT_INTERNAL);
}

static void exit_quietly(size_t size)
{
    (void)size;
    _exit(MEM_EXIT_EXHAUSTED);
}

void (*mem_exhausted)(size_t size) = exhausted;

void mem_exit_quietly(void) { mem_exhausted = exit_quietly; }

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
