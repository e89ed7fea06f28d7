/* symbols.c - see symbols.h */
#include "rt/detect/symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "rt/kernel/layout.h"

extern char __executable_start; /* by the linker: where the file is loaded */

typedef struct Symbol {
    uint64_t address;
    uint64_t size;
    const char *name;
} Symbol;

static struct {
    bool loaded;
    Symbol *sorted;
    size_t count;
} symbols;

static const void *map_own_file(size_t *size)
{
    struct stat info;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    if (file < 0 || fstat(file, &info) != 0)
        return NULL;
    *size = (size_t)info.st_size;
    const void *image = mmap(NULL, *size, PROT_READ, MAP_PRIVATE, file, 0);
    close(file);
    return image == MAP_FAILED || *size < sizeof(Elf64_Ehdr) ? NULL : image;
}

static int by_address(const void *a, const void *b)
{
    const Symbol *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* A position independent file has addresses from 0. */
static uint64_t load_offset(const Elf64_Ehdr *header)
{
    return header->e_type == ET_DYN ? address_of(&__executable_start) : 0;
}

/* A function has two versions, f.plain and f.tracked; the user knows it as f. */
static const char *plain_name(const char *name)
{
    static const char *const suffixes[] = {".plain", ".tracked"};
    size_t length = strlen(name);
    for (unsigned i = 0; i < 2; i++) {
        size_t tail = strlen(suffixes[i]);
        if (length <= tail || strcmp(name + length - tail, suffixes[i]) != 0)
            continue;
        char *copy = mem_alloc(length - tail + 1);
        return memcpy(copy, name, length - tail);
    }
    return name;
}

static void add_functions(const char *image, size_t size, const Elf64_Shdr *table, const Elf64_Shdr *strings)
{
    if (table->sh_offset + table->sh_size > size || strings->sh_offset + strings->sh_size > size)
        return;
    const Elf64_Sym *symbol = (const Elf64_Sym *)(image + table->sh_offset);
    size_t count = table->sh_size / sizeof *symbol;
    uint64_t offset = load_offset((const Elf64_Ehdr *)image);
    symbols.sorted = mem_alloc(count * sizeof *symbols.sorted);
    for (size_t i = 0; i < count; i++)
        if (ELF64_ST_TYPE(symbol[i].st_info) == STT_FUNC && symbol[i].st_value && symbol[i].st_name < strings->sh_size)
            symbols.sorted[symbols.count++] = (Symbol){symbol[i].st_value + offset, symbol[i].st_size,
                                                       plain_name(image + strings->sh_offset + symbol[i].st_name)};
    qsort(symbols.sorted, symbols.count, sizeof *symbols.sorted, by_address);
}

static void load_symbols(void)
{
    size_t size = 0;
    const char *image = map_own_file(&size);
    symbols.loaded = true;
    if (!image)
        return;
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
    const Elf64_Shdr *section = (const Elf64_Shdr *)(image + header->e_shoff);
    if (header->e_shoff + header->e_shnum * sizeof *section > size)
        return;
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (section[i].sh_type == SHT_SYMTAB && section[i].sh_link < header->e_shnum)
            add_functions(image, size, &section[i], &section[section[i].sh_link]);
}

const char *symbols_find(uint64_t address, uint64_t *offset)
{
    if (!symbols.loaded)
        load_symbols();
    size_t low = 0, high = symbols.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (symbols.sorted[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low)
        return NULL;
    const Symbol *symbol = &symbols.sorted[low - 1];
    if (address - symbol->address >= symbol->size + !symbol->size)
        return NULL;
    if (offset)
        *offset = address - symbol->address;
    return symbol->name;
}
