/* native.c - paths of a program as a plain compiler sees them
 *
 * Linked with a program whose every edge calls __sanitizer_cov_trace_pc_guard (clang
 * -fsanitize-coverage=trace-pc-guard,no-prune) and with the table of tests that was made for
 * it. A path is the sequence of edges. Runs the tests, then the program on all inputs over a
 * small domain, and compares: no two tests take the same path, and the paths of the tests are
 * those of all the inputs.
 *
 *     native PATHS DOMAIN    DOMAIN: values of the first input (byte), of the next, ...,
 *                            separated by /; those of the last hold for all others. A value
 *                            is a number or a character after an apostrophe: 0,1,'a
 */
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tests ------------------------------------------------------------------------ */

typedef struct DriverValue {
    const char *name;
    long long number;
    const char *bytes;
    unsigned long size;
} DriverValue;

enum { ENDS, FAILS, UNSEEN };

typedef struct Test {
    unsigned number;
    const DriverValue *values;
    unsigned count;
    int expects;
    int status;
    bool threads;
    const char *outcome;
} Test;

#include "tests.h"

enum { TESTS = sizeof tests / sizeof tests[0], MOST_INPUTS = 64, MOST_VALUES = 64, TABLE = 1 << 20 };

/* ---- Paths -------------------------------------------------------------------------- */

static uint64_t path;
static uint64_t table[TABLE]; /* paths of the tests; open addressing, 0 is free */
static bool met[TABLE];       /* by an input of the domain                      */

void __sanitizer_cov_trace_pc_guard_init(uint32_t *begin, uint32_t *end)
{
    for (uint32_t number = 1; begin < end; begin++)
        *begin = number++;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard)
{
    path = (path ^ *guard) * 0x9e3779b97f4a7c15ull;
    path ^= path >> 29;
}

/* The place of the path, or the free one where it belongs. */
static uint32_t place_of(uint64_t key)
{
    uint32_t at = (uint32_t)(key >> 32) % TABLE;
    while (table[at] && table[at] != key)
        at = (at + 1) % TABLE;
    return at;
}

/* ---- Inputs --------------------------------------------------------------------------- */

static struct {
    const Test *test;   /* whose values are used; NULL: those of the domain */
    unsigned used;      /* inputs asked for in this run                     */
} run;

static struct {
    long values[MOST_INPUTS][MOST_VALUES];
    unsigned counts[MOST_INPUTS];
    unsigned sets;
    unsigned chosen[MOST_INPUTS];
} domain;

static unsigned set_of(unsigned input)
{
    return input < domain.sets ? input : domain.sets - 1;
}

static long next_of_domain(void)
{
    unsigned input = run.used++;
    return domain.values[set_of(input)][domain.chosen[input]];
}

static long long next_number(void)
{
    if (!run.test)
        return next_of_domain();
    return run.used < run.test->count ? run.test->values[run.used++].number : 0;
}

int sennit_int(const char *name);
int sennit_int(const char *name)
{
    (void)name;
    return (int)next_number();
}

void sennit_bytes(void *bytes, size_t size, const char *name);
void sennit_bytes(void *bytes, size_t size, const char *name)
{
    (void)name;
    for (size_t i = 0; i < size && !run.test; i++)
        ((unsigned char *)bytes)[i] = (unsigned char)next_of_domain();
    if (run.test)
        memcpy(bytes, run.test->values[run.used++].bytes, size);
}

/* ---- Ends of a run ------------------------------------------------------------------------ */

static jmp_buf end;

void sennit_assume(int condition);
void sennit_assume(int condition)
{
    if (!condition)
        longjmp(end, 2);
}

void sennit_assert_failed(const char *condition);
void sennit_assert_failed(const char *condition)
{
    (void)condition;
    longjmp(end, 1);
}

int sennit_program_main(int argc, char **argv);

/* False if the inputs are of no interest. */
static bool run_once(const Test *test)
{
    run.test = test;
    run.used = 0;
    path = 1;
    int how = setjmp(end);
    if (how == 0)
        sennit_program_main(0, NULL);
    return how != 2;
}

/* ---- All inputs ----------------------------------------------------------------------------- */

static void parse_domain(const char *text)
{
    domain.sets = 1;
    while (*text) {
        unsigned set = domain.sets - 1;
        char *rest;
        if (*text == '\'') {
            domain.values[set][domain.counts[set]++] = (unsigned char)text[1];
            text += 2;
        } else {
            domain.values[set][domain.counts[set]++] = strtol(text, &rest, 10);
            text = rest;
        }
        domain.sets += *text == '/';
        text += *text != 0;
    }
}

/* The next combination of the inputs that the last run asked for. */
static bool advance(void)
{
    for (unsigned input = run.used; input-- > 0;) {
        if (++domain.chosen[input] < domain.counts[set_of(input)])
            return true;
        domain.chosen[input] = 0;
    }
    return false;
}

int main(int argc, char **argv)
{
    unsigned long expected = argc > 2 ? strtoul(argv[1], NULL, 10) : 0, same = 0, unknown = 0, found = 0, runs = 0;
    parse_domain(argc > 2 ? argv[2] : "0");
    for (unsigned i = 0; i < TESTS; i++) {
        run_once(&tests[i]);
        uint32_t at = place_of(path);
        same += table[at] != 0;
        table[at] = path;
    }
    do {
        runs++;
        if (!run_once(NULL))
            continue;
        uint32_t at = place_of(path);
        unknown += table[at] == 0;
        found += table[at] != 0 && !met[at];
        met[at] = true;
        table[at] = path;
    } while (advance());
    printf("%u tests, %lu take the path of another; %lu of their paths and %lu others by %lu inputs\n", TESTS, same, found, unknown, runs);
    return TESTS == expected && same == 0 && unknown == 0 && found == expected ? 0 : 1;
}
