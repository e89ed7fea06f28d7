/* installation.h - where the parts of Sennit are installed
 *
 * In the build tree: build/{sennit,sennit-instr,sennit-solver}, build/lib/{sennit-rt.o,libsennit-inert.a,sennit-linker}
 * and the source's include/. Installed: PREFIX/bin/sennit, the others in PREFIX/lib/sennit, PREFIX/include.
 */
#ifndef HOST_INSTALLATION_H
#define HOST_INSTALLATION_H

#include <limits.h>
#include <stdbool.h>

#include "base/error.h"

typedef struct Installation {
    char instrumenter[PATH_MAX];
    char runtime[PATH_MAX];  /* sennit-rt.o                        */
    char inert[PATH_MAX];    /* libsennit-inert.a, for shared libraries, or empty */
    char linker[PATH_MAX];   /* the words with which clang calls the linker (cc/linker.h), or empty */
    char include[PATH_MAX];  /* headers for users: <sennit/...>    */
    char compiler[PATH_MAX]; /* clang-19                           */
    char objcopy[PATH_MAX];  /* of the GNU binutils, if it was looked for */
} Installation;

/* Finds all of them, relative to the running executable. On failure the contents are undefined. */
bool installation_find(Installation *installation, Error *error);
/* What clusters are linked with. */
bool installation_find_objcopy(char path[PATH_MAX], Error *error);
/* The solver, which only programs with symbolic inputs need. False if it is not installed. */
bool installation_find_solver(char path[PATH_MAX]);
/* The tool itself, and the program that serves its page. */
bool installation_find_web(char sennit[PATH_MAX], char web[PATH_MAX], Error *error);
/* The example programs. False if they are not installed. */
bool installation_find_examples(char path[PATH_MAX]);

#endif
