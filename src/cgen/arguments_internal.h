/* arguments_internal.h - what the files of arguments share */
#ifndef CGEN_ARGUMENTS_INTERNAL_H
#define CGEN_ARGUMENTS_INTERNAL_H

#include "cgen/arguments.h"
#include "cgen/ctype.h"

/* There are no inputs for it, which the error says; false. */
bool arguments_refuse(ArgumentWriter *w, const char *name, const char *what);

/* ---- Values: `target` is where they go, `name` what they are called ---- */

bool arguments_add_value(ArgumentWriter *w, const char *target, const char *name, int type);
bool arguments_add_number(ArgumentWriter *w, const char *target, const char *name, int type);
/* `size` is a number, or an expression while there are inputs. */
void arguments_add_bytes(ArgumentWriter *w, const char *target, const char *size, const char *name);
/* An element of an array: a value or, if `array` is one, the dimension `level` of that. */
bool arguments_add_element(ArgumentWriter *w, const char *target, const char *name, long long nth, int type, int array,
                           uint32_t level);

/* ---- Pointers ---- */

/* What is known of the memory behind a pointer. */
typedef struct Extent {
    int base;            /* DEBUG_NONE: bytes                                        */
    bool string;         /* a zero follows                                           */
    uint32_t most;       /* elements, without that zero                              */
    const char *length;  /* variable that says how many of them there are, or NULL   */
    int open;            /* member that is an array without a size, or DEBUG_NONE    */
} Extent;

Extent arguments_measure(const ArgumentWriter *w, int base, const char *length);
bool arguments_add_pointer(ArgumentWriter *w, const char *target, const char *name, int type);
/* Can there be inputs behind a pointer to this? */
bool arguments_check_pointee(ArgumentWriter *w, const char *name, int base, const char *length);
/* Memory with its contents; `declared` is the variable, perhaps with its type. */
bool arguments_add_block(ArgumentWriter *w, const char *declared, const char *variable, const char *name,
                         const Extent *extent);
void arguments_note_block(ArgumentWriter *w, const char *variable, const char *name, int base, const Extent *extent);
/* A variable through which the memory can be written to, whatever the function may do. */
void arguments_declare_pointer(const ArgumentWriter *w, int base, const char *variable, Text *declared);

/* An input decides whether the pointer is `otherwise`; goes on where it is not. False if it is, in this test. */
bool arguments_begin_choice(ArgumentWriter *w, const char *target, const char *choice, const char *otherwise);
void arguments_end_choices(ArgumentWriter *w, uint32_t count);

#endif
