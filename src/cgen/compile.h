/* compile.h - compiling small programs with the user's flags */
#ifndef CGEN_COMPILE_H
#define CGEN_COMPILE_H

#include "base/error.h"
#include "base/vec.h"
#include "host/installation.h"

typedef VEC(const char *) Words;

/* Runs the compiler with these arguments and with those of `words` that determine the meaning of a source (-I, -D,
 * -std= ...). Without warnings; `quiet`: without messages. False if it cannot be run or rejects the program. */
bool compile_source(const Installation *installation, const Words *words, const char *const *arguments, uint32_t count,
                    bool quiet, Error *error);
/* Adds the arguments that link the user's other files: sources, objects, libraries and their directories. */
void compile_add_link(const Words *words, Words *arguments);

#endif
