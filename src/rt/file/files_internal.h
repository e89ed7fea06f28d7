/* files_internal.h - files of an execution and their names, for the files that keep them */
#ifndef RT_FILE_FILES_INTERNAL_H
#define RT_FILE_FILES_INTERNAL_H

#include <stddef.h>

#include "rt/file/files.h"

struct File {
    File *next;
    unsigned node;         /* whose it is; 0: of a program that is no cluster */
    char *name;            /* its last one */
    int storage;           /* -1: a directory */
    mode_t mode;
    bool writes_through;   /* it was opened with O_SYNC or O_DSYNC */
    unsigned char *synced; /* what of its contents survives every crash, see durable_files.h */
    size_t synced_size;
};

/* What became of a name of a node. */
typedef struct NameEntry {
    struct NameEntry *next;
    unsigned node;
    char *name;
    File *file;            /* NULL: removed */
} NameEntry;

typedef struct NameList {
    NameEntry *first;
} NameList;

/* Names of the running thread's node. */
NameEntry *name_list_find(const NameList *list, const char *name);
void name_list_set(NameList *list, const char *name, File *file);
void name_list_clear(NameList *list);

uint64_t files_hash_text(const char *text);
/* Where the program was started; has it changed its directory since? */
const char *files_start(void);
bool files_have_moved(void);
/* What the system calls the real file of this name. */
const char *files_system_name(const char *name, char path[PATH_MAX]);
/* Those of the execution. */
NameList *files_names(void);
bool files_is_below(const char *name, const char *directory);

#endif
