/* arguments.h - code that makes the arguments of a C function
 *
 * Either from inputs (for a driver that is explored) or from the values that a test has for these inputs. Everything
 * that is pointed to comes from malloc: accesses out of bounds are noticed, and the function may free it.
 */
#ifndef CGEN_ARGUMENTS_H
#define CGEN_ARGUMENTS_H

#include "cgen/debuginfo.h"
#include "report/trace.h"

typedef struct ArgumentOptions {
    const char *function;
    const char *source;      /* absolute path of the file that defines it          */
    const char *shown;       /* the same for messages                               */
    uint32_t elements;       /* that a pointer points to; 0: a default              */
    uint32_t string;         /* characters of a string, without the zero at its end */
    bool null;               /* pointers may be NULL too                            */
    bool alias;              /* pointers to the same type may be equal              */
    bool no_pairs;           /* a length behind a pointer says nothing about it     */
} ArgumentOptions;

/* Memory that the function gets. */
typedef struct ArgumentBlock {
    char *variable;          /* that points to it                                   */
    char *name;              /* "token[0].next"                                      */
    int base;                /* type of its elements; of bytes DEBUG_NONE            */
    uint32_t count;          /* elements, or bytes                                   */
    uint32_t flexible;       /* elements of the array at its end                     */
    bool fixed;              /* the function promises not to write to it             */
} ArgumentBlock;

typedef VEC(ArgumentBlock) ArgumentBlockList;

typedef struct ArgumentWriter {
    const DebugInfo *info;
    const ArgumentOptions *options;
    int function;
    const Trace *given;      /* values for the inputs; NULL: they are inputs         */
    unsigned indent;
    Text *text;              /* statements                                           */
    Text call;               /* "text, number"                                       */
    Text notes;              /* which length belongs to which pointer, a line each   */
    ArgumentBlockList blocks;        /* of a test                                            */
    uint32_t pointers;       /* that were followed on the way to the value           */
    int place;               /* node with the line for messages                      */
    Error *error;
} ArgumentWriter;

/* Adds the statements and fills `call`. False with file, line and reason if there are no inputs of a parameter's type:
 * unions with pointers in them, pointers to functions or to nobody knows what, variable arguments, incomplete types,
 * numbers of more than 64 bits. */
bool arguments_write(ArgumentWriter *writer);
void arguments_release(ArgumentWriter *writer);

/* The value of an input in a trace, or NULL. */
const char *arguments_value(const Trace *trace, const char *name);
/* A number of a trace as C writes it, and bytes of a trace as a string literal; answers their number. */
void arguments_write_number(const char *value, Text *text);
uint32_t arguments_write_bytes(const char *value, Text *text);

#endif
