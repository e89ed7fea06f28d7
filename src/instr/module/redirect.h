/* redirect.h - what is known about functions of the C library (rt/abi/library.def) */
#ifndef INSTR_MODULE_REDIRECT_H
#define INSTR_MODULE_REDIRECT_H

#include <stdbool.h>

typedef enum LibraryClass {
    LIBRARY_UNKNOWN,
    LIBRARY_PURE,
    LIBRARY_MODELLED,     /* or refused: the runtime has its own function    */
    LIBRARY_CHECKED,      /* called through the runtime, by a stub           */
    LIBRARY_INSTRUMENTED, /* the tracked version is called, by a stub        */
} LibraryClass;

LibraryClass redirect_class(const char *name);
/* Are calls of this function redirected to sennit_rt_<name>? */
bool redirect_is_modelled(const char *name);
/* May it be called unmodelled and unreported: no shared state, no blocking, no callbacks? */
bool redirect_is_pure(const char *name);

#endif
