/* library_glibc.c - functions of src/tracked against the C library's, on generated arguments
 *
 *     library_glibc SEED COUNT
 *
 * Characters, numbers out of texts, options, strings, printing: what is answered, where it ends, what is stored, errno.
 */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tracked/tracked.h"

/* ---- What the runtime does ------------------------------------------------------------- */

bool sennit_rt_scan_float(const char *text, size_t length, void *to, size_t size);
char **sennit_rt_strtok_rest(void);
void *sennit_rt_getopt_state(void);
int sennit_rt_format_float(char *to, size_t room, const char *format, int width, int precision, double value);
int sennit_rt_format_long_float(char *to, size_t room, const char *format, int width, int precision, long double value);

/* The characters of a number alone are its text. */
bool sennit_rt_scan_float(const char *text, size_t length, void *to, size_t size)
{
    char copy[64], *end;
    memcpy(copy, text, length);
    copy[length] = 0;
    if (size == sizeof(float))
        *(float *)to = strtof(copy, &end);
    else if (size == sizeof(double))
        *(double *)to = strtod(copy, &end);
    else
        *(long double *)to = strtold(copy, &end);
    return *end == 0;
}

void *sennit_rt_getopt_state(void) { return NULL; }

char **sennit_rt_strtok_rest(void)
{
    static char *rest;
    return &rest;
}

int sennit_rt_format_float(char *to, size_t room, const char *format, int width, int precision, double value)
{
    return snprintf(to, room, format, width, precision, value);
}

int sennit_rt_format_long_float(char *to, size_t room, const char *format, int width, int precision, long double value)
{
    return snprintf(to, room, format, width, precision, value);
}

/* ---- Generating -------------------------------------------------------------------------- */

static uint64_t state;
static int failures;

static unsigned pick(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

/* A text of up to `most` characters of the set. */
static const char *make_text(char *text, unsigned most, const char *set)
{
    unsigned length = pick(most + 1), count = (unsigned)strlen(set);
    for (unsigned i = 0; i < length; i++)
        text[i] = set[pick(count)];
    text[length] = 0;
    return text;
}

static void differ(const char *what, const char *text, long ours, long theirs)
{
    if (ours == theirs)
        return;
    if (failures++ < 20)
        printf("%s(\"%s\"): %ld instead of %ld\n", what, text, ours, theirs);
}

/* ---- Characters and numbers ------------------------------------------------------------------ */

#define KIND(name) differ(#name, (char[]){(char)c, 0}, sennit_tracked_##name(c) != 0, name(c) != 0);

static void try_characters(void)
{
    for (int c = -1; c < 256; c++) {
        KIND(isalnum) KIND(isalpha) KIND(isblank) KIND(iscntrl) KIND(isdigit) KIND(isgraph)
        KIND(islower) KIND(isprint) KIND(ispunct) KIND(isspace) KIND(isupper) KIND(isxdigit)
        differ("tolower", "", sennit_tracked_tolower(c), tolower(c));
        differ("toupper", "", sennit_tracked_toupper(c), toupper(c));
    }
}

static void try_numbers(void)
{
    char text[64], *ours_end = NULL, *theirs_end = NULL;
    static const char *const sets[] = {" +-0x9aFgZ", "0123456789", "-+01xX89", "zZ09-", "fF0x"};
    make_text(text, pick(2) ? 5 : 24, sets[pick(5)]);
    int base = pick(3) ? (int[]){0, 10, 16, 8, 36, 2, 1, 37, -1}[pick(9)] : (int)pick(37);
    errno = 0;
    long ours = sennit_tracked_strtol(text, &ours_end, base);
    int error = errno;
    errno = 0;
    differ("strtol", text, ours, strtol(text, &theirs_end, base));
    differ("strtol: errno", text, error, errno);
    differ("strtol: end", text, ours_end - text, theirs_end - text);
    errno = 0;
    unsigned long ours_large = sennit_tracked_strtoul(text, &ours_end, base);
    error = errno;
    errno = 0;
    differ("strtoul", text, (long)ours_large, (long)strtoul(text, &theirs_end, base));
    differ("strtoul: errno", text, error, errno);
    differ("strtoul: end", text, ours_end - text, theirs_end - text);
    differ("atoi", text, sennit_tracked_atoi(text), atoi(text));
    int n = (int)pick(UINT_MAX) - (int)pick(9), d = (int)pick(9) - 4;
    differ("ffs", text, sennit_tracked_ffs(n), ffs(n));
    if (d)
        differ("div", text, sennit_tracked_div(n, d).rem, div(n, d).rem);
}

static long bits_of(double value)
{
    long bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void try_floats(void)
{
    char text[64], *ours_end, *theirs_end;
    static const char *const sets[] = {"+-.eE019", "0xX.aFpP-1", "infINTY", "nan(N_)1", " .1e-+x"};
    make_text(text, 10, sets[pick(5)]);
    double ours = sennit_tracked_strtod(text, &ours_end);
    differ("strtod", text, bits_of(ours), bits_of(strtod(text, &theirs_end)));
    differ("strtod: end", text, ours_end - text, theirs_end - text);
    differ("strtof", text, bits_of(sennit_tracked_strtof(text, &ours_end)), bits_of(strtof(text, &theirs_end)));
    differ("strtof: end", text, ours_end - text, theirs_end - text);
    differ("strtold", text, bits_of((double)sennit_tracked_strtold(text, NULL)), bits_of((double)strtold(text, NULL)));
    differ("atof", text, bits_of(sennit_tracked_atof(text)), bits_of(atof(text)));
}

/* ---- Options --------------------------------------------------------------------------------------- */

enum { WORDS = 6, ANSWERS = 24 };
typedef enum Style { SHORT, LONG, LONG_ONLY } Style;

/* All that a program can see of its options. */
typedef struct Seen {
    int answers[ANSWERS], indices[ANSWERS], places[ANSWERS], wrong[ANSWERS], flag;
    const char *values[ANSWERS], *order[WORDS + 1];
} Seen;

static int flag;
static const struct option list[] = {{"all", no_argument, NULL, 'a'},         {"also", required_argument, NULL, 'l'},
                                     {"be", optional_argument, NULL, 'b'},    {"ab", no_argument, &flag, 5},
                                     {"abba", no_argument, &flag, 5},         {"b", required_argument, NULL, 1000},
                                     {"abbas", no_argument, &flag, 5},        {NULL, 0, NULL, 0}};

static void parse(int count, char (*words)[8], const char *options, Style style, bool ours, Seen *seen)
{
    char *arguments[WORDS + 1] = {0};
    memset(seen, 0, sizeof *seen);
    for (int i = 0; i < count; i++)
        arguments[i] = words[i];
    optind = 0;
    opterr = 0;
    optopt = 77;
    flag = 0;
    for (int i = 0; i < ANSWERS && (i == 0 || seen->answers[i - 1] != -1); i++) {
        int index = -1;
        if (style == SHORT)
            seen->answers[i] = (ours ? sennit_tracked_getopt : getopt)(count, arguments, options);
        else if (style == LONG)
            seen->answers[i] = (ours ? sennit_tracked_getopt_long : getopt_long)(count, arguments, options, list, &index);
        else
            seen->answers[i] = (ours ? sennit_tracked_getopt_long_only : getopt_long_only)(count, arguments, options, list, &index);
        seen->indices[i] = index;
        seen->places[i] = optind;
        seen->values[i] = optarg;
        seen->wrong[i] = optopt;
    }
    seen->flag = flag;
    memcpy(seen->order, arguments, sizeof arguments);
}

static void try_options(void)
{
    static const char *const lists[] = {"ab:c::", "+ab:", "-ab:l", ":ab:W;", "abW;", "l:a", ""};
    char words[WORDS][8], text[64] = "";
    int count = 1 + (int)pick(WORDS);
    for (int i = 0; i < count; i++) {
        static const char *const starts[] = {"--a", "--", "-", "-W", "", "--b", "-ab"};
        strcpy(words[i], i && pick(2) ? starts[pick(7)] : "");
        make_text(words[i] + strlen(words[i]), 4, pick(2) ? "ab-lc=" : "absl=");
        strcat(strcat(text, words[i]), " ");
    }
    const char *options = lists[pick(7)];
    Style style = (Style)pick(3);
    Seen ours, theirs;
    parse(count, words, options, style, true, &ours);
    parse(count, words, options, style, false, &theirs);
    differ(options, text, memcmp(&ours, &theirs, sizeof ours), 0);
}

/* ---- Strings ------------------------------------------------------------------------------------------ */

static int sign(int n) { return (n > 0) - (n < 0); }

#define SAME(what, ours, theirs) differ(what, text, (long)(intptr_t)(ours), (long)(intptr_t)(theirs))

static void try_strings(void)
{
    char text[16], part[8], a[32], b[32], *p, *q;
    make_text(text, 8, "abBA,");
    make_text(part, 3, "abA,");
    size_t size = pick(9), length = strlen(text) + 1;
    SAME("strcasestr", sennit_tracked_strcasestr(text, part), strcasestr(text, part));
    SAME("strstr", sennit_tracked_strstr(text, part), strstr(text, part));
    SAME("memmem", sennit_tracked_memmem(text, length, part, strlen(part)), memmem(text, length, part, strlen(part)));
    SAME("memrchr", sennit_tracked_memrchr(text, 'a', length), memrchr(text, 'a', length));
    SAME("strchrnul", sennit_tracked_strchrnul(text, 'b'), strchrnul(text, 'b'));
    SAME("strcasecmp", sign(sennit_tracked_strcasecmp(text, part)), sign(strcasecmp(text, part)));
    SAME("strncasecmp", sign(sennit_tracked_strncasecmp(text, part, size)), sign(strncasecmp(text, part, size)));
    SAME("strpbrk", sennit_tracked_strpbrk(text, part), strpbrk(text, part));
    SAME("strspn", sennit_tracked_strspn(text, part), strspn(text, part));
    memset(a, 7, sizeof a);
    memset(b, 7, sizeof b);
    SAME("stpncpy", sennit_tracked_stpncpy(a, text, size) - a, stpncpy(b, text, size) - b);
    SAME("stpncpy: memory", memcmp(a, b, sizeof a), 0);
    p = sennit_tracked_memccpy(a, text, 'b', size < length ? size : length);
    q = memccpy(b, text, 'b', size < length ? size : length);
    SAME("memccpy", p ? p - a : -1, q ? q - b : -1);
    SAME("memccpy: memory", memcmp(a, b, sizeof a), 0);
    strcpy(p = a, text);
    strcpy(q = b, text);
    for (bool more = true; more; more = p) {
        SAME("strsep", sennit_tracked_strsep(&p, ",") - a, strsep(&q, ",") - b);
        SAME("strsep: rest", p ? p - a : -1, q ? q - b : -1);
    }
    SAME("strsep: memory", memcmp(a, b, length), 0);
}

/* ---- Printing ------------------------------------------------------------------------------------------- */

static void try_printing(void)
{
    char format[32] = "%", ours[80], theirs[80], part[8];
    static const char *const sizes[] = {"", "hh", "h", "l", "ll", "z"};
    make_text(format + 1, 3, "-+ #0");
    if (pick(2))
        sprintf(format + strlen(format), "%u", pick(12));
    if (pick(2))
        sprintf(format + strlen(format), ".%u", pick(9));
    static const long values[] = {0, 1, -1, 9, 10, -10, 255, 4096, INT_MIN, INT_MAX, LONG_MIN, LONG_MAX};
    long value = pick(2) ? values[pick(12)] : (long)(state >> pick(64));
    size_t room = pick(4) ? sizeof ours : pick(9);
    memset(ours, 7, sizeof ours);
    memset(theirs, 7, sizeof theirs);
    if (pick(4)) {
        sprintf(format + strlen(format), "%s%c|", sizes[pick(6)], "dioxXu"[pick(6)]);
        differ(format, "", sennit_tracked_snprintf(ours, room, format, value), snprintf(theirs, room, format, value));
    } else {
        strcat(format, "s|");
        make_text(part, 5, "ab");
        differ(format, part, sennit_tracked_snprintf(ours, room, format, part), snprintf(theirs, room, format, part));
    }
    differ(format, ours, memcmp(ours, theirs, sizeof ours), 0);
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    state = strtoull(argv[1], NULL, 10);
    try_characters();
    for (unsigned long i = strtoul(argv[2], NULL, 10); i > 0; i--) {
        try_numbers();
        try_floats();
        try_options();
        try_strings();
        try_printing();
    }
    printf("%d differences\n", failures);
    return failures != 0;
}
