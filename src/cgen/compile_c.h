/* compile_c.h - compiling small programs beside the user's own, as the user's flags say */
#ifndef CGEN_COMPILE_C_H
#define CGEN_COMPILE_C_H

#include "base/error.h"
#include "base/vec.h"
#include "host/parts.h"

typedef VEC(const char *) Words;

/* Runs the compiler with these arguments, and those of `words` that say what a source means (-I, -D, -std= ...).
 * Without warnings; `quiet`: without messages. False if it cannot be run or does not like the program. */
bool compile_c(const Parts *parts, const Words *words, const char *const *arguments, uint32_t count, bool quiet,
               Error *error);
/* Adds what it takes to link with the user's other files: sources, objects, libraries and where they are. */
void compile_c_add_link(const Words *words, Words *arguments);

/* Runs a program, its output going nowhere. Its exit status, or 128 + signal; -1: it cannot be run. */
int compile_c_run(const char *const *argv, Error *error);

#endif
