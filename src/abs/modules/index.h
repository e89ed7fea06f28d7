/* index.h - what ABS files define and import, by file and by directory */
#ifndef ABS_MODULES_INDEX_H
#define ABS_MODULES_INDEX_H

#include "abs/modules/gather.h"
#include "abs/syntax/ast.h"

/* One file, parsed as far as that is possible: errors in it are the checker's. */
typedef struct IndexedFile {
    char *path;
    Model *model;
} IndexedFile;

typedef struct IndexedDirectory {
    char *path;
    VEC(IndexedFile) files;
} IndexedDirectory;

/* Start with {0}. */
typedef struct Index {
    VEC(IndexedDirectory) directories;
} Index;

void index_release(Index *index);

bool indexed_file_read(IndexedFile *file, const char *path, Error *error);
void indexed_file_release(IndexedFile *file);
bool indexed_file_defines(const IndexedFile *file, const char *module);

/* The directory with its `.abs` files; one that cannot be read has none. */
const IndexedDirectory *index_directory(Index *index, const char *path);

/* Adds the `.abs` files of the directory to `names` in the order of their names; with `deep` also those below it, but
 * not in hidden directories. False if it cannot be read. */
bool index_list(const char *directory, bool deep, FileNames *names);

#endif
