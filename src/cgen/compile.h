/* compile.h - compiling small programs beside the user's own, as the user's flags say */
#ifndef CGEN_COMPILE_H
#define CGEN_COMPILE_H

#include "base/error.h"
#include "base/vec.h"
#include "host/installation.h"

typedef VEC(const char *) Words;

/* Runs the compiler with these arguments, and those of `words` that say what a source means (-I, -D, -std= ...).
 * Without warnings; `quiet`: without messages. False if it cannot be run or does not like the program. */
bool compile_source(const Installation *installation, const Words *words, const char *const *arguments, uint32_t count,
                    bool quiet, Error *error);
/* Adds what it takes to link with the user's other files: sources, objects, libraries and where they are. */
void compile_add_link(const Words *words, Words *arguments);

#endif
