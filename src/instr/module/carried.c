/* carried.c - see carried.h */
#include "instr/module/carried.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "instr/abi/carried_record.h"

/* ---- Writing ------------------------------------------------------------------------------ */

static bool read_file(const char *path, Text *text, Error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && text_add_file(text, fd);
    if (!good)
        error_set(error, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return good;
}

bool carried_embed(Module *m, Error *error)
{
    Text code = {0}, record = {0};
    bool good = read_file(m->input, &code, error);
    if (good) {
        CarriedRecord head = {
            .code_size = code.length, .words_size = (uint32_t)m->carried_words.length, .is_plain = m->is_plain};
        memcpy(head.mark, CARRIED_MARK, sizeof head.mark);
        text_add_bytes(&record, (const char *)&head, sizeof head);
        if (m->carried_words.length)
            text_add_bytes(&record, m->carried_words.data, m->carried_words.length);
        text_add_bytes(&record, code.data, code.length);
        LLVMValueRef bytes = LLVMConstStringInContext2(m->context, record.data, record.length, 1);
        VEC_PUSH(&m->used, module_constant(m, bytes, CARRIED_SECTION, CARRIED_ALIGNMENT));
    }
    text_release(&code);
    text_release(&record);
    return good;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static const char *part_of(const Text *file, uint64_t offset, uint64_t size)
{
    return offset <= file->length && size <= file->length - offset ? file->data + offset : NULL;
}

static const char *find_section(const Text *file, uint64_t *size)
{
    const Elf64_Ehdr *head = (const Elf64_Ehdr *)part_of(file, 0, sizeof *head);
    if (!head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64)
        return NULL;
    const Elf64_Shdr *sections =
        (const Elf64_Shdr *)part_of(file, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections);
    if (!sections || head->e_shstrndx >= head->e_shnum)
        return NULL;
    const Elf64_Shdr *names = &sections[head->e_shstrndx];
    for (unsigned i = 0; i < head->e_shnum; i++) {
        const char *name = part_of(file, names->sh_offset + sections[i].sh_name, sizeof CARRIED_SECTION);
        if (!name || memcmp(name, CARRIED_SECTION, sizeof CARRIED_SECTION) != 0)
            continue;
        *size = sections[i].sh_size;
        return part_of(file, sections[i].sh_offset, sections[i].sh_size);
    }
    return NULL;
}

static void drop_diagnostic(LLVMDiagnosticInfoRef info, void *text)
{
    char *description = LLVMGetDiagInfoDescription(info);
    snprintf(text, sizeof((Error *)0)->text, "%s", description);
    LLVMDisposeMessage(description);
}

/* Adds one record's code to `whole` (NULL at first). */
static bool add_code(LLVMContextRef context, const char *bytes, uint64_t size, LLVMModuleRef *whole)
{
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, "code");
    LLVMModuleRef module;
    bool failed = LLVMParseBitcodeInContext2(context, buffer, &module) != 0;
    LLVMDisposeMemoryBuffer(buffer);
    if (failed)
        return false;
    if (*whole)
        return !LLVMLinkModules2(*whole, module);
    *whole = module;
    return true;
}

static LLVMModuleRef link_section(LLVMContextRef context, const char *section, uint64_t size, const char *path,
                                  Error *error)
{
    LLVMModuleRef whole = NULL;
    char problem[sizeof error->text] = "broken bitcode";
    LLVMContextSetDiagnosticHandler(context, drop_diagnostic, problem);
    bool good = true;
    size_t at = 0;
    for (const CarriedRecord *record; good && (record = carried_next(section, size, &at));)
        good = add_code(context, carried_code(record), record->code_size, &whole);
    LLVMContextSetDiagnosticHandler(context, NULL, NULL);
    if (!good || !whole) {
        error_set(error, EXIT_USAGE, "%s: its bitcode cannot be analysed: %.300s", path, problem);
        if (whole)
            LLVMDisposeModule(whole);
        return NULL;
    }
    return whole;
}

LLVMModuleRef carried_link(LLVMContextRef context, const char *path, Error *error)
{
    Text file = {0};
    uint64_t size = 0;
    LLVMModuleRef module = NULL;
    if (read_file(path, &file, error)) {
        const char *section = find_section(&file, &size);
        if (section)
            module = link_section(context, section, size, path, error);
        else
            error_set(error, EXIT_USAGE, "%s contains no bitcode to analyse", path);
    }
    text_release(&file);
    return module;
}
