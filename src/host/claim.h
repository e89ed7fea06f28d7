/* claim.h - temporary files and directories that disappear with their process
 *
 * The process holds a lock on what it has made. The next process that makes one removes those that are not locked:
 * their process was killed.
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

/* Makes and locks STEM-XXXXXX, a directory or an empty file, in $TMPDIR or /tmp. On failure the claim is empty. */
bool claim_make(Claim *claim, const char *stem, bool directory, Error *error);
/* Removes it with its contents; does nothing for an empty claim. */
void claim_release(Claim *claim);

#endif
