/* scan_internal.h - what the parts of scanf share
 *
 * What is read, what is left and what is answered are those of glibc, in the C locale. A character has few paths: blank
 * or not, one of the signs, a digit or not; the value of a number is computed without branches. Names begin with
 * sennit_ where one part calls another: to the instrumenter other names are foreign code.
 */
#ifndef TRACKED_SCAN_INTERNAL_H
#define TRACKED_SCAN_INTERNAL_H

#include <stdbool.h>
#include <stdio.h>

/* Where characters come from; EOF is for good, and so is what errno was then. */
typedef struct Source {
    const unsigned char *text;
    FILE *stream;              /* NULL: the text */
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

/* What a part of a format came to. */
typedef enum Result { GOES_ON, NO_MATCH, NO_INPUT } Result;

/* The next character, or EOF; what was taken last comes back. */
int sennit_scan_take(Source *in);
void sennit_scan_put_back(Source *in);

/* One character of the width is used. */
static inline void use_width(Conversion *how) { how->width -= how->width > 0; }

/* Read what the conversion is about and store it, unless `to` is NULL. */
Result sennit_scan_number(Source *in, Conversion *how, void *to);
Result sennit_scan_float(Source *in, Conversion *how, void *to);
/* `format` stands behind the letter; a set goes on there, and is passed over. */
Result sennit_scan_text(Source *in, const Conversion *how, const char **format, void *to);
/* A whole number of the conversion's size. */
void sennit_scan_store(const Conversion *how, unsigned long value, void *to);

#endif
