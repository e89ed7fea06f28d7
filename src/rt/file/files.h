/* files.h - the file system as an execution sees it: what the program changes is kept in memory
 *
 * A name of the real file system stands for itself until the program changes something there: makes, removes, renames
 * or opens it for writing. Then it is a file of the execution, with contents in memory. So every execution, in every
 * process, begins with the same files, and the real ones stay as they are. Each node of a cluster has what it changes
 * for itself; what of it survives a crash, durable_files.h says.
 */
#ifndef RT_FILE_FILES_H
#define RT_FILE_FILES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* A file or directory of the execution. */
typedef struct File File;

/* The name without links and dots; relative to where the program was started, if it lies below. `directory`: what a
 * relative path begins at, AT_FDCWD or a descriptor. False, with errno: there is no such name. */
bool files_resolve(int directory, const char *path, bool follow, char name[PATH_MAX]);
/* The directory that the name is in. Returns `parent`. */
const char *files_parent(const char *name, char parent[PATH_MAX]);
/* Is the name that of a device or of the kernel's data, which are not kept in memory? */
bool files_is_special(const char *name);

/* The following work on resolved names, and return -1 with errno like the system's functions. */
bool files_exists(const char *name);
/* The file of this execution; NULL: the name stands for the real one, or for none. */
File *files_find(const char *name);
/* A new descriptor of the system's choice. */
int files_open(const char *name, int flags, mode_t mode);
int files_unlink(const char *name);
int files_make_directory(const char *name, mode_t mode);
int files_remove_directory(const char *name);
int files_rename(const char *from, const char *to);
int files_set_mode(const char *name, mode_t mode);
int files_access(const char *name, int how);
int files_stat(const char *name, bool follow, struct stat *result);
/* As chdir. */
int files_enter(const char *name);
/* A file without a name; a new descriptor. */
int files_open_unnamed(void);
/* Was something made or removed below this directory? */
bool files_changed_below(const char *directory);

/* What the contents of the file are called in footprints. */
const char *file_name(const File *file);
int file_set_mode(File *file, mode_t mode);
/* Fills what depends on the process. */
void file_fix_stat(const File *file, struct stat *result);

/* Resources are named by hashes of names; the name for reports, or NULL. */
uint64_t files_hash(const char *name);
const char *files_name_of_hash(uint64_t hash);

/* Before the first execution, and at the start of each. */
void files_init(void);
void files_reset(void);

#endif
