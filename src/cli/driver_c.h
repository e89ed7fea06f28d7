/* driver_c.h - a C program that calls one function with inputs for arguments */
#ifndef CLI_DRIVER_C_H
#define CLI_DRIVER_C_H

#include "cli/debuginfo.h"

typedef struct DriverOptions {
    const char *function;
    const char *source;      /* absolute path of the file that defines it          */
    const char *shown;       /* the same for messages                               */
    uint32_t elements;       /* that a pointer points to                            */
    uint32_t string;         /* characters of a string, without the zero at its end */
    bool null;               /* pointers may be NULL too                            */
} DriverOptions;

/* Adds the text of the program. False with file, line and reason if a parameter has a type of
 * which there are no inputs: unions, pointers to functions, variable arguments, incomplete types,
 * numbers of more than 64 bits. */
bool driver_write(const DebugInfo *info, const DriverOptions *options, Text *text, Error *error);

#endif
