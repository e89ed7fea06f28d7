/* index.c - see index.h */
#include "abs/modules/index.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Files -------------------------------------------------------------------------------- */

bool indexed_file_read(IndexedFile *file, const char *path, Error *error)
{
    Model *model = model_create();
    if (!source_add_file(&model->sources, path, error)) {
        model_destroy(model);
        return false;
    }
    parser_run(model, 0);
    *file = (IndexedFile){mem_copy_string(path), model};
    return true;
}

void indexed_file_release(IndexedFile *file)
{
    free(file->path);
    model_destroy(file->model);
}

bool indexed_file_defines(const IndexedFile *file, const char *module)
{
    for (uint32_t i = 0; i < file->model->modules.count; i++)
        if (strcmp(file->model->modules.items[i]->name.text, module) == 0)
            return true;
    return false;
}

/* ---- Directories --------------------------------------------------------------------------- */

static bool is_model(const char *name)
{
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".abs") == 0;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_directory(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode); /* not through a link: it may lead back here */
}

static void add_entry(const char *directory, const char *name, bool deep, FileNames *names)
{
    Text path = {0};
    text_add(&path, "%s/%s", directory, name);
    if (is_directory(path.data)) {
        if (deep && name[0] != '.')
            index_list(path.data, true, names);
    } else if (is_model(name)) {
        VEC_PUSH(names, mem_copy_string(path.data));
    }
    text_release(&path);
}

bool index_list(const char *directory, bool deep, FileNames *names)
{
    DIR *stream = opendir(directory);
    FileNames entries = {0};
    if (!stream)
        return false;
    for (struct dirent *entry = readdir(stream); entry; entry = readdir(stream))
        VEC_PUSH(&entries, mem_copy_string(entry->d_name));
    closedir(stream);
    qsort(entries.items, entries.count, sizeof *entries.items, compare_names);
    for (uint32_t i = 0; i < entries.count; i++)
        add_entry(directory, entries.items[i], deep, names);
    file_names_release(&entries);
    return true;
}

static IndexedDirectory read_directory(const char *path)
{
    IndexedDirectory directory = {.path = mem_copy_string(path)};
    FileNames names = {0};
    Error ignored;
    index_list(path, false, &names);
    for (uint32_t i = 0; i < names.count; i++) {
        IndexedFile file;
        if (indexed_file_read(&file, names.items[i], &ignored))
            VEC_PUSH(&directory.files, file);
    }
    file_names_release(&names);
    return directory;
}

const IndexedDirectory *index_directory(Index *index, const char *path)
{
    for (uint32_t i = 0; i < index->directories.count; i++)
        if (strcmp(index->directories.items[i].path, path) == 0)
            return &index->directories.items[i];
    VEC_PUSH(&index->directories, read_directory(path));
    return &index->directories.items[index->directories.count - 1];
}

void index_release(Index *index)
{
    for (uint32_t i = 0; i < index->directories.count; i++) {
        IndexedDirectory *directory = &index->directories.items[i];
        for (uint32_t k = 0; k < directory->files.count; k++)
            indexed_file_release(&directory->files.items[k]);
        VEC_FREE(&directory->files);
        free(directory->path);
    }
    VEC_FREE(&index->directories);
}
