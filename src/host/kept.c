/* kept.c - see kept.h
 *
 * Records, each a head, a name and a content; then a foot with the size of all of them.
 */
#include "host/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "host/elf.h"

typedef struct Head {
    uint32_t kind, name_size;
    uint64_t size;
} Head;

typedef struct Foot {
    uint64_t size;
    char mark[16];
} Foot;

static const char MARK[16] = "Sennit objects";

/* ---- Writing ------------------------------------------------------------------------------ */

static bool add_record(Text *records, const KeptInput *input, Error *error)
{
    Text content = {0};
    if (input->kind == KEPT_FILE && !file_read(input->text, &content)) {
        text_release(&content);
        return error_set(error, EXIT_USAGE, "cannot read %s: %s", input->text, strerror(errno));
    }
    Head head = {input->kind, (uint32_t)strlen(input->text), content.length};
    text_add_bytes(records, (const char *)&head, sizeof head);
    text_add_bytes(records, input->text, head.name_size);
    text_add_bytes(records, content.data, content.length);
    text_release(&content);
    return true;
}

bool kept_append(const char *program, const KeptInput *inputs, uint32_t count, Error *error)
{
    Text records = {0};
    bool good = true;
    struct stat status;
    if (stat(program, &status) < 0 || !S_ISREG(status.st_mode))
        return true;
    for (uint32_t i = 0; good && i < count; i++)
        good = add_record(&records, &inputs[i], error);
    Foot foot = {.size = records.length};
    memcpy(foot.mark, MARK, sizeof MARK);
    text_add_bytes(&records, (const char *)&foot, sizeof foot);
    if (good && !file_write(program, O_APPEND, records.data, records.length))
        good = error_set(error, EXIT_USAGE, "cannot write %s: %s", program, strerror(errno));
    text_release(&records);
    return good;
}

/* ---- Reading ------------------------------------------------------------------------------ */

/* The records; `bytes` is NULL if there are none. */
static ElfPart find_records(const ElfFile *file)
{
    Foot foot;
    if (file->size < sizeof foot)
        return (ElfPart){0};
    memcpy(&foot, file->bytes + file->size - sizeof foot, sizeof foot);
    if (memcmp(foot.mark, MARK, sizeof MARK) != 0 || foot.size > file->size - sizeof foot)
        return (ElfPart){0};
    return (ElfPart){.bytes = file->bytes + file->size - sizeof foot - foot.size, .size = foot.size};
}

static bool extract(Head head, const char *name, Scratch *scratch, Kept *kept, Error *error)
{
    char *text = mem_alloc(head.name_size + 1);
    memcpy(text, name, head.name_size);
    text[head.name_size] = '\0';
    if (head.kind == KEPT_WORD) {
        VEC_PUSH(&kept->words, text);
        return true;
    }
    const char *path = scratch_name(scratch, text, "", error);
    free(text);
    if (!path || !scratch_write(path, name + head.name_size, head.size, error))
        return false;
    VEC_PUSH(&kept->files, path);
    return true;
}

static bool extract_all(ElfPart records, Scratch *scratch, Kept *kept, Error *error)
{
    Head head;
    for (size_t at = 0; records.size - at >= sizeof head; at += head.name_size + head.size) {
        memcpy(&head, records.bytes + at, sizeof head);
        at += sizeof head;
        if (head.name_size > records.size - at || head.size > records.size - at - head.name_size)
            return error_set(error, EXIT_USAGE, "its objects are damaged: link it again");
        if (!extract(head, records.bytes + at, scratch, kept, error))
            return false;
    }
    return true;
}

bool kept_extract(const char *program, Scratch *scratch, Kept *kept, Error *error)
{
    ElfFile file;
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    bool mapped = fd >= 0 && elf_map(&file, fd);
    if (fd >= 0)
        close(fd);
    if (!mapped)
        return error_set(error, EXIT_USAGE, "it cannot be read");
    ElfPart records = find_records(&file);
    bool good = records.bytes ? extract_all(records, scratch, kept, error)
                              : error_set(error, EXIT_USAGE, "it keeps no objects to link it with other nodes: was it "
                                                             "stripped?");
    elf_unmap(&file);
    return good;
}

void kept_release(Kept *kept)
{
    for (uint32_t i = 0; i < kept->words.count; i++)
        free(kept->words.items[i]);
    VEC_FREE(&kept->words);
    VEC_FREE(&kept->files);
}
