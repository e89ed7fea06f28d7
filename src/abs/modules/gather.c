/* gather.c - see gather.h */
#include "abs/modules/gather.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "abs/modules/index.h"
#include "abs/syntax/product_line.h"
#include "abs/syntax/stdlib.h"

typedef struct Gathering {
    const ModelReading *reading;
    Index index;
    VEC(IndexedFile) files; /* in the order in which they were needed: the given ones first */
    uint32_t given;
    Error *error;
} Gathering;

/* ---- Modules ------------------------------------------------------------------------------- */

static bool is_known(const Gathering *gathering, const char *module)
{
    for (uint32_t i = 0; i < gathering->files.count; i++)
        if (indexed_file_defines(&gathering->files.items[i], module))
            return true;
    return false;
}

/* "Chat.Server" is named like Server.abs and Chat.Server.abs. */
static bool is_named_after(const char *path, const char *module)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *last = name_last_part(module);
    size_t length = strlen(base) - strlen(".abs");
    return (length == strlen(module) && strncmp(base, module, length) == 0) ||
           (length == strlen(last) && strncmp(base, last, length) == 0);
}

/* The file of the directory that defines the module; NULL if there is none, or several (then `other` is set). */
static const IndexedFile *find_in(const IndexedDirectory *directory, const char *module, const IndexedFile **other)
{
    const IndexedFile *found = NULL;
    *other = NULL;
    for (uint32_t i = 0; i < directory->files.count; i++) {
        const IndexedFile *file = &directory->files.items[i];
        if (!indexed_file_defines(file, module))
            continue;
        if (is_named_after(file->path, module)) {
            *other = NULL;
            return file;
        }
        *other = found;
        found = file;
    }
    return found;
}

static bool add_file(Gathering *gathering, const char *path)
{
    IndexedFile file;
    if (!indexed_file_read(&file, path, gathering->error))
        return false;
    VEC_PUSH(&gathering->files, file);
    return true;
}

static bool add_module(Gathering *gathering, const char *importer, const char *module)
{
    FileNames places = {0};
    const IndexedFile *found = NULL, *other = NULL;
    reading_list_places(gathering->reading, importer, &places);
    for (uint32_t i = 0; i < places.count && !found; i++)
        found = find_in(index_directory(&gathering->index, places.items[i]), module, &other);
    file_names_release(&places);
    if (found && other)
        return error_set(gathering->error, EXIT_USAGE,
                         "%s imports module %s, which both %s and %s define: name the one that is meant", importer,
                         module, other->path, found->path);
    return !found || add_file(gathering, found->path);
}

static bool add_needed(Gathering *gathering, const char *path, const char *module)
{
    return !module || stdlib_has_module(module) || is_known(gathering, module) || add_module(gathering, path, module);
}

/* The modules that the file needs: those it imports and those its deltas change. An import of a single name has its
 * module in front of it. */
static bool add_imports(Gathering *gathering, uint32_t number)
{
    char *path = gathering->files.items[number].path;
    const Model *model = gathering->files.items[number].model;
    for (uint32_t i = 0; i < model->deltas.count; i++)
        if (!add_needed(gathering, path, model->deltas.items[i]->uses.text))
            return false;
    for (uint32_t i = 0; i < model->modules.count; i++)
        for (uint32_t k = 0; k < model->modules.items[i]->imports.count; k++) {
            if (!add_needed(gathering, path, model->modules.items[i]->imports.items[k].from.text))
                return false;
        }
    return true;
}

/* ---- Files --------------------------------------------------------------------------------- */

static bool add_given(Gathering *gathering, const char *path)
{
    struct stat info;
    FileNames names = {0};
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode))
        return add_file(gathering, path);
    bool good = index_list(path, true, &names);
    if (!good)
        error_set(gathering->error, EXIT_USAGE, "cannot read the directory %s: %s", path, strerror(errno));
    else if (!names.count)
        good = error_set(gathering->error, EXIT_USAGE, "%s: no ABS files (.abs) in this directory", path);
    for (uint32_t i = 0; good && i < names.count; i++)
        good = add_file(gathering, names.items[i]);
    file_names_release(&names);
    return good;
}

static bool gather(Gathering *gathering, const char *const *given, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!add_given(gathering, given[i]))
            return false;
    gathering->given = gathering->files.count;
    for (uint32_t i = 0; i < gathering->files.count; i++)
        if (!add_imports(gathering, i))
            return false;
    return true;
}

bool gather_files(const char *const *given, uint32_t count, const ModelReading *reading, FileNames *files,
                  Error *error)
{
    Gathering gathering = {.reading = reading, .error = error};
    bool good = gather(&gathering, given, count);
    uint32_t all = gathering.files.count;
    for (uint32_t i = 0; good && i < all; i++) { /* the given ones last */
        uint32_t number = (i + gathering.given) % all;
        VEC_PUSH(files, mem_copy_string(gathering.files.items[number].path));
    }
    for (uint32_t i = 0; i < all; i++)
        indexed_file_release(&gathering.files.items[i]);
    VEC_FREE(&gathering.files);
    index_release(&gathering.index);
    return good;
}
