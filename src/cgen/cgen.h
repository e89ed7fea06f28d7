/* cgen.h - `sennit generate FILE.c --function NAME`: tests for a C function */
#ifndef CGEN_CGEN_H
#define CGEN_CGEN_H

#include <stdbool.h>

/* Is a C file among the arguments of `sennit generate`? */
bool cgen_is_wanted(int argc, char **argv);
/* Writes a driver, explores it with `sennit test`, writes the suite and shows the tests. Answers the exit code. */
int cgen_run(int argc, char **argv);

#endif
