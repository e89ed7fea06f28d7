/* opaque.h - the functions of a linked program that are neither instrumented nor modelled */
#ifndef CC_OPAQUE_H
#define CC_OPAQUE_H

#include <stdio.h>

/* Prints their names on one line; nothing if there are none or the file cannot be read. */
void opaque_print(FILE *out, const char *program);

#endif
