/* kept.h - what a test binary was linked from, kept at the end of its file
 *
 * So a binary can be linked again, as a node of a cluster, when its objects are gone. What stands behind the parts that
 * an ELF file names is not loaded; `strip` removes it.
 */
#ifndef HOST_KEPT_H
#define HOST_KEPT_H

#include "base/vec.h"
#include "host/scratch.h"

typedef enum KeptKind {
    KEPT_FILE = 1, /* an object or archive: its contents are kept */
    KEPT_WORD      /* for the linker: a library of the system     */
} KeptKind;

typedef struct KeptInput {
    KeptKind kind;
    const char *text; /* the name of the file, or the word */
} KeptInput;

bool kept_append(const char *program, const KeptInput *inputs, uint32_t count, Error *error);

typedef struct Kept {
    VEC(const char *) files; /* in the scratch directory */
    VEC(char *) words;       /* owned */
} Kept;

/* Writes the files that are kept in the program to the scratch directory. False if it keeps none. */
bool kept_extract(const char *program, Scratch *scratch, Kept *kept, Error *error);
void kept_release(Kept *kept);

#endif
