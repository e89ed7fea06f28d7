/* cc_opaque.c - see cc_opaque.h
 *
 * Each instrumented object lists the functions it calls but does not define, and those it
 * defines, in two sections (rt/abi/hooks.h); the linker has put the lists together.
 */
#include "cc/cc_opaque.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"

typedef struct Image {
    const char *bytes;
    size_t size;
} Image;

/* NUL-terminated names one after another, with padding between. */
typedef struct Names {
    const char *at, *end;
} Names;

static bool map_file(Image *image, const char *path)
{
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    *image = (Image){0};
    if (fd >= 0 && fstat(fd, &info) == 0 && info.st_size >= (off_t)sizeof(Elf64_Ehdr)) {
        void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED)
            *image = (Image){.bytes = bytes, .size = (size_t)info.st_size};
    }
    if (fd >= 0)
        close(fd);
    return image->bytes != NULL;
}

static const void *part_of(const Image *image, uint64_t offset, uint64_t size)
{
    return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

static const Elf64_Shdr *section_table(const Image *image, const Elf64_Ehdr **head)
{
    *head = (const Elf64_Ehdr *)image->bytes;
    if (memcmp((*head)->e_ident, ELFMAG, SELFMAG) != 0 || (*head)->e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    return part_of(image, (*head)->e_shoff, (uint64_t)(*head)->e_shnum * sizeof(Elf64_Shdr));
}

static Names find_section(const Image *image, const char *name)
{
    const Elf64_Ehdr *head;
    const Elf64_Shdr *table = section_table(image, &head);
    if (!table || head->e_shstrndx >= head->e_shnum)
        return (Names){0};
    const Elf64_Shdr *strings = &table[head->e_shstrndx];
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const char *own = part_of(image, strings->sh_offset + table[i].sh_name, strlen(name) + 1);
        const char *bytes = part_of(image, table[i].sh_offset, table[i].sh_size);
        if (own && bytes && strcmp(own, name) == 0)
            return (Names){.at = bytes, .end = bytes + table[i].sh_size};
    }
    return (Names){0};
}

/* The next name, or NULL. The section ends with a NUL. */
static const char *next_name(Names *names)
{
    while (names->at < names->end && !*names->at)
        names->at++;
    if (names->at >= names->end)
        return NULL;
    const char *name = names->at;
    names->at += strlen(name) + 1;
    return name;
}

static bool contains(Names names, const char *wanted)
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

void cc_opaque_print(FILE *out, const char *program)
{
    Image image;
    if (!map_file(&image, program))
        return;
    Names called = find_section(&image, "sennit_opaque"), defined = find_section(&image, "sennit_defined");
    VEC(const char *) opaque = {0};
    for (const char *name; (name = next_name(&called));)
        if (!contains(defined, name) && !already_in(opaque.items, opaque.count, name))
            VEC_PUSH(&opaque, name);
    for (uint32_t i = 0; i < opaque.count; i++)
        fprintf(out, "%s %s%s", i ? "" : "sennit cc: opaque functions (run as they are, unobserved):", opaque.items[i],
                i + 1 < opaque.count ? "," : "\n");
    VEC_FREE(&opaque);
    munmap((void *)(uintptr_t)image.bytes, image.size);
}
