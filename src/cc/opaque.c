/* opaque.c - see opaque.h
 *
 * Each instrumented object lists the functions it calls but does not define, and those it defines, in two sections
 * (rt/abi/hooks.h); the linker has concatenated the lists.
 */
#include "cc/opaque.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"
#include "host/elf.h"

/* NUL-terminated names with padding in between. */
typedef struct NameSection {
    const char *at, *end;
} NameSection;

static NameSection find_section(const ElfFile *file, const char *name)
{
    ElfPart section = elf_find_section(file, name);
    return section.bytes ? (NameSection){section.bytes, section.bytes + section.size} : (NameSection){0};
}

/* The next name, or NULL. The section ends with a NUL. */
static const char *next_name(NameSection *names)
{
    while (names->at < names->end && !*names->at)
        names->at++;
    if (names->at >= names->end)
        return NULL;
    const char *name = names->at;
    names->at += strlen(name) + 1;
    return name;
}

static bool contains(NameSection names, const char *wanted)
{
    for (const char *name; (name = next_name(&names));)
        if (strcmp(name, wanted) == 0)
            return true;
    return false;
}

static bool already_in(const char *const *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

void opaque_print(FILE *out, const char *program)
{
    ElfFile file;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    bool mapped = fd >= 0 && elf_map(&file, fd);
    if (fd >= 0)
        close(fd);
    if (!mapped)
        return;
    NameSection called = find_section(&file, "sennit_opaque"), defined = find_section(&file, "sennit_defined");
    VEC(const char *) opaque = {0};
    for (const char *name; (name = next_name(&called));)
        if (!contains(defined, name) && !already_in(opaque.items, opaque.count, name))
            VEC_PUSH(&opaque, name);
    for (uint32_t i = 0; i < opaque.count; i++)
        fprintf(out, "%s %s%s", i ? "" : "sennit cc: opaque functions (uninstrumented, each call is one step):",
                opaque.items[i], i + 1 < opaque.count ? "," : "\n");
    VEC_FREE(&opaque);
    elf_unmap(&file);
}
