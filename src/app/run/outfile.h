/* outfile.h - files that the user names on the command line */
#ifndef APP_RUN_OUTFILE_H
#define APP_RUN_OUTFILE_H

#include "app/options/options.h"

/* Can the files of --junit and --sarif be written? Their old content stays. Also false if two options want the
 * same file. */
bool outfile_check(const Options *options, Error *error);

/* Lets the names of these files begin at `directory` (absolute), so that they survive a change of directory. */
void outfile_settle(Options *options, const char *directory);

/* Does the file exist, and is not a regular one (a terminal, a pipe) or where this process prints to? */
bool outfile_is_special(const char *path);

/* Replaces the file: at any time it has its old content or all of the new one. What is not a regular file (a
 * terminal, a pipe), or is where this process prints to, is written to. */
bool outfile_write(const char *path, const Text *content, Error *error);

#endif
