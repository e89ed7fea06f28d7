/* checked.h - what library functions access on behalf of the program, as rows of effects (rt/abi/library.def)
 *
 * A call of such a function is a jump to sennit_rt_checked (checked_x86_64.S, checked_aarch64.S) with its row and its
 * address in two registers, from a few instructions that the instrumenter adds to the module (instr/module/stub.h). So
 * one piece of code serves functions of all signatures, through pointers too.
 */
#ifndef RT_LIBC_CHECKED_H
#define RT_LIBC_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

enum { CHECKED_EFFECTS = 6, CHECKED_ARGUMENTS = 8 };
/* In place of the argument that limits an extent; the second: a result of 0 counts, too. */
enum { CHECKED_NO_LIMIT = 0xff, CHECKED_EVEN_IF_0 = 0xfe };

/* The last two: of hidden state (rt/abi/hidden.def), whose number is `a`. */
typedef enum EffectAccess {
    EFFECT_NONE,
    EFFECT_READ,
    EFFECT_WRITE,
    EFFECT_UPDATE,
    EFFECT_USES,
    EFFECT_CHANGES,
} EffectAccess;

typedef enum EffectExtent {
    EXTENT_BYTES,   /* `size`                                                     */
    EXTENT_COUNT,   /* `size` for each of argument n                              */
    EXTENT_PRODUCT, /* argument n times argument b                                */
    EXTENT_PAIRS,   /* argument n, without the last byte if it is odd             */
    EXTENT_NUMBER,  /* a numeral of base argument n, and the byte behind it       */
    EXTENT_FLOAT,   /* the same of a floating-point number                        */
    EXTENT_COPIED,  /* what the result is behind argument b; or argument n        */
    EXTENT_TEXT,    /* a string of units of `size`; at most argument n if limited */
    EXTENT_COMMON,  /* the same, up to the first difference from argument b       */
    EXTENT_POINTED, /* argument n: a variable with the number of bytes            */
    EXTENT_FOUND,   /* up to the result; or argument n                            */
    EXTENT_RESULT,  /* result + `more`; at most argument n if limited             */
    EXTENT_APPEND,  /* what is behind the string that was there                   */
    EXTENT_PASSED,  /* from where the variable pointed to where it points         */
} EffectExtent;

/* Before the call; after it; after it if the result is 0 (an int), not 0, the argument itself, > 0 or >= 0 (an int). */
typedef enum EffectTime {
    EFFECT_BEFORE,
    EFFECT_AFTER,
    EFFECT_IF_0,
    EFFECT_IF_SET,
    EFFECT_IF_RETURNED,
    EFFECT_IF_POSITIVE,
    EFFECT_IF_NOT_NEGATIVE,
} EffectTime;

/* One thing that a function does with memory. */
typedef struct LibraryEffect {
    uint8_t access, extent, when;
    uint8_t a, b, n;    /* arguments; n is CHECKED_NO_LIMIT if there is none */
    uint8_t more;
    bool through;       /* the argument is the address of the pointer       */
    bool narrow;        /* the result is an int                             */
    uint32_t size;
} LibraryEffect;

typedef struct LibraryRow {
    bool returns_long_double; /* checked_x86_64.S reads it */
    const char *name;
    LibraryEffect effects[CHECKED_EFFECTS];
} LibraryRow;

/* A call in progress; the assembler code knows the places of the fields. */
typedef struct CheckedCall {
    uint64_t args[CHECKED_ARGUMENTS];
    const LibraryRow *row;
    const void *function;
    uint64_t result[2];
    uint64_t indirect;           /* where a structure is to be returned (AArch64) */
    uint64_t unused;
    uint8_t vectors[8][16];      /* floating point arguments, and results         */
    uint8_t long_double[16];
    uint64_t kept[CHECKED_EFFECTS]; /* what an effect found before the call       */
} CheckedCall;

/* From the assembler code: before the real function is called, and when it has returned. */
void checked_before(CheckedCall *call);
void checked_after(CheckedCall *call);

#endif
