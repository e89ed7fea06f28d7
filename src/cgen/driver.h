/* driver.h - a C program that calls one function with symbolic inputs as arguments */
#ifndef CGEN_DRIVER_H
#define CGEN_DRIVER_H

#include "cgen/arguments.h"

/* Adds the text of the program to writer->text; false: see arguments_write. `include` is the file that defines the
 * function, as seen from the program. */
bool driver_write(ArgumentWriter *writer, const char *include);

#endif
