/* contents.h - what the instrumented modules of the program say about themselves */
#ifndef RT_PROGRAM_CONTENTS_H
#define RT_PROGRAM_CONTENTS_H

#include <stdbool.h>

/* Does the program use functions for actors? True if that is unknown: it has libraries of its own. */
bool contents_has_actors(void);
/* Was a module compiled with this flag of `sennit cc`? True if that is unknown. */
bool contents_has_flag(const char *flag);

#endif
