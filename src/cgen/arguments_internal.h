/* arguments_internal.h - what the files of arguments share */
#ifndef CGEN_ARGUMENTS_INTERNAL_H
#define CGEN_ARGUMENTS_INTERNAL_H

#include "cgen/arguments.h"
#include "cgen/ctype.h"

/* Sets the error: `name` is a `what`, which is not supported. False. */
bool arguments_refuse(ArgumentWriter *w, const char *name, const char *what);

/* ---- Values: `target` is the lvalue, `name` the name of the input ---- */

bool arguments_add_value(ArgumentWriter *w, const char *target, const char *name, int type);
bool arguments_add_number(ArgumentWriter *w, const char *target, const char *name, int type);
/* `size` is a number, or an expression for symbolic inputs. */
void arguments_add_bytes(ArgumentWriter *w, const char *target, const char *size, const char *name);
/* An element of an array: a value, or, unless `array` is DEBUG_NONE, the dimension `level` of that array. */
bool arguments_add_element(ArgumentWriter *w, const char *target, const char *name, long long nth, int type, int array,
                           uint32_t level);

/* ---- Pointers ---- */

/* The memory behind a pointer. */
typedef struct Extent {
    int base;            /* DEBUG_NONE: bytes                                        */
    bool string;         /* a NUL follows                                            */
    uint32_t most;       /* elements at most, without that NUL                       */
    const char *length;  /* variable with the number of elements, or NULL            */
    int open;            /* flexible array member, or DEBUG_NONE                     */
} Extent;

Extent arguments_measure(const ArgumentWriter *w, int base, const char *length);
bool arguments_add_pointer(ArgumentWriter *w, const char *target, const char *name, int type);
/* Is a pointer to this type supported? */
bool arguments_check_pointee(ArgumentWriter *w, const char *name, int base, const char *length);
/* Allocates memory and fills it; `declared` is the variable, perhaps with its type. */
bool arguments_add_block(ArgumentWriter *w, const char *declared, const char *variable, const char *name,
                         const Extent *extent);
void arguments_note_block(ArgumentWriter *w, const char *variable, const char *name, int base, const Extent *extent);
/* A variable through which the memory can be written, even if the parameter is const. */
void arguments_declare_pointer(const ArgumentWriter *w, int base, const char *variable, Text *declared);

/* Begins an if on an input: the pointer is `otherwise`, or what the following statements make it. False if a test has
 * chosen `otherwise`. */
bool arguments_begin_choice(ArgumentWriter *w, const char *target, const char *choice, const char *otherwise);
void arguments_end_choices(ArgumentWriter *w, uint32_t count);

#endif
