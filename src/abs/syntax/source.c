/* source.c - see source.h */
#include "abs/syntax/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

enum { LARGEST_FILE = 64 << 20 };

void sources_release(Sources *sources)
{
    for (uint32_t i = 0; i < sources->files.count; i++) {
        free(sources->files.items[i].name);
        free(sources->files.items[i].text);
        VEC_FREE(&sources->files.items[i].lines);
    }
    VEC_FREE(&sources->files);
}

static void find_lines(SourceFile *file)
{
    VEC_PUSH(&file->lines, 0);
    for (uint32_t i = 0; i < file->size; i++)
        if (file->text[i] == '\n')
            VEC_PUSH(&file->lines, i + 1);
}

uint32_t source_add_text(Sources *sources, const char *name, const char *text, size_t size, bool library)
{
    SourceFile file = {.name = mem_copy_string(name), .text = mem_alloc(size + 1), .library = library};
    uint32_t count = sources->files.count;
    if (size)
        memcpy(file.text, text, size);
    file.size = (uint32_t)size;
    if (count) {
        const SourceFile *last = &sources->files.items[count - 1];
        file.start = last->start + last->size + 1;
    }
    find_lines(&file);
    VEC_PUSH(&sources->files, file);
    return count;
}

static bool read_file(const char *path, Text *text, Error *error)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return error_set(error, EXIT_USAGE, "cannot open %s: %s", path, strerror(errno));
    bool good = text_add_file(text, fd);
    if (!good)
        error_set(error, EXIT_USAGE, "cannot read %s: %s", path, strerror(errno));
    close(fd);
    return good;
}

bool source_add_file(Sources *sources, const char *path, Error *error)
{
    Text text = {0};
    bool good = read_file(path, &text, error);
    if (good && text.length > LARGEST_FILE)
        good = error_set(error, EXIT_USAGE, "%s is too large", path);
    if (good)
        source_add_text(sources, path, text_borrow(&text), text.length, false);
    text_release(&text);
    return good;
}

static const SourceFile *find_file(const Sources *sources, SrcPos pos)
{
    uint32_t low = 0, high = sources->files.count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (sources->files.items[middle].start <= pos)
            low = middle;
        else
            high = middle;
    }
    return &sources->files.items[low];
}

SourcePlace source_place(const Sources *sources, SrcPos pos)
{
    const SourceFile *file = find_file(sources, pos);
    uint32_t offset = pos - file->start;
    uint32_t low = 0, high = file->lines.count;
    while (high - low > 1) {
        uint32_t middle = (low + high) / 2;
        if (file->lines.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return (SourcePlace){file, low + 1, offset - file->lines.items[low] + 1};
}

const char *source_line(const SourceFile *file, uint32_t line, uint32_t *length)
{
    uint32_t start = file->lines.items[line - 1];
    uint32_t end = line < file->lines.count ? file->lines.items[line] - 1 : file->size;
    if (end > start && file->text[end - 1] == '\r')
        end--;
    *length = end - start;
    return file->text + start;
}
