/* durable_files.h - what of its files a node finds again when it starts after a crash
 *
 * A crash ends the program, and perhaps the machine with it. What was not synced may then be lost: contents survive
 * with fsync, fdatasync, sync or O_SYNC; names that were made, renamed or removed with fsync of their directory or of
 * the file they name, or with sync. Explored are three outcomes, as far as they differ: everything survives; names do,
 * but contents as they were synced; nothing that was not synced.
 */
#ifndef RT_FILE_DURABLE_FILES_H
#define RT_FILE_DURABLE_FILES_H

#include "rt/file/files.h"

/* The real file of this name, which survives as it is now, has become one of the execution. */
void durable_files_keep(const char *name, File *file);
/* As fsync of a file, fsync of a directory, sync. */
void durable_files_sync(File *file);
void durable_files_sync_directory(const char *directory);
void durable_files_sync_all(void);
/* The node of the running thread crashes: a step that decides what is lost, if something could be. */
void durable_files_crash(void);
/* A new execution. */
void durable_files_reset(void);

#endif
