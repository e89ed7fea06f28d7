/* given.c - see given.h */
#include "rt/memory/given.h"

#include <string.h>
#include <sys/mman.h>

#include "base/mem.h"
#include "rt/kernel/layout.h"

static SennitGlobal variable = {.address = (void *)GIVEN_BASE, .name = "arguments and environment"};

static bool map_room(void)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    return mmap(variable.address, GIVEN_SPAN, PROT_READ | PROT_WRITE, flags, -1, 0) == variable.address;
}

static void *take(size_t size)
{
    size_t rounded = (size + 7) & ~(size_t)7;
    if ((!variable.size && !map_room()) || rounded > GIVEN_SPAN - variable.size)
        mem_exhausted(size);
    void *taken = (char *)variable.address + variable.size;
    variable.size += rounded;
    return taken;
}

char **given_list(const char *const *texts)
{
    size_t count = 0, bytes = 0;
    for (; texts && texts[count]; count++)
        bytes += strlen(texts[count]) + 1;
    char **list = take((count + 1) * sizeof *list), *text = take(bytes);
    for (size_t i = 0; i < count; i++) {
        list[i] = text;
        text = stpcpy(text, texts[i]) + 1;
    }
    return list;
}

const SennitGlobal *given_variable(void) { return &variable; }
