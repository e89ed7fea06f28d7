/* opaque.h - opaque calls: which uninstrumented functions the program calls */
#ifndef RT_DETECT_OPAQUE_H
#define RT_DETECT_OPAQUE_H

#include <stdbool.h>

/* Calls `each` once for every function that instrumented code calls and that is neither
 * instrumented nor modelled nor known to be harmless. */
void opaque_each(void (*each)(void *context, const char *name), void *context);

/* The same as a set. */
typedef struct OpaqueNames OpaqueNames;
OpaqueNames *opaque_names(void);
bool opaque_contains(const OpaqueNames *names, const char *name);
/* Does an instrumented module define this function or variable? */
bool opaque_defines(const OpaqueNames *names, const char *name);
void opaque_release(OpaqueNames *names);

#endif
