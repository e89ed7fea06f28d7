/* generate_c.h - `sennit generate FILE.c --function NAME`: tests for a C function */
#ifndef CGEN_GENERATE_C_H
#define CGEN_GENERATE_C_H

#include <stdbool.h>

/* Is a C file among the arguments, so that this is about a function? */
bool generate_c_wanted(int argc, char **argv);
/* Writes a driver, explores it with `sennit test`, shows the tests. Answers the exit code. */
int generate_c(int argc, char **argv);

#endif
