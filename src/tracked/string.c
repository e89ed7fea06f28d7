/* string.c - strings and blocks of memory */
#include <stdlib.h>

#include "rt/abi/tracked_hooks.h"
#include "tracked/tracked.h"

int sennit_tracked_memcmp(const void *a, const void *b, size_t size)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++)
        if (x[i] != y[i])
            return x[i] - y[i];
    return 0;
}

void *sennit_tracked_memchr(const void *p, int byte, size_t size)
{
    const unsigned char *x = p;
    for (size_t i = 0; i < size; i++)
        if (x[i] == (unsigned char)byte)
            return (void *)(x + i);
    return NULL;
}

void *sennit_tracked_memrchr(const void *p, int byte, size_t size)
{
    const unsigned char *x = p;
    while (size-- > 0)
        if (x[size] == (unsigned char)byte)
            return (void *)(x + size);
    return NULL;
}

void *sennit_tracked_rawmemchr(const void *p, int byte) { return sennit_tracked_memchr(p, byte, (size_t)-1); }

void *sennit_tracked_memmem(const void *p, size_t size, const void *part, size_t length)
{
    const char *x = p;
    for (; length <= size; x++, size--)
        if (sennit_tracked_memcmp(x, part, length) == 0)
            return (void *)x;
    return NULL;
}

/* Copies up to and including the byte; answers the place after its copy, NULL if it is not there. */
void *sennit_tracked_memccpy(void *to, const void *from, int byte, size_t size)
{
    unsigned char *x = to;
    const unsigned char *y = from;
    for (size_t i = 0; i < size; i++) {
        x[i] = y[i];
        if (y[i] == (unsigned char)byte)
            return x + i + 1;
    }
    return NULL;
}

size_t sennit_tracked_strlen(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

size_t sennit_tracked_strnlen(const char *text, size_t limit)
{
    size_t length = 0;
    while (length < limit && text[length])
        length++;
    return length;
}

char *sennit_tracked_stpcpy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *sennit_tracked_strcpy(char *to, const char *from)
{
    sennit_tracked_stpcpy(to, from);
    return to;
}

char *sennit_tracked_stpncpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    for (; i < size && from[i]; i++)
        to[i] = from[i];
    for (size_t k = i; k < size; k++)
        to[k] = 0;
    return to + i;
}

char *sennit_tracked_strncpy(char *to, const char *from, size_t size)
{
    sennit_tracked_stpncpy(to, from, size);
    return to;
}

char *sennit_tracked_strcat(char *to, const char *from)
{
    sennit_tracked_stpcpy(to + sennit_tracked_strlen(to), from);
    return to;
}

char *sennit_tracked_strncat(char *to, const char *from, size_t size)
{
    char *end = to + sennit_tracked_strlen(to);
    size_t i = 0;
    for (; i < size && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

int sennit_tracked_strcmp(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (unsigned char)*a - (unsigned char)*b;
}

int sennit_tracked_strncmp(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (a[i] != b[i] || !a[i])
            return (unsigned char)a[i] - (unsigned char)b[i];
    return 0;
}

static int lower(char c)
{
    return sennit_tracked_tolower((unsigned char)c);
}

int sennit_tracked_strcasecmp(const char *a, const char *b)
{
    while (*a && lower(*a) == lower(*b)) {
        a++;
        b++;
    }
    return lower(*a) - lower(*b);
}

int sennit_tracked_strncasecmp(const char *a, const char *b, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (lower(a[i]) != lower(b[i]) || !a[i])
            return lower(a[i]) - lower(b[i]);
    return 0;
}

char *sennit_tracked_strchr(const char *text, int c)
{
    for (;; text++) {
        if (*text == (char)c)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

char *sennit_tracked_strchrnul(const char *text, int c)
{
    while (*text && *text != (char)c)
        text++;
    return (char *)text;
}

char *sennit_tracked_strrchr(const char *text, int c)
{
    const char *found = NULL;
    for (;; text++) {
        if (*text == (char)c)
            found = text;
        if (!*text)
            return (char *)found;
    }
}

char *sennit_tracked_strstr(const char *text, const char *part)
{
    size_t length = sennit_tracked_strlen(part);
    for (;; text++) {
        if (sennit_tracked_strncmp(text, part, length) == 0)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

char *sennit_tracked_strcasestr(const char *text, const char *part)
{
    size_t length = sennit_tracked_strlen(part);
    for (;; text++) {
        if (sennit_tracked_strncasecmp(text, part, length) == 0)
            return (char *)text;
        if (!*text)
            return NULL;
    }
}

/* Is the character in the set? Its final NUL does not belong to it. */
static int contains(const char *set, char c)
{
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

size_t sennit_tracked_strspn(const char *text, const char *set)
{
    size_t length = 0;
    while (text[length] && contains(set, text[length]))
        length++;
    return length;
}

size_t sennit_tracked_strcspn(const char *text, const char *set)
{
    size_t length = 0;
    while (text[length] && !contains(set, text[length]))
        length++;
    return length;
}

char *sennit_tracked_strpbrk(const char *text, const char *set)
{
    text += sennit_tracked_strcspn(text, set);
    return *text ? (char *)text : NULL;
}

char *sennit_tracked_strtok_r(char *text, const char *set, char **rest)
{
    if (!text)
        text = *rest;
    text += sennit_tracked_strspn(text, set);
    if (!*text) {
        *rest = text;
        return NULL;
    }
    char *end = text + sennit_tracked_strcspn(text, set);
    *rest = end;
    if (*end) {
        *end = 0;
        *rest = end + 1;
    }
    return text;
}

/* Unlike strtok, every separator counts. */
char *sennit_tracked_strsep(char **rest, const char *set)
{
    char *text = *rest;
    if (!text)
        return NULL;
    char *end = text + sennit_tracked_strcspn(text, set);
    *rest = NULL;
    if (*end) {
        *rest = end + 1;
        *end = 0;
    }
    return text;
}

char *sennit_tracked_strtok(char *text, const char *set)
{
    return sennit_tracked_strtok_r(text, set, sennit_rt_strtok_rest(text));
}

char *sennit_tracked_strndup(const char *text, size_t limit)
{
    size_t length = sennit_tracked_strnlen(text, limit);
    char *copy = malloc(length + 1);
    for (size_t i = 0; copy && i < length; i++)
        copy[i] = text[i];
    if (copy)
        copy[length] = 0;
    return copy;
}

char *sennit_tracked_strdup(const char *text)
{
    return sennit_tracked_strndup(text, (size_t)-1);
}
