/* carried.c - see carried.h */
#include "cc/carried.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "host/elf.h"
#include "instr/abi/carried_record.h"

/* ---- Files -------------------------------------------------------------------------------- */

static bool map_file(ElfFile *file, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool mapped = fd >= 0 && elf_map(file, fd);
    if (fd >= 0)
        close(fd);
    return mapped;
}

bool carried_needs_tracking(const char *program)
{
    ElfFile file;
    if (!map_file(&file, program))
        return false;
    bool needs = elf_find_section(&file, "sennit_inputs").size > 0 &&
                 elf_find_section(&file, CARRIED_PLAIN_SECTION).size > 0;
    elf_unmap(&file);
    return needs;
}

bool carried_asks_for_inputs(const char *object)
{
    ElfFile file;
    if (!map_file(&file, object))
        return false;
    bool asks = elf_find_section(&file, "sennit_inputs").size > 0;
    elf_unmap(&file);
    return asks;
}

void carried_count(const char *path, uint32_t *modules, uint32_t *plain)
{
    ElfFile file;
    *modules = *plain = 0;
    if (!map_file(&file, path))
        return;
    ElfPart section = elf_find_section(&file, CARRIED_SECTION);
    size_t at = 0;
    for (const CarriedRecord *record; section.bytes && (record = carried_next(section.bytes, section.size, &at));) {
        ++*modules;
        *plain += record->is_plain;
    }
    elf_unmap(&file);
}

/* ---- Modules ------------------------------------------------------------------------------- */

/* The words up to "--" are flags of the instrumenter. */
static void split_words(CarriedModule *module, size_t size)
{
    bool flags = true;
    for (char *word = module->words; word < module->words + size; word += strlen(word) + 1)
        if (flags && strcmp(word, "--") == 0)
            flags = false;
        else if (flags)
            VEC_PUSH(&module->instrument, word);
        else
            VEC_PUSH(&module->generate, word);
}

static bool extract(const CarriedRecord *record, Scratch *scratch, CarriedModules *modules, Error *error)
{
    const char *path = scratch_name(scratch, "tracked", ".bc", error);
    if (!path || !scratch_write(path, carried_code(record), record->code_size, error))
        return false;
    CarriedModule module = {.bitcode = path, .words = mem_alloc(record->words_size + 1)};
    memcpy(module.words, carried_words(record), record->words_size);
    module.words[record->words_size] = 0;
    split_words(&module, record->words_size);
    VEC_PUSH(modules, module);
    return true;
}

bool carried_extract(const char *program, Scratch *scratch, CarriedModules *modules, Error *error)
{
    ElfFile file;
    if (!map_file(&file, program))
        return error_set(error, EXIT_USAGE, "cannot read %s", program);
    ElfPart section = elf_find_section(&file, CARRIED_SECTION);
    bool good = true;
    size_t at = 0;
    for (const CarriedRecord *record; good && (record = carried_next(section.bytes, section.size, &at));)
        good = !record->is_plain || extract(record, scratch, modules, error);
    elf_unmap(&file);
    return good;
}

void carried_release(CarriedModules *modules)
{
    for (uint32_t i = 0; i < modules->count; i++) {
        free(modules->items[i].words);
        VEC_FREE(&modules->items[i].instrument);
        VEC_FREE(&modules->items[i].generate);
    }
    VEC_FREE(modules);
}
