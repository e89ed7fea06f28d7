/* launch.h - starting `sennit`, in a group of processes of its own */
#ifndef WEB_LAUNCH_H
#define WEB_LAUNCH_H

#include <sys/types.h>

#include "base/error.h"

enum { LAUNCH_STREAMS = 3 };

/* Starts `sennit` (a path) with these words (NULL-terminated, without its name) in `directory`, with these standard
 * streams. */
bool launch(const char *sennit, const char *const *words, const char *directory, const int streams[LAUNCH_STREAMS],
            pid_t *process, Error *error);

#endif
