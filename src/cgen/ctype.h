/* ctype.h - types of C, read from debug information */
#ifndef CGEN_CTYPE_H
#define CGEN_CTYPE_H

#include "cgen/debuginfo.h"

typedef enum CKind {
    CTYPE_NUMBER, /* of up to 64 bits, and characters    */
    CTYPE_BOOL,
    CTYPE_FLOAT,  /* float, double                       */
    CTYPE_WIDE,   /* numbers of more than 64 bits        */
    CTYPE_ENUM,
    CTYPE_STRUCT,
    CTYPE_UNION,
    CTYPE_ARRAY,
    CTYPE_POINTER,
    CTYPE_FUNCTION,
    CTYPE_VOID,
    CTYPE_INCOMPLETE,
    CTYPE_UNKNOWN
} CKind;

/* The kind of the type without typedefs and qualifiers. */
CKind ctype_kind(const DebugInfo *info, int type);
/* The type without typedefs and qualifiers. */
int ctype_strip(const DebugInfo *info, int type);
/* What a pointer points to, or the type of the elements of an array below all its dimensions. */
int ctype_base(const DebugInfo *info, int type);
/* Is it const, perhaps through a typedef? */
bool ctype_is_const(const DebugInfo *info, int type);
/* Is it an integer of one byte; and is that `char`? */
bool ctype_is_byte(const DebugInfo *info, int type);
bool ctype_is_char(const DebugInfo *info, int type);
bool ctype_is_signed(const DebugInfo *info, int type);
/* Does it contain pointers? */
bool ctype_has_pointers(const DebugInfo *info, int type);
uint64_t ctype_size(const DebugInfo *info, int type); /* bytes */

/* The number of elements in a dimension, the outermost being 0; -1: not given. False beyond the last dimension. */
bool ctype_dimension(const DebugInfo *info, int array, uint32_t nth, long long *count);
/* The nth member of a structure or union, or false. */
bool ctype_member(const DebugInfo *info, int type, uint32_t nth, int *member);
/* The flexible array member of a structure, or DEBUG_NONE. */
int ctype_flexible_member(const DebugInfo *info, int type);

/* The type in C for a variable that can be written: without qualifiers at the top; a space at the end unless it is a
 * pointer. */
void ctype_spell(const DebugInfo *info, int type, Text *text);

/* The type of the nth parameter, from 1 (0: the result); DEBUG_NONE is `void`, or "...". False beyond the last one. */
bool ctype_parameter(const DebugInfo *info, int function, uint32_t nth, int *type);
/* Adds its name, or "argumentN". */
void ctype_parameter_name(const DebugInfo *info, int function, uint32_t nth, Text *name);

#endif
