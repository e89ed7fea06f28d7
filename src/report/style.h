/* style.h - colours and widths of text reports */
#ifndef REPORT_STYLE_H
#define REPORT_STYLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

typedef struct Style {
    bool color;
    bool verbose;    /* nothing is left out       */
    uint32_t width;  /* of a line, in characters  */
} Style;

typedef enum Paint {
    PAINT_PLAIN, PAINT_BOLD, PAINT_DIM, PAINT_BUG, PAINT_GOOD, PAINT_WARN, PAINT_NAME
} Paint;

/* COLOR_AUTO: on a terminal, unless NO_COLOR is set. */
typedef enum ColorChoice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorChoice;

/* The style of a report that is written to `fd`. */
Style style_detect(int fd, ColorChoice choice, bool verbose);

/* Adds a text in a paint, padded with blanks to `width` characters (0: not padded). A longer text is cut and
 * ends in "..". */
void style_add(const Style *style, Text *out, Paint paint, const char *string, uint32_t width);

/* Adds a text without the escape sequences of its paints. */
void style_add_unpainted(Text *out, const char *string);

/* Adds a text as a paragraph: lines indented by two and at most as long as the style's width. */
void style_add_paragraph(const Style *style, Text *out, const char *string);

/* Characters (not bytes) of a UTF-8 string. */
uint32_t style_width(const char *string);

/* 12408 -> "12,408" */
void style_add_count(Text *out, uint64_t count);
/* 842000 -> "842k" */
void style_add_short(Text *out, double number);
/* 74 -> "1:14 min", 3.2 -> "3.2 s", 0.004 -> "4 ms" */
void style_add_time(Text *out, double seconds);
/* 12800 -> "12.5 MB" */
void style_add_memory(Text *out, uint64_t kilobytes);

#endif
