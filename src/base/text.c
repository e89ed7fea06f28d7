/* text.c - see text.h */
#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

static void reserve(Text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity * 2 : 64;
    while (capacity < needed)
        capacity *= 2;
    text->data = mem_resize(text->data, capacity);
    text->capacity = capacity;
}

void text_release(Text *text)
{
    free(text->data);
    *text = (Text){0};
}

void text_reset(Text *text)
{
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

const char *text_borrow(const Text *text)
{
    return text->data ? text->data : "";
}

/* Nearly all formats contain only strings and plain numbers: those need no printf. */
static bool is_simple(const char *format)
{
    while ((format = strchr(format, '%')) != NULL) {
        if (!strchr("sudc%", format[1]) || !format[1])
            return false;
        format += 2;
    }
    return true;
}

static void add_number(Text *text, unsigned number)
{
    char digits[16];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    text_add_bytes(text, digits + at, sizeof digits - at);
}

static void add_argument(Text *text, char kind, va_list *args)
{
    char c = kind;
    if (kind == 's') {
        const char *string = va_arg(*args, const char *);
        text_add_string(text, string ? string : "(null)");
    } else if (kind == 'u') {
        add_number(text, va_arg(*args, unsigned));
    } else if (kind == 'd') {
        int number = va_arg(*args, int);
        if (number < 0)
            text_add_bytes(text, "-", 1);
        add_number(text, number < 0 ? -(unsigned)number : (unsigned)number);
    } else {
        if (kind == 'c')
            c = (char)va_arg(*args, int);
        text_add_bytes(text, &c, 1);
    }
}

static void add_simply(Text *text, const char *format, va_list args)
{
    va_list rest;
    va_copy(rest, args);
    for (const char *next; *format; format = next) {
        next = strchrnul(format, '%');
        text_add_bytes(text, format, (size_t)(next - format));
        if (*next) {
            add_argument(text, next[1], &rest);
            next += 2;
        }
    }
    va_end(rest);
}

void text_add_list(Text *text, const char *format, va_list args)
{
    if (is_simple(format)) {
        add_simply(text, format, args);
        return;
    }
    va_list again;
    va_copy(again, args);
    char first[256]; /* most texts are short: no second formatting */
    int size = vsnprintf(first, sizeof first, format, again);
    va_end(again);
    if (size <= 0)
        return;
    reserve(text, (size_t)size);
    if ((size_t)size < sizeof first)
        memcpy(text->data + text->length, first, (size_t)size + 1);
    else
        vsnprintf(text->data + text->length, (size_t)size + 1, format, args);
    text->length += (size_t)size;
}

Text text_copy(const Text *text)
{
    Text copy = {0};
    text_add_bytes(&copy, text_borrow(text), text->length);
    return copy;
}

void text_add(Text *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_add_list(text, format, args);
    va_end(args);
}

void text_add_line(Text *text, unsigned indent, const char *format, ...)
{
    va_list args;
    text_add_fill(text, ' ', (int)indent);
    va_start(args, format);
    text_add_list(text, format, args);
    va_end(args);
    text_add_bytes(text, "\n", 1);
}

void text_add_bytes(Text *text, const char *bytes, size_t size)
{
    if (size == 0)
        return;
    reserve(text, size);
    memcpy(text->data + text->length, bytes, size);
    text->length += size;
    text->data[text->length] = '\0';
}

void text_add_string(Text *text, const char *string)
{
    text_add_bytes(text, string, strlen(string));
}

static bool needs_quotes(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/+@%";
    return !*word || word[strspn(word, plain)] != '\0';
}

void text_add_word(Text *text, const char *word)
{
    if (!needs_quotes(word)) {
        text_add_string(text, word);
        return;
    }
    text_add_string(text, "'");
    for (; *word; word++) {
        if (*word == '\'')
            text_add_string(text, "'\\''");
        else
            text_add_bytes(text, word, 1);
    }
    text_add_string(text, "'");
}

void text_add_fill(Text *text, char c, int count)
{
    for (int i = 0; i < count; i++)
        text_add_bytes(text, &c, 1);
}

bool text_add_file(Text *text, int fd)
{
    char block[16384];
    for (;;) {
        ssize_t size = read(fd, block, sizeof block);
        if (size == 0)
            return true;
        if (size < 0 && errno != EINTR)
            return false;
        if (size > 0)
            text_add_bytes(text, block, (size_t)size);
    }
}

bool text_write_all(int fd, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(fd, bytes, size);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return true;
}
