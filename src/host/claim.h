/* claim.h - files and directories in the place for temporary ones, which go with their process
 *
 * The process holds a lock on what it made. Whoever makes the next one removes those whose lock
 * nobody holds: their process was killed.
 */
#ifndef HOST_CLAIM_H
#define HOST_CLAIM_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct Claim {
    char path[PATH_MAX]; /* empty: nothing */
    int lock;
} Claim;

/* Makes STEM-XXXXXX, a directory or an empty file, in $TMPDIR or /tmp. */
bool claim_make(Claim *claim, const char *stem, bool directory, Error *error);
/* Removes it, with all that is in it. */
void claim_release(Claim *claim);

#endif
