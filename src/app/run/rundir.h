/* rundir.h - the directory with the results of a run
 *
 * A run does not begin without a directory it can write to. What fails later (a full disk) does not end it: the
 * first failure is remembered and reported once, and the results are still printed.
 */
#ifndef APP_RUN_RUNDIR_H
#define APP_RUN_RUNDIR_H

#include "base/error.h"
#include "base/text.h"

typedef struct RunDir {
    char *path;        /* NULL: it could not be created                     */
    char *shown;       /* its name in commands to paste: "sennit-last", or as the user named it */
    bool failed;       /* something could not be written                    */
    char problem[400]; /* the first failure                                 */
} RunDir;

/* Creates `wanted`, or the next free sennit-out/NNN if `wanted` is "". Removes bugs of an earlier run in it. If
 * nothing can be written to it, `failed` is set. */
void rundir_open(RunDir *dir, const char *wanted);
/* Has nothing failed yet? */
bool rundir_check(const RunDir *dir, Error *error);
/* Removes the other results of an earlier run, which would look like those of this one. */
void rundir_forget(RunDir *dir);
/* Makes sennit-last in the current directory a link to it. */
void rundir_link(RunDir *dir);
void rundir_close(RunDir *dir);

/* "bugs/KIND-ID.SUFFIX": the name of a bug's file within the directory. */
void rundir_name_bug(const char *kind, const char *id, const char *suffix, Text *name);

/* Writes a file of the directory, completely or not at all. */
bool rundir_write(RunDir *dir, const char *name, const Text *content);
/* Removes a file if it exists. */
void rundir_remove(RunDir *dir, const char *name);
/* Appends to a file of the directory. */
bool rundir_append(RunDir *dir, const char *name, const Text *content);

#endif
