/* given.c - see given.h */
#include "rt/memory/given.h"

#include <string.h>

#include "base/mem.h"

enum { ROOM = 8 << 20 }; /* Linux accepts 6 MB; pages that are not used cost nothing */

static _Alignas(16) char room[ROOM];
static SennitGlobal variable = {.address = room, .name = "arguments and environment"};

static void *take(size_t size)
{
    size_t rounded = (size + 7) & ~(size_t)7;
    if (rounded > ROOM - variable.size)
        mem_exhausted(size);
    void *taken = room + variable.size;
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
