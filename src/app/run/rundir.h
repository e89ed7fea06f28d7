/* rundir.h - the directory a run leaves behind
 *
 * A full disk or a directory without permission is not the end of a run: what fails is
 * remembered and told once, the results are still printed.
 */
#ifndef APP_RUN_RUNDIR_H
#define APP_RUN_RUNDIR_H

#include "base/error.h"
#include "base/text.h"

typedef struct RunDir {
    char *path;        /* NULL: none could be made                          */
    char *shown;       /* how to call it in commands to paste ("sennit-last") */
    bool failed;       /* something could not be written                    */
    char problem[400]; /* the first thing that failed                       */
} RunDir;

/* Makes `wanted`, or the next free sennit-out/NNN if that is empty. */
void rundir_open(RunDir *dir, const char *wanted);
/* Lets sennit-last in the current directory point to it. */
void rundir_link(RunDir *dir);
void rundir_close(RunDir *dir);

/* "bugs/KIND-ID.SUFFIX": the name of a bug's file within the directory. */
void rundir_name_bug(const char *kind, const char *id, const char *suffix, Text *name);

/* Writes a file of the directory; it is there completely or not at all. */
bool rundir_write(RunDir *dir, const char *name, const Text *content);
/* Removes a file, if it is there. */
void rundir_remove(RunDir *dir, const char *name);
/* Appends to a file of the directory. */
bool rundir_append(RunDir *dir, const char *name, const Text *content);

#endif
