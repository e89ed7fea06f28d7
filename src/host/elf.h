/* elf.h - what is inside ELF files: sections and notes */
#ifndef HOST_ELF_H
#define HOST_ELF_H

#include <stdbool.h>
#include <stddef.h>

/* A file mapped into memory; nothing in it is trusted. */
typedef struct ElfFile {
    const char *bytes;
    size_t size;
} ElfFile;

/* Part of a mapped file; `bytes` is NULL if there is no such part. */
typedef struct ElfPart {
    const char *bytes;
    size_t size;
} ElfPart;

/* Maps the whole file, whatever it contains. False if it is empty or cannot be mapped; then there is nothing to
 * unmap. The descriptor stays the caller's. */
bool elf_map(ElfFile *file, int fd);
void elf_unmap(ElfFile *file);

/* Does the file begin like an ELF file? */
bool elf_has_magic(const ElfFile *file);
/* The first section of that name in a 64-bit file. */
ElfPart elf_find_section(const ElfFile *file, const char *name);
/* The descriptor of the first note of that owner in a 64-bit file. */
ElfPart elf_find_note(const ElfFile *file, const char *owner);

#endif
