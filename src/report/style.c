/* style.c - see style.h */
#include "report/style.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_DEFAULT = 100, WIDTH_LEAST = 60, WIDTH_MOST = 160 };

static uint32_t terminal_width(int fd)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    uint32_t width = columns ? (uint32_t)strtoul(columns, NULL, 10) : 0;
    if (width == 0 && ioctl(fd, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width == 0)
        width = WIDTH_DEFAULT;
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
}

Style style_detect(int fd, ColorChoice choice, bool verbose)
{
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool suits = isatty(fd) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
    return (Style){.color = choice == COLOR_ALWAYS || (choice == COLOR_AUTO && suits),
                   .verbose = verbose,
                   .width = terminal_width(fd)};
}

/* The escape sequence of a paint, "" without colours. */
static const char *escape_of(const Style *style, Paint paint)
{
    static const char *const escapes[] = {
        [PAINT_PLAIN] = "\033[0m", [PAINT_BOLD] = "\033[1m", [PAINT_DIM] = "\033[2m", [PAINT_BUG] = "\033[1;31m",
        [PAINT_GOOD] = "\033[1;32m", [PAINT_WARN] = "\033[1;33m", [PAINT_NAME] = "\033[1;36m",
    };
    return style->color ? escapes[paint] : "";
}

uint32_t style_width(const char *string)
{
    uint32_t width = 0;
    for (; *string; string++)
        width += ((unsigned char)*string & 0xc0) != 0x80;
    return width;
}

/* Bytes of the first `count` characters. */
static size_t prefix_size(const char *string, uint32_t count)
{
    size_t size = 0;
    while (string[size]) {
        if (((unsigned char)string[size] & 0xc0) != 0x80 && count-- == 0)
            break;
        size++;
    }
    return size;
}

void style_add(const Style *style, Text *out, Paint paint, const char *string, uint32_t width)
{
    uint32_t length = style_width(string);
    const char *start = paint == PAINT_PLAIN ? "" : escape_of(style, paint);
    text_add_string(out, start);
    if (width && length > width) {
        text_add_bytes(out, string, prefix_size(string, width - 2));
        text_add_string(out, "..");
    } else {
        text_add_string(out, string);
    }
    if (*start)
        text_add_string(out, escape_of(style, PAINT_PLAIN));
    if (width > length)
        text_add_fill(out, ' ', (int)(width - length));
}

void style_add_unpainted(Text *out, const char *string)
{
    while (*string) {
        size_t plain = strcspn(string, "\033");
        text_add_bytes(out, string, plain);
        string += plain;
        if (*string)
            string += strcspn(string, "m") + 1;
    }
}

void style_add_paragraph(const Style *style, Text *out, const char *string)
{
    uint32_t used = style->width;
    for (bool first = true; *string; first = false) {
        size_t word = strcspn(string, " ");
        if (used + 1 + word > style->width) {
            text_add_string(out, first ? "  " : "\n  ");
            used = 2;
        } else {
            text_add_string(out, " ");
            used++;
        }
        text_add_bytes(out, string, word);
        used += (uint32_t)word;
        string += word + strspn(string + word, " ");
    }
    text_add_string(out, "\n");
}

/* ---- Numbers -------------------------------------------------------------- */

void style_add_count(Text *out, uint64_t count)
{
    char digits[32];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text_add_string(out, ",");
        text_add_bytes(out, &digits[i], 1);
    }
}

void style_add_short(Text *out, double number)
{
    static const char units[] = " kMGT";
    unsigned unit = 0;
    for (; number >= 999.5 && units[unit + 1]; unit++)
        number /= 1000;
    text_add(out, unit > 0 && number < 9.95 ? "%.1f" : "%.0f", number);
    if (unit > 0)
        text_add_bytes(out, &units[unit], 1);
}

void style_add_time(Text *out, double seconds)
{
    unsigned whole = (unsigned)(seconds + 0.5);
    if (seconds < 0.0995)
        text_add(out, "%.0f ms", seconds * 1000);
    else if (seconds < 59.5)
        text_add(out, "%.1f s", seconds);
    else if (whole < 3600)
        text_add(out, "%u:%02u min", whole / 60, whole % 60);
    else
        text_add(out, "%u:%02u h", whole / 3600, whole % 3600 / 60);
}

void style_add_memory(Text *out, uint64_t kilobytes)
{
    double megabytes = (double)kilobytes / 1024;
    if (megabytes < 1024)
        text_add(out, megabytes < 9.95 ? "%.1f MB" : "%.0f MB", megabytes);
    else
        text_add(out, "%.1f GB", megabytes / 1024);
}
