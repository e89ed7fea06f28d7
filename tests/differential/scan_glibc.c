/* scan_glibc.c - the scanf of src/tracked against the C library's, on generated formats and texts
 *
 *     scan_glibc SEED COUNT
 *
 * Both get the same text, as a string and as a file, and memory with the same pattern. What they
 * answer, what they store, how far the file is read and errno must be the same.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracked/tracked.h"

enum { TARGETS = 6, ROOM = 64 };

/* ---- What the runtime does ------------------------------------------------------------- */

bool sennit_rt_scan_begin(FILE *stream);
void sennit_rt_scan_end(FILE *stream);
int sennit_rt_scan_get(FILE *stream);
void sennit_rt_scan_back(FILE *stream, int c);
bool sennit_rt_scan_float(const char *text, size_t length, void *to, size_t size);
_Noreturn void sennit_rt_scan_refuse(const char *what);

/* Inputs and other files in turn. */
bool sennit_rt_scan_begin(FILE *stream)
{
    static unsigned calls;
    return stream != NULL && calls++ % 2;
}
void sennit_rt_scan_end(FILE *stream) { (void)stream; }
int sennit_rt_scan_get(FILE *stream) { return fgetc(stream); }
/* Of inputs the character is not told. */
void sennit_rt_scan_back(FILE *stream, int c)
{
    if (c == EOF)
        fseek(stream, -1, SEEK_CUR);
    else
        ungetc(c, stream);
}

bool sennit_rt_scan_float(const char *text, size_t length, void *to, size_t size)
{
    char *end = NULL;
    (void)length;
    float f = size == sizeof f ? strtof(text, &end) : 0;
    double d = size == sizeof d ? strtod(text, &end) : 0;
    long double l = size == sizeof l ? strtold(text, &end) : 0;
    if (to && end != text)
        memcpy(to, size == sizeof f ? (void *)&f : size == sizeof d ? (void *)&d : (void *)&l, size == sizeof l ? 10 : size);
    return end != text;
}

void sennit_rt_scan_refuse(const char *what)
{
    printf("refused: %s\n", what);
    exit(1);
}

/* ---- Generating -------------------------------------------------------------------------- */

static uint64_t state;

static unsigned pick(unsigned below)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % below;
}

static void append(char *text, const char *more) { strncat(text, more, ROOM - 1 - strlen(text)); }

static void append_character(char *text, char c)
{
    char more[2] = {c, 0};
    append(text, more);
}

/* The set of a bracket; `odd`: its end may be elsewhere. */
static void append_set(char *format, bool odd)
{
    static const char *const parts[] = {"a-c", "0-9", "-", "^", "x", "z-a", "a-", "+", "!-~", "]"};
    append(format, pick(3) ? "[" : "[^");
    for (unsigned n = 1 + pick(3); n; n--)
        append(format, parts[pick(odd ? 10 : 9)]);
    append(format, pick(12) || !odd ? "a]" : "");
}

/* Blocks are found by their place, so that odd sets cannot be in the same format. */
static void append_conversion(char *format, bool odd, char kinds[], unsigned *count)
{
    static const char kind[] = "dddiiuuxXoocsspnfFeEgGaA%[[[";
    static const char *const lengths[] = {"", "", "", "", "", "hh", "h", "l", "ll", "z", "j", "t", "q", "L"};
    char c = kind[pick(sizeof kind - 1)];
    bool text = c == 'c' || c == 's' || c == '[', suppressed = pick(6) == 0 || *count == TARGETS;
    append(format, suppressed ? "%*" : "%");
    if (pick(3) == 0)
        append_character(format, (char)('0' + pick(8)));
    if (text && !odd && !suppressed && pick(5) == 0) {
        append(format, "m");
        kinds[*count] = 'm';
    } else if (!suppressed) {
        kinds[*count] = c;
    }
    if (!text && c != '%')
        append(format, lengths[pick(14)]);
    if (c == '[')
        append_set(format, odd);
    else
        append_character(format, c);
    if (!suppressed && c != '%')
        ++*count;
}

static void make_format(char *format, char kinds[])
{
    static const char *const others[] = {" ", "\t", "a", ",", "%%", "-", "x", "  ", "\n", "0", ".", "%", "%k"};
    unsigned count = 0;
    bool odd = pick(2);
    *format = 0;
    for (unsigned n = 1 + pick(4); n && strlen(format) < ROOM - 24; n--) {
        append_conversion(format, odd, kinds, &count);
        for (unsigned k = pick(3); k; k--)
            append(format, others[pick(odd ? 13 : 11)]);
    }
}

static void make_text(char *text)
{
    static const char characters[] = " \t\n0123456789abcdefxXpP+-.,%()nilINFtyA]^E\x80\xff";
    static const char *const words[] = {"0x", "0X1f", "-", "(nil)", "(NIL)", "nan", "inf", "infinity", "1e", "1e+5", "0x1p-3", "9223372036854775807",
                                        "9223372036854775808", "18446744073709551616", "-9223372036854775809", "0777777777777777777777", "1.5", ".5", "0x.8",
                                        "2147483648", "-1", "08", "abc", "0xffffffffffffffffff", "+0x", "%", "infinix", "-nan", "0b101"};
    *text = 0;
    for (unsigned n = pick(7); n; n--)
        if (pick(4) == 0)
            append(text, words[pick(sizeof words / sizeof *words)]);
        else
            append_character(text, characters[pick(sizeof characters - 1)]);
}

/* ---- Comparing ----------------------------------------------------------------------------- */

typedef struct Outcome {
    int answer, error;
    long position;
    _Alignas(16) unsigned char memory[TARGETS][2 * ROOM];
} Outcome;

typedef int Scan(const char *text, const char *format, ...);
typedef int FileScan(FILE *stream, const char *format, ...);

/* Blocks that were allocated become what they contain. */
static void open_blocks(Outcome *outcome, const char kinds[], const unsigned char *pattern)
{
    for (unsigned i = 0; i < TARGETS; i++) {
        char *block;
        memcpy(&block, outcome->memory[i], sizeof block);
        if (kinds[i] != 'm' || memcmp(outcome->memory[i], pattern, sizeof block) == 0)
            continue;
        memset(outcome->memory[i], 0, sizeof outcome->memory[i]);
        if (block)
            memcpy(outcome->memory[i] + 1, block, strnlen(block, 1));
        outcome->memory[i][0] = block ? 1 : 0;
        free(block);
    }
}

static void run(Scan *scan, FileScan *file_scan, const char *text, const char *format, const char kinds[], Outcome *outcome)
{
    unsigned char (*m)[2 * ROOM] = outcome->memory;
    memset(outcome, 0, sizeof *outcome);
    memset(m, 0xa5, sizeof outcome->memory);
    errno = 0;
    if (scan) {
        outcome->answer = scan(text, format, m[0], m[1], m[2], m[3], m[4], m[5]);
    } else {
        FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text) + 1, "r");
        if (*text)
            setvbuf(file, NULL, _IOFBF, 256);
        outcome->answer = file_scan(file, format, m[0], m[1], m[2], m[3], m[4], m[5]);
        outcome->error = errno;
        outcome->position = ftell(file);
        fclose(file);
    }
    if (scan)
        outcome->error = errno;
    unsigned char pattern[8];
    memset(pattern, 0xa5, sizeof pattern);
    open_blocks(outcome, kinds, pattern);
}

static void print_text(const char *what, const char *text)
{
    printf("  %s \"", what);
    for (; *text; text++)
        printf((unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e || *text == '"' ? "\\%03o" : "%c", (unsigned char)*text);
    printf("\"\n");
}

static bool agree(const char *text, const char *format, const char kinds[], bool file)
{
    Outcome ours, theirs;
    run(file ? NULL : sennit_tracked_sscanf, file ? sennit_tracked_fscanf : NULL, text, format, kinds, &ours);
    run(file ? NULL : sscanf, file ? fscanf : NULL, text, format, kinds, &theirs);
    if (memcmp(&ours, &theirs, sizeof ours) == 0)
        return true;
    printf("differ (%s): ours %d, errno %d, position %ld; glibc's %d, %d, %ld\n", file ? "file" : "string", ours.answer, ours.error,
           ours.position, theirs.answer, theirs.error, theirs.position);
    print_text("format", format);
    print_text("text  ", text);
    for (unsigned i = 0; i < TARGETS; i++)
        if (memcmp(ours.memory[i], theirs.memory[i], sizeof ours.memory[i]) != 0)
            for (unsigned k = 0; k < 20; k++)
                printf("%s%02x/%02x%s", k ? " " : "  stored ", ours.memory[i][k], theirs.memory[i][k], k == 19 ? "\n" : "");
    return false;
}

int main(int argc, char **argv)
{
    unsigned count = argc == 3 ? (unsigned)atoi(argv[2]) : 0, differences = 0;
    state = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    for (unsigned i = 0; i < count && differences < 10; i++) {
        char format[ROOM], text[ROOM], kinds[TARGETS + 1] = {0};
        make_format(format, kinds);
        for (unsigned k = 0; k < 8; k++) {
            make_text(text);
            differences += !agree(text, format, kinds, false) + !agree(text, format, kinds, true);
        }
    }
    printf("%u formats, %u differences\n", count, differences);
    return differences > 0 || count == 0;
}
