/* text.h - a growable text */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* `data` is NUL-terminated once something was added; NULL before. Start with {0}. */
typedef struct Text {
    char *data;
    size_t length;
    size_t capacity;
} Text;

void text_release(Text *text);
void text_reset(Text *text);
/* The characters so far, never NULL; valid until the next change. */
const char *text_borrow(const Text *text);
/* A copy, owned by the caller. */
Text text_copy(const Text *text);

/* Formats as printf. */
void text_add(Text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_list(Text *text, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* Adds an indented line. */
void text_add_line(Text *text, unsigned indent, const char *format, ...) __attribute__((format(printf, 3, 4)));
void text_add_bytes(Text *text, const char *bytes, size_t size);
void text_add_string(Text *text, const char *string);
/* A word as a shell reads it: in single quotes if it has characters that mean something to shells. */
void text_add_word(Text *text, const char *word);
/* `count` copies of a character; none if count <= 0. */
void text_add_fill(Text *text, char c, int count);

/* Reads up to the end of the file. False if reading fails (see errno). */
bool text_add_file(Text *text, int fd);
/* Writes all bytes, also when interrupted. False if writing fails (see errno). */
bool text_write_all(int fd, const char *bytes, size_t size);

#endif
