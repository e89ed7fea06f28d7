/* file.h - whole files and directories */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/text.h"

/* Appends the content of the file. False, with errno set, if it cannot be read; `content` may then have
 * a part of it. */
bool file_read(const char *path, Text *content);

/* Creates the file if there is none and writes the bytes; `flags` is O_TRUNC or O_APPEND. False, with errno
 * set, if not all of them could be written. */
bool file_write(const char *path, int flags, const char *bytes, size_t size);

/* Creates the directory and those above it, unless they exist. False, with errno set, if there is no
 * directory of that name afterwards. */
bool file_make_directory(const char *path);

#endif
