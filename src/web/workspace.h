/* workspace.h - files below one directory, and none outside
 *
 * Names are relative to the directory; what leads out of it, also by a symbolic link, does not exist.
 */
#ifndef WEB_WORKSPACE_H
#define WEB_WORKSPACE_H

#include <stdbool.h>

#include "base/text.h"

enum {
    WORKSPACE_MOST_FILES = 5000,
    WORKSPACE_MOST_BYTES = 4 << 20,   /* of a file that is edited  */
    WORKSPACE_MOST_RESULT = 256 << 20 /* of one that a run writes  */
};

/* Opens a file for reading; -1 if it does not exist below the directory, or is not a file. */
int workspace_open(const char *directory, const char *name);
/* Adds its content; false if it cannot be read, or has more bytes than that. */
bool workspace_read(const char *directory, const char *name, long long most, Text *out);
/* Replaces its content, completely or not at all; the folders must exist. False with errno set if that fails. */
bool workspace_write(const char *directory, const char *name, const Text *content);
/* Calls `each` with the name and size of every file that can be edited here: sources, headers, models, texts. */
void workspace_each(const char *directory, void (*each)(void *context, const char *name, long long size),
                    void *context);

#endif
