/* redirect.h - which library functions the runtime models (rt/abi/redirect.def) */
#ifndef INSTR_MODULE_REDIRECT_H
#define INSTR_MODULE_REDIRECT_H

#include <stdbool.h>

/* Do calls of this function go to sennit_rt_<name>? */
bool redirect_models(const char *name);
/* Is it known to be harmless as it is: no shared state, no blocking, no callbacks? */
bool redirect_is_pure(const char *name);

#endif
