/* redirect.h - which library functions are modelled by the runtime (rt/abi/redirect.def) */
#ifndef INSTR_MODULE_REDIRECT_H
#define INSTR_MODULE_REDIRECT_H

#include <stdbool.h>

/* Are calls of this function redirected to sennit_rt_<name>? */
bool redirect_is_modelled(const char *name);
/* May it be called unmodelled and unreported: no shared state, no blocking, no callbacks? */
bool redirect_is_pure(const char *name);

#endif
