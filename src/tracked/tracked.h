/* tracked.h - functions of the C library as code that is followed
 *
 * Code that is followed calls these in place of the runtime's models. They are compiled
 * like a program with inputs, and report the place of their caller.
 */
#ifndef TRACKED_TRACKED_H
#define TRACKED_TRACKED_H

#include <getopt.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define TRACKED(result, name, ...) result sennit_tracked_##name(__VA_ARGS__);
#include "tracked/tracked.def"

#endif
