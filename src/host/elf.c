/* elf.c - see elf.h */
#include "host/elf.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

bool elf_map(ElfFile *file, int fd)
{
    struct stat info;
    *file = (ElfFile){0};
    if (fstat(fd, &info) < 0 || info.st_size <= 0)
        return false;
    void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return false;
    *file = (ElfFile){.bytes = bytes, .size = (size_t)info.st_size};
    return true;
}

void elf_unmap(ElfFile *file)
{
    munmap((void *)(uintptr_t)file->bytes, file->size);
    *file = (ElfFile){0};
}

bool elf_has_magic(const ElfFile *file)
{
    return file->size >= SELFMAG && memcmp(file->bytes, ELFMAG, SELFMAG) == 0;
}

static const void *part_of(const ElfFile *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset ? file->bytes + offset : NULL;
}

/* NULL unless it is a 64-bit file. */
static const Elf64_Ehdr *header_of(const ElfFile *file)
{
    const Elf64_Ehdr *head = elf_has_magic(file) ? part_of(file, 0, sizeof *head) : NULL;
    return head && head->e_ident[EI_CLASS] == ELFCLASS64 ? head : NULL;
}

/* ---- Sections ------------------------------------------------------------------- */

ElfPart elf_find_section(const ElfFile *file, const char *name)
{
    const Elf64_Ehdr *head = header_of(file);
    const Elf64_Shdr *table =
        head ? part_of(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof(Elf64_Shdr)) : NULL;
    if (!table || head->e_shstrndx >= head->e_shnum)
        return (ElfPart){0};
    const Elf64_Shdr *strings = &table[head->e_shstrndx];
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const char *own = part_of(file, strings->sh_offset + table[i].sh_name, strlen(name) + 1);
        const char *bytes = part_of(file, table[i].sh_offset, table[i].sh_size);
        if (own && bytes && strcmp(own, name) == 0)
            return (ElfPart){.bytes = bytes, .size = table[i].sh_size};
    }
    return (ElfPart){0};
}

/* ---- Notes ---------------------------------------------------------------------- */

static ElfPart find_in_segment(const char *at, size_t size, const char *owner)
{
    size_t owner_size = strlen(owner) + 1;
    while (size >= sizeof(Elf64_Nhdr)) {
        const Elf64_Nhdr *head = (const Elf64_Nhdr *)at;
        size_t name = (head->n_namesz + 3u) & ~3u, text = (head->n_descsz + 3u) & ~3u;
        size_t whole = sizeof *head + name + text;
        if (whole > size)
            break;
        const char *name_text = at + sizeof *head;
        if (head->n_namesz == owner_size && memcmp(name_text, owner, owner_size) == 0 && text > 0)
            return (ElfPart){.bytes = name_text + name, .size = text};
        at += whole;
        size -= whole;
    }
    return (ElfPart){0};
}

ElfPart elf_find_note(const ElfFile *file, const char *owner)
{
    const Elf64_Ehdr *head = header_of(file);
    for (unsigned i = 0; head && i < head->e_phnum; i++) {
        const Elf64_Phdr *segment = part_of(file, head->e_phoff + (uint64_t)i * head->e_phentsize, sizeof *segment);
        const char *notes =
            segment && segment->p_type == PT_NOTE ? part_of(file, segment->p_offset, segment->p_filesz) : NULL;
        ElfPart note = notes ? find_in_segment(notes, segment->p_filesz, owner) : (ElfPart){0};
        if (note.bytes)
            return note;
    }
    return (ElfPart){0};
}
