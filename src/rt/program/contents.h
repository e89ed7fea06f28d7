/* contents.h - what the instrumented modules of the program say about themselves */
#ifndef RT_PROGRAM_CONTENTS_H
#define RT_PROGRAM_CONTENTS_H

#include <stdbool.h>

/* Does the program use one of these functions of the runtime (up to NULL)? True if that is unknown: it has libraries of
 * its own. */
bool contents_calls(const char *const *names);
/* A function of the runtime that it uses and that is none of these, or what may use one; NULL: there is none. */
const char *contents_find_other(const char *const *names);
/* Was a module compiled with this flag of `sennit cc`? True if that is unknown. */
bool contents_has_flag(const char *flag);

#endif
