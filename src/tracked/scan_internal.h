/* scan_internal.h - what the parts of scanf share
 *
 * What is read, what is left and the results are those of glibc, in the C locale. A character has few paths: blank or
 * not, one of the signs, a digit or not; the value of a number is computed without branches. Functions that one part
 * calls in another have names with sennit_: the instrumenter treats other names as uninstrumented code.
 */
#ifndef TRACKED_SCAN_INTERNAL_H
#define TRACKED_SCAN_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

/* Where characters come from; after EOF every read answers EOF, with the same errno. */
typedef struct Source {
    const unsigned char *text;
    FILE *stream;              /* NULL: the text */
    bool is_input;             /* the file has symbolic contents */
    int last;
    int error;
    long taken;
} Source;

/* One conversion: %[*][width][length]kind */
typedef struct Conversion {
    bool suppressed, allocates;
    int width;                 /* -1: none given */
    int size;                  /* of the result: 1, 2, 4, 8 bytes */
    char length;               /* as written: 'l', 'L' (also ll, q), else 0 */
    unsigned char kind;
} Conversion;

/* The outcome of one part of a format. */
typedef enum Result { MATCHED, NO_MATCH, NO_INPUT } Result;

/* The next character, or EOF. */
int sennit_scan_take(Source *in);
/* Takes back the last character. */
void sennit_scan_put_back(Source *in);

/* One character of the width is used. */
static inline void use_width(Conversion *how) { how->width -= how->width > 0; }

/* Read the value of the conversion and store it, unless `to` is NULL. */
Result sennit_scan_number(Source *in, Conversion *how, void *to);
Result sennit_scan_float(Source *in, Conversion *how, void *to);
/* *format is after the letter; a set continues there, and *format is moved to its end. */
Result sennit_scan_text(Source *in, const Conversion *how, const char **format, void *to);
/* Stores an integer of the conversion's size. */
void sennit_scan_store(const Conversion *how, unsigned long value, void *to);

#endif
