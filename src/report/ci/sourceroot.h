/* sourceroot.h - names of source files for build servers
 *
 * A report that leaves the machine must not name files by where they happened to be checked out: names are
 * relative to the top of the repository, whatever directory the run was started in.
 */
#ifndef REPORT_CI_SOURCEROOT_H
#define REPORT_CI_SOURCEROOT_H

#include <stdbool.h>

#include "base/text.h"

typedef struct SourceRoot {
    char *path;       /* absolute, without a slash at its end: "" is the root of the file system */
    char *directory;  /* relative names of source files begin here                               */
} SourceRoot;

/* The root for a run in `directory` (absolute): the nearest directory at or above it with an entry `.git`; the
 * directory itself if there is none. */
void sourceroot_init(SourceRoot *root, const char *directory);
void sourceroot_release(SourceRoot *root);

/* Adds the name of a file relative to the root and answers true; false: the file is elsewhere, its absolute
 * name was added. */
bool sourceroot_add_path(const SourceRoot *root, const char *file, Text *out);

/* Adds a path with every byte percent-encoded that is not a slash or unreserved in RFC 3986: a relative
 * reference, or what follows "file://". */
void sourceroot_add_encoded(const char *path, Text *out);

#endif
