/* arguments.h - code that makes the arguments of a C function
 *
 * Either from symbolic inputs (for a driver that is explored) or from the values that a test has for these inputs.
 * Everything pointed to comes from malloc: accesses out of bounds are detected, and the function may free it.
 */
#ifndef CGEN_ARGUMENTS_H
#define CGEN_ARGUMENTS_H

#include "cgen/debuginfo.h"
#include "report/trace.h"

typedef struct ArgumentOptions {
    const char *function;
    const char *source;      /* absolute path of the file with its definition      */
    const char *shown;       /* the same, for messages                              */
    uint32_t elements;       /* behind a pointer; 0: a default                      */
    uint32_t string;         /* characters of a string, without the NUL             */
    bool null;               /* pointers may be NULL too                            */
    bool alias;              /* pointers to the same type may be equal too          */
    bool no_pairs;           /* an integer parameter after a pointer is not its length */
} ArgumentOptions;

/* Memory that is passed to the function. */
typedef struct ArgumentBlock {
    char *variable;          /* pointer to it                                       */
    char *name;              /* "token[0].next"                                      */
    int base;                /* type of its elements; DEBUG_NONE: bytes              */
    uint32_t count;          /* elements, or bytes                                   */
    uint32_t flexible;       /* elements of the flexible array at its end            */
    bool fixed;              /* const: the function does not write to it             */
} ArgumentBlock;

typedef VEC(ArgumentBlock) ArgumentBlockList;

/* What restricts the arguments that are explored. */
typedef struct ArgumentBounds {
    uint32_t blocks;         /* pieces of memory                                     */
    bool elements;           /* ArgumentOptions.elements decided about the size of one */
    bool strings;            /* there are strings                                    */
    uint32_t length;         /* the largest length that belongs to a pointer         */
    bool inner;              /* memory contains pointers                             */
    uint32_t depth;          /* pointers behind this many are NULL; 0: there are none */
    bool enumerators;        /* other values of enumerations are left out            */
} ArgumentBounds;

typedef struct ArgumentWriter {
    const DebugInfo *info;
    const ArgumentOptions *options;
    int function;
    const Trace *given;      /* values of a test; NULL: symbolic inputs              */
    unsigned indent;
    Text *text;              /* statements                                           */
    Text call;               /* "text, number"                                       */
    Text notes;              /* which length belongs to which pointer, one per line  */
    ArgumentBlockList blocks;        /* of a test                                            */
    ArgumentBounds bounds;   /* of symbolic inputs                                   */
    uint32_t pointers;       /* dereferenced on the way to the value                 */
    int place;               /* node with the line, for messages                     */
    Error *error;
} ArgumentWriter;

/* Adds the statements and fills `call`. False with file, line and reason if the type of a parameter is not supported:
 * unions with pointers in them, pointers to functions, a void * without a length, variable arguments, incomplete
 * types, numbers of more than 64 bits. */
bool arguments_write(ArgumentWriter *writer);
void arguments_release(ArgumentWriter *writer);
/* After arguments_write: adds "arguments with no cycle, no NULL"; nothing if they are not restricted. */
void arguments_write_bounds(const ArgumentWriter *writer, Text *out);

/* The value of an input in a trace, or NULL. */
const char *arguments_value(const Trace *trace, const char *name);
/* A number of a trace as a C literal, and bytes of a trace as a string literal; answers how many bytes. */
void arguments_write_number(const char *value, Text *text);
uint32_t arguments_write_bytes(const char *value, Text *text);

#endif
