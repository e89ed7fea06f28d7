/* ctype.h - types of C as debug information tells them */
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

/* What it is, below names and qualifiers. */
CKind ctype_kind(const DebugInfo *info, int type);
/* The type without names and qualifiers. */
int ctype_strip(const DebugInfo *info, int type);
/* What a pointer points to, or the elements of an array with all its dimensions. */
int ctype_base(const DebugInfo *info, int type);
/* Is it const, whatever the names for it? */
bool ctype_is_const(const DebugInfo *info, int type);
/* A number of one byte; that number being `char`. */
bool ctype_is_byte(const DebugInfo *info, int type);
bool ctype_is_char(const DebugInfo *info, int type);
bool ctype_is_signed(const DebugInfo *info, int type);
/* Are there pointers in it? */
bool ctype_has_pointers(const DebugInfo *info, int type);
uint64_t ctype_size(const DebugInfo *info, int type); /* bytes */

/* The number of elements in a dimension, the outermost being 0; -1: that is open. False behind the last one. */
bool ctype_dimension(const DebugInfo *info, int array, uint32_t nth, long long *count);
/* The nth member of a structure or union, or false. */
bool ctype_member(const DebugInfo *info, int type, uint32_t nth, int *member);
/* The member of a structure that is an array without a size, or DEBUG_NONE. */
int ctype_flexible_member(const DebugInfo *info, int type);

/* The type as C writes it for a variable that can be written to: no qualifiers at the top; a space at the end unless it
 * is a pointer. */
void ctype_spell(const DebugInfo *info, int type, Text *text);

/* The nth parameter, from 1 (0: the result); DEBUG_NONE as its type is `void`, or "...". False behind the last one. */
bool ctype_parameter(const DebugInfo *info, int function, uint32_t nth, int *type);
/* Its name, or "argumentN". */
void ctype_parameter_name(const DebugInfo *info, int function, uint32_t nth, Text *name);

#endif
