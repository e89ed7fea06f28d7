/* api_string.c - functions on strings and blocks of memory, with the memory they access
 *
 * Each announces which bytes of the program it reads and writes, so that they are checked
 * like accesses of the program itself, and then calls the real function.
 */
#include <ctype.h>
#include <errno.h>

#include "rt/abi/tracked_hooks.h"
#include "rt/detect/bug.h"
#include "rt/inputs/shadow_memory.h"
#include "rt/kernel/node.h"
#include "rt/libc/api_libc.h"
#include "rt/libc/text.h"
#include "rt/sync/hidden.h"

/* ---- Announcing accesses ---- ------------------------------------------------------- */

static void reads(const void *p, size_t size) { plain_read(address_of(p), size); }
static void writes(void *p, size_t size) { plain_write(address_of(p), size); }

/* ---- Blocks -------------------------------------------------------------------------- */

/* Where accesses are steps, other threads run between the reads and the writes: what was read is kept. */
static void copy_chunk(char *to, const char *from, size_t size)
{
    char kept[PLAIN_CHUNK];
    reads(from, size);
    memcpy(kept, from, size);
    writes(to, size);
    memcpy(to, kept, size);
}

/* Chunk by chunk; from the end if the first ones would overwrite what is still to be read. */
static void copy_visibly(char *to, const char *from, size_t size)
{
    bool backwards = address_of(to) - address_of(from) < size;
    for (size_t done = 0; done < size;) {
        size_t part = size - done < PLAIN_CHUNK ? size - done : PLAIN_CHUNK;
        size_t at = backwards ? size - done - part : done;
        copy_chunk(to + at, from + at, part);
        done += part;
    }
}

void *sennit_rt_memmove(void *to, const void *from, size_t size)
{
    if (rt.plain_visible) {
        copy_visibly(to, from, size);
        return to;
    }
    reads(from, size);
    writes(to, size);
    return memmove(to, from, size);
}

void *sennit_rt_memcpy(void *to, const void *from, size_t size) { return sennit_rt_memmove(to, from, size); }

void *sennit_rt_mempcpy(void *to, const void *from, size_t size)
{
    return (char *)sennit_rt_memcpy(to, from, size) + size;
}

void *sennit_rt_memset(void *to, int byte, size_t size)
{
    size_t most = rt.plain_visible ? PLAIN_CHUNK : SIZE_MAX;
    for (size_t done = 0, part; done < size; done += part) {
        part = size - done < most ? size - done : most;
        writes((char *)to + done, part);
        memset((char *)to + done, byte, part);
        if (rt.plain_visible) /* a thread that waits there sees each chunk with its shadow */
            shadow_memory_overwritten((char *)to + done, part);
    }
    return to;
}

int sennit_rt_memcmp(const void *a, const void *b, size_t size)
{
    reads(a, size);
    reads(b, size);
    return memcmp(a, b, size);
}

int sennit_rt_bcmp(const void *a, const void *b, size_t size) { return sennit_rt_memcmp(a, b, size); }

void *sennit_rt_memchr(const void *p, int byte, size_t size)
{
    const char *found = memchr(p, byte, size);
    reads(p, found ? (size_t)(found - (const char *)p) + 1 : size);
    return (void *)found;
}

void sennit_rt_bzero(void *p, size_t size) { sennit_rt_memset(p, 0, size); }
void sennit_rt_bcopy(const void *from, void *to, size_t size) { sennit_rt_memmove(to, from, size); }
void sennit_rt_explicit_bzero(void *p, size_t size) { sennit_rt_memset(p, 0, size); }

void *sennit_rt___memcpy_chk(void *to, const void *from, size_t size, size_t room)
{
    if (size > room && rt.self)
        report_bug(BUG_CRASH, "memcpy of %zu bytes into an object of %zu", size, room);
    return sennit_rt_memcpy(to, from, size);
}

void *sennit_rt___memmove_chk(void *to, const void *from, size_t size, size_t room)
{
    if (size > room && rt.self)
        report_bug(BUG_CRASH, "memmove of %zu bytes into an object of %zu", size, room);
    return sennit_rt_memmove(to, from, size);
}

void *sennit_rt___memset_chk(void *to, int byte, size_t size, size_t room)
{
    if (size > room && rt.self)
        report_bug(BUG_CRASH, "memset of %zu bytes of an object of %zu", size, room);
    return sennit_rt_memset(to, byte, size);
}

/* ---- Looking at strings ------------------------------------------------------------------ */

size_t sennit_rt_strlen(const char *text) { return text_read(text); }

size_t sennit_rt_strnlen(const char *text, size_t limit)
{
    text_read_n(text, limit);
    return strnlen(text, limit);
}

/* A comparison reads up to the first difference. */
static size_t common_size(const char *a, const char *b, size_t limit)
{
    size_t i = 0;
    while (i < limit && a[i] && a[i] == b[i])
        i++;
    return i < limit ? i + 1 : limit;
}

static size_t folded_size(const char *a, const char *b, size_t limit)
{
    size_t i = 0;
    while (i < limit && a[i] && tolower((unsigned char)a[i]) == tolower((unsigned char)b[i]))
        i++;
    return i < limit ? i + 1 : limit;
}

int sennit_rt_strcmp(const char *a, const char *b)
{
    size_t size = common_size(a, b, SIZE_MAX);
    reads(a, size);
    reads(b, size);
    return strcmp(a, b);
}

int sennit_rt_strncmp(const char *a, const char *b, size_t limit)
{
    size_t size = common_size(a, b, limit);
    reads(a, size);
    reads(b, size);
    return strncmp(a, b, limit);
}

int sennit_rt_strcasecmp(const char *a, const char *b)
{
    size_t size = folded_size(a, b, SIZE_MAX);
    reads(a, size);
    reads(b, size);
    return strcasecmp(a, b);
}

int sennit_rt_strncasecmp(const char *a, const char *b, size_t limit)
{
    size_t size = folded_size(a, b, limit);
    reads(a, size);
    reads(b, size);
    return strncasecmp(a, b, limit);
}

/* A search reads up to what it finds; else everything. */
static char *read_to(const char *text, const char *found)
{
    if (found)
        reads(text, (size_t)(found - text) + 1);
    else
        text_read(text);
    return (char *)found;
}

char *sennit_rt_strchr(const char *text, int c) { return read_to(text, strchr(text, c)); }

char *sennit_rt_strrchr(const char *text, int c)
{
    text_read(text);
    return (char *)strrchr(text, c);
}

char *sennit_rt_strstr(const char *text, const char *part)
{
    size_t length = text_read(part);
    const char *found = strstr(text, part);
    if (found && length)
        read_to(text, found + length - 1);
    else if (!found)
        text_read(text);
    return (char *)found;
}

size_t sennit_rt_strspn(const char *text, const char *set)
{
    text_read(set);
    size_t length = strspn(text, set);
    reads(text, length + 1);
    return length;
}

size_t sennit_rt_strcspn(const char *text, const char *set)
{
    text_read(set);
    size_t length = strcspn(text, set);
    reads(text, length + 1);
    return length;
}

char *sennit_rt_strpbrk(const char *text, const char *set)
{
    text_read(set);
    return read_to(text, strpbrk(text, set));
}

int sennit_rt_atoi(const char *text)
{
    reads(text, text_measure_number(text, 10));
    return (int)strtol(text, NULL, 10);
}

long sennit_rt_atol(const char *text)
{
    reads(text, text_measure_number(text, 10));
    return strtol(text, NULL, 10);
}

long long sennit_rt_atoll(const char *text)
{
    reads(text, text_measure_number(text, 10));
    return strtoll(text, NULL, 10);
}

double sennit_rt_atof(const char *text)
{
    reads(text, text_measure_float(text));
    return strtod(text, NULL);
}

/* ---- Copying strings ------------------------------------------------------------------------ */

char *sennit_rt_strcpy(char *to, const char *from)
{
    return sennit_rt_memcpy(to, from, text_read(from) + 1);
}

char *sennit_rt_stpcpy(char *to, const char *from)
{
    size_t length = text_read(from);
    return (char *)sennit_rt_memcpy(to, from, length + 1) + length;
}

char *sennit_rt_strncpy(char *to, const char *from, size_t size)
{
    text_read_n(from, size);
    writes(to, size);
    return strncpy(to, from, size);
}

char *sennit_rt_strcat(char *to, const char *from)
{
    size_t length = text_read(to);
    sennit_rt_memcpy(to + length, from, text_read(from) + 1);
    return to;
}

char *sennit_rt_strncat(char *to, const char *from, size_t limit)
{
    size_t length = text_read(to);
    size_t added = strnlen(from, limit);
    text_read_n(from, limit);
    writes(to + length, added + 1);
    memcpy(to + length, from, added);
    to[length + added] = 0;
    return to;
}

static void check_room(const char *what, size_t size, size_t room)
{
    if (size > room && rt.self)
        report_bug(BUG_CRASH, "%s writes %zu bytes into an object of %zu", what, size, room);
}

char *sennit_rt___strcpy_chk(char *to, const char *from, size_t room)
{
    check_room("strcpy", strlen(from) + 1, room);
    return sennit_rt_strcpy(to, from);
}

char *sennit_rt___stpcpy_chk(char *to, const char *from, size_t room)
{
    check_room("stpcpy", strlen(from) + 1, room);
    return sennit_rt_stpcpy(to, from);
}

char *sennit_rt___strncpy_chk(char *to, const char *from, size_t size, size_t room)
{
    check_room("strncpy", size, room);
    return sennit_rt_strncpy(to, from, size);
}

char *sennit_rt___strcat_chk(char *to, const char *from, size_t room)
{
    check_room("strcat", strlen(to) + strlen(from) + 1, room);
    return sennit_rt_strcat(to, from);
}

char *sennit_rt___strncat_chk(char *to, const char *from, size_t limit, size_t room)
{
    check_room("strncat", strlen(to) + strnlen(from, limit) + 1, room);
    return sennit_rt_strncat(to, from, limit);
}

/* ---- Tokens ----------------------------------------------------------------------------------- */

char *sennit_rt_strtok_r(char *text, const char *set, char **rest)
{
    if (!text)
        reads(rest, sizeof *rest);
    char *from = text ? text : *rest;
    if (from) {
        size_t size = text_read(from) + 1;
        writes(from, size);
    }
    text_read(set);
    writes(rest, sizeof *rest);
    return strtok_r(text, set, rest);
}

/* One for the whole program or node, and reset with each execution. The call is a step that uses it. */
static char *rest_of[RT_NODES];

void libc_init_strings(void)
{
    if (!node_count())
        node_keep(&rest_of[0], sizeof rest_of[0]);
}

char **sennit_rt_strtok_rest(const char *text)
{
    static uint32_t run;
    char **rest = &rest_of[node_self()];
    hidden_write(HIDDEN_STRTOK);
    if (run != rt.execution)
        memset(rest_of, 0, sizeof rest_of);
    run = rt.execution;
    if (!text && !*rest && rt.self)
        report_bug(BUG_CRASH, "strtok of NULL has no text to continue");
    return rest;
}

char *sennit_rt_strtok(char *text, const char *set)
{
    return sennit_rt_strtok_r(text, set, sennit_rt_strtok_rest(text));
}

/* ---- Formatting into memory ---------------------------------------------------------------------- */

static int format_into(char *to, size_t size, const char *format, va_list args)
{
    va_list again;
    text_read_arguments(format, args);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0)
        return length;
    size_t written = (size_t)length + 1 < size ? (size_t)length + 1 : size;
    writes(to, written);
    return vsnprintf(to, size, format, args);
}

int sennit_rt_vsnprintf(char *to, size_t size, const char *format, va_list args)
{
    return format_into(to, size, format, args);
}

int sennit_rt_vsprintf(char *to, const char *format, va_list args) { return format_into(to, INT32_MAX, format, args); }

int sennit_rt_snprintf(char *to, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = format_into(to, size, format, args);
    va_end(args);
    return length;
}

int sennit_rt_sprintf(char *to, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = format_into(to, INT32_MAX, format, args);
    va_end(args);
    return length;
}

static int format_checked(char *to, size_t size, size_t room, const char *format, va_list args)
{
    int length = format_into(to, size < room ? size : room, format, args);
    if (length >= 0 && (size_t)length < size)
        check_room("sprintf", (size_t)length + 1, room);
    return length;
}

int sennit_rt___vsnprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    return format_checked(to, size, room, format, args);
}

int sennit_rt___vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    return format_checked(to, INT32_MAX, room, format, args);
}

int sennit_rt___snprintf_chk(char *to, size_t size, int flag, size_t room, const char *format, ...)
{
    va_list args;
    (void)flag;
    va_start(args, format);
    int length = format_checked(to, size, room, format, args);
    va_end(args);
    return length;
}

int sennit_rt___sprintf_chk(char *to, int flag, size_t room, const char *format, ...)
{
    va_list args;
    (void)flag;
    va_start(args, format);
    int length = format_checked(to, INT32_MAX, room, format, args);
    va_end(args);
    return length;
}

/* ---- New strings ------------------------------------------------------------------------------------ */

char *sennit_rt_strdup(const char *text)
{
    size_t size = text_read(text) + 1;
    char *copy = sennit_rt_malloc(size);
    return copy ? sennit_rt_memcpy(copy, text, size) : NULL;
}

char *sennit_rt_strndup(const char *text, size_t limit)
{
    size_t length = strnlen(text, limit);
    text_read_n(text, limit);
    char *copy = sennit_rt_malloc(length + 1);
    if (!copy)
        return NULL;
    writes(copy, length + 1);
    memcpy(copy, text, length);
    copy[length] = 0;
    return copy;
}

int sennit_rt_vasprintf(char **result, const char *format, va_list args)
{
    va_list again;
    text_read_arguments(format, args);
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = length < 0 ? NULL : sennit_rt_malloc((size_t)length + 1);
    if (!text)
        return -1;
    writes(result, sizeof *result);
    *result = text;
    return format_into(text, (size_t)length + 1, format, args);
}

int sennit_rt_asprintf(char **result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = sennit_rt_vasprintf(result, format, args);
    va_end(args);
    return length;
}

/* ---- Sorting and searching ----------------------------------------------------------------------------- */

/* The comparison may let other threads run: the functions of the C library keep their state on the stack, or in a
 * block that leaks if the execution ends there. bsearch itself does not read the elements; the comparison does. */
void sennit_rt_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    reads(base, count * size);
    writes(base, count * size);
    qsort(base, count, size, compare);
}

void *sennit_rt_bsearch(const void *key, const void *base, size_t count, size_t size,
                        int (*compare)(const void *, const void *))
{
    return bsearch(key, base, count, size, compare);
}

/* ---- Other names that headers and compilers use -------------------------------------------------- */

void *sennit_rt___mempcpy(void *to, const void *from, size_t size) { return sennit_rt_mempcpy(to, from, size); }
char *sennit_rt___stpcpy(char *to, const char *from) { return sennit_rt_stpcpy(to, from); }
char *sennit_rt___strtok_r(char *text, const char *ends, char **rest) { return sennit_rt_strtok_r(text, ends, rest); }
int sennit_rt___memcmpeq(const void *a, const void *b, size_t size) { return sennit_rt_memcmp(a, b, size); }
