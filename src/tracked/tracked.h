/* tracked.h - tracked versions of functions of the C library
 *
 * Tracked code calls these in place of the modelled functions of the runtime. They are compiled
 * like a program with inputs, and report the place of their caller.
 */
#ifndef TRACKED_TRACKED_H
#define TRACKED_TRACKED_H

#include <getopt.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* A va_list that functions can take from by its address. */
typedef struct VariableArguments {
    va_list list;
} VariableArguments;

#define TRACKED(result, name, ...) result sennit_tracked_##name(__VA_ARGS__);
#include "tracked/tracked.def"

#endif
