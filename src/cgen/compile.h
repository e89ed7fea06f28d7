/* compile.h - compiling small programs with the user's flags */
#ifndef CGEN_COMPILE_H
#define CGEN_COMPILE_H

#include "base/error.h"
#include "base/vec.h"
#include "host/installation.h"

typedef VEC(const char *) Words;

/* How a program is compiled. */
typedef struct Compilation {
    const Installation *installation;
    const Words *words;      /* the user's; those that determine the meaning of a source (-I, -D, -std= ...) are used */
    bool quiet;              /* without messages                                      */
    double deadline;         /* of subprocess_now; 0: none                            */
} Compilation;

/* Runs the compiler with these arguments, without warnings. False if it cannot be run or rejects the program; with
 * EXIT_BUDGET if the deadline has come. */
bool compile_source(const Compilation *compilation, const char *const *arguments, uint32_t count, Error *error);
/* Adds the arguments that determine the meaning of a source. */
void compile_add_meaning(const Words *words, Words *arguments);
/* Adds the arguments that link the user's other files: sources, objects, libraries and their directories. */
void compile_add_link(const Words *words, Words *arguments);

#endif
