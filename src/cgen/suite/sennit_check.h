/* sennit_check.h - support for generated tests of C functions: expectations, and a main that runs each test in a
 * process of its own
 *
 * Numbers, bytes and strings are compared by value, pointers with the memory that the test passed to the function.
 * free() and realloc() of the source record what the function has freed, which is then not read. With SENNIT_RECORD
 * values are written to a file instead.
 */
#ifndef CGEN_SUITE_SENNIT_CHECK_H
#define CGEN_SUITE_SENNIT_CHECK_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#define SENNIT_CHECK_GNU_SOURCE
#endif
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef SENNIT_CHECK_GNU_SOURCE
#undef _GNU_SOURCE
#endif

#pragma GCC diagnostic ignored "-Wunused-function"

/* ---- Freed memory --------------------------------------------------------- */

static const void *sennit_freed[4096];
static unsigned sennit_freed_count;

static int sennit_is_freed(const void *memory)
{
    for (unsigned i = 0; i < sennit_freed_count; i++)
        if (sennit_freed[i] == memory)
            return 1;
    return 0;
}

/* The memory is kept, so that its address is not used again. */
static void sennit_free(void *memory)
{
    if (memory && sennit_freed_count < sizeof sennit_freed / sizeof *sennit_freed)
        sennit_freed[sennit_freed_count++] = memory;
}

static void *sennit_realloc(void *memory, size_t size)
{
    size_t old = memory ? malloc_usable_size(memory) : 0;
    void *result = malloc(size);
    if (result && memory)
        memcpy(result, memory, old < size ? old : size);
    if (result)
        sennit_free(memory);
    return result;
}

/* ---- Expectations --------------------------------------------------------------------------- */

static int sennit_failures;

static void sennit_expect(const char *name, long long value, long long wanted)
{
    if (value != wanted) {
        printf("    %s is %lld, expected %lld\n", name, value, wanted);
        sennit_failures++;
    }
}

static void sennit_expect_unsigned(const char *name, unsigned long long value, unsigned long long wanted)
{
    if (value != wanted) {
        printf("    %s is %llu, expected %llu\n", name, value, wanted);
        sennit_failures++;
    }
}

static void sennit_expect_float(const char *name, double value, double wanted)
{
    if (value != wanted && (value == value || wanted == wanted)) {
        printf("    %s is %.17g, expected %.17g\n", name, value, wanted);
        sennit_failures++;
    }
}

static void sennit_show_bytes(const char *before, const void *bytes, size_t size)
{
    printf("%s\"", before);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = ((const unsigned char *)bytes)[i];
        printf(c >= ' ' && c < 127 && c != '"' && c != '\\' ? "%c" : "\\x%02x", c);
    }
    printf("\"");
}

static void sennit_expect_bytes(const char *name, const void *bytes, const char *wanted, size_t size)
{
    if (memcmp(bytes, wanted, size) != 0) {
        printf("    %s is", name);
        sennit_show_bytes(" ", bytes, size);
        sennit_show_bytes(", expected ", wanted, size);
        printf("\n");
        sennit_failures++;
    }
}

static void sennit_expect_string(const char *name, const char *string, const char *wanted)
{
    if (strcmp(string, wanted) != 0) {
        printf("    %s is \"%s\", expected \"%s\"\n", name, string, wanted);
        sennit_failures++;
    }
}

static void sennit_expect_pointer(const char *name, const volatile void *pointer, const volatile void *wanted)
{
    if (pointer != wanted) {
        printf("    %s points elsewhere%s\n", name, !wanted ? ", expected NULL" : !pointer ? ": it is NULL" : "");
        sennit_failures++;
    }
}

/* Memory that the function allocated, or a static object. */
static void sennit_expect_some(const char *name, const volatile void *pointer)
{
    if (!pointer) {
        printf("    %s is NULL, expected an object\n", name);
        exit(1);
    }
}

static void sennit_expect_freed(const char *name, const void *memory)
{
    if (!sennit_is_freed(memory)) {
        printf("    %s was not freed\n", name);
        sennit_failures++;
    }
}

/* ---- Recording, for writing the tests -------------------------------------------------------------- */

#ifdef SENNIT_RECORD

static FILE *sennit_record;
static struct {
    const char *begin;
    size_t size;
} sennit_blocks[4096];
static unsigned sennit_block_count;

static void sennit_know(const void *memory, size_t size)
{
    sennit_blocks[sennit_block_count].begin = memory;
    sennit_blocks[sennit_block_count++].size = size;
}

static void sennit_note(const char *name, long long value) { fprintf(sennit_record, "%s\t%lld\n", name, value); }
static void sennit_note_unsigned(const char *name, unsigned long long value)
{
    fprintf(sennit_record, "%s\t%llu\n", name, value);
}
static void sennit_note_float(const char *name, double value) { fprintf(sennit_record, "%s\t%a\n", name, value); }

static void sennit_note_bytes(const char *name, const volatile void *bytes, size_t size)
{
    fprintf(sennit_record, "%s\t\"", name);
    for (size_t i = 0; i < size; i++)
        fprintf(sennit_record, "\\x%02x", ((const volatile unsigned char *)bytes)[i]);
    fprintf(sennit_record, "\"\n");
}

static void sennit_note_string(const char *name, const char *string)
{
    sennit_note_bytes(name, string, strlen(string));
}

/* Records the pointer; is it memory that the test did not pass? */
static int sennit_note_pointer(const char *name, const volatile void *pointer)
{
    for (unsigned i = 0; pointer && i < sennit_block_count; i++) {
        const volatile char *at = pointer;
        if (at >= sennit_blocks[i].begin && at <= sennit_blocks[i].begin + sennit_blocks[i].size) {
            fprintf(sennit_record, "%s\tblock %u %u\n", name, i, (unsigned)(at - sennit_blocks[i].begin));
            return 0;
        }
    }
    fprintf(sennit_record, "%s\t%s\n", name,
            !pointer                                 ? "null"
            : sennit_is_freed((const void *)pointer) ? "freed"
                                                     : "other");
    return pointer && !sennit_is_freed((const void *)pointer);
}

static int sennit_note_freed(const char *name, const void *memory)
{
    if (sennit_is_freed(memory))
        fprintf(sennit_record, "%s\tyes\n", name);
    return sennit_is_freed(memory);
}

#endif

/* ---- Running ----------------------------------------------------------------------------------- */

typedef struct SennitTest {
    unsigned number;
    void (*run)(void);
    int status;              /* exit status                  */
    const char *skipped;     /* why it is not run, or NULL   */
} SennitTest;

enum { SENNIT_SECONDS = 10 };

/* If the function calls exit(), the test has that status. */
static int sennit_run_test(const SennitTest *test)
{
    int status = 0;
#ifdef SENNIT_RECORD
    fprintf(sennit_record, "test %u\n", test->number);
#endif
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        alarm(SENNIT_SECONDS);
        test->run();
        fflush(NULL);
        _exit(sennit_failures ? 1 : 0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 0;
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
#ifdef SENNIT_RECORD
    fseek(sennit_record, 0, SEEK_END);
    fprintf(sennit_record, "status\t%d\n", code);
#endif
    if (code != test->status)
        printf("test %u: FAILED (status %d, expected %d)\n", test->number, code, test->status);
    return code == test->status;
}

/* PROGRAM runs all tests, PROGRAM NUMBER one of them. The exit status is 0 if all have passed. */
static int sennit_run(const SennitTest *tests, unsigned count, int argc, char **argv)
{
    unsigned run = 0, passed = 0, skipped = 0;
#ifdef SENNIT_RECORD
    sennit_record = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (!sennit_record)
        return 2;
    argc = 1;
#endif
    for (unsigned i = 0; i < count; i++) {
        if (argc > 1 && tests[i].number != (unsigned)atoi(argv[1]))
            continue;
        if (tests[i].skipped) {
            printf("test %u: not run: %s\n", tests[i].number, tests[i].skipped);
            skipped++;
            continue;
        }
        run++;
        passed += (unsigned)sennit_run_test(&tests[i]);
    }
    printf("%u test%s: %u passed, %u failed", run, run == 1 ? "" : "s", passed, run - passed);
    if (skipped)
        printf("; %u not run", skipped);
    printf("\n");
    return passed == run && run + skipped > 0 ? 0 : 1;
}

#endif
