/* through.c - library functions that are called through pointers; models that keep what memory holds
 *
 * litmus: -DPREDICATE -> executions 3 bugs assertion
 * litmus: -DCOMPARE -> executions 6 bugs assertion
 * litmus: -DCOPY -> executions 3 bugs assertion
 * litmus: -DALLOCATE -> executions 2 bugs heap-bounds
 * litmus: -DPRINT -> executions 5 bugs assertion
 * litmus: -DSCAN -O1 -> executions 7 bugs assertion
 * litmus: -DMODEL -> executions 4 bugs assertion
 * litmus: -DFOREIGN -> executions 1 verdict exhaustive-but-for
 * litmus: -DENVIRONMENT -> executions 1 verdict exhaustive-but-for
 * litmus: -DSEED -> executions 1 verdict exhaustive-but-for
 *
 * PREDICATE: no digit, a digit, the digit 7. COMPARE: the text ends at the first byte or the second, differs
 * there, or neither, and the first is small or capital. COPY: the copy has the byte or not, and so has the other one. PRINT:
 * one to three digits, and if there are not three the first is 7 or not. SCAN: six as in scan.c for one byte, and the number is 7. MODEL: each size is explored by itself.
 * FOREIGN: nobody follows inputs there, so they are taken as they are; so is what a model keeps for itself.
 */
#include <ctype.h>
#include <sennit/sennit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int setenv(const char *name, const char *value, int overwrite);

static int (*const tests[])(int) = {isdigit};
static int (*compare)(const char *, const char *) = strcasecmp;
static int (*collate)(const char *, const char *) = strcoll;
static void *(*copy)(void *, const void *, size_t) = memcpy;
static void *(*set)(void *, int, size_t) = memset;
static void *(*get_memory)(size_t) = malloc;
static int (*print)(char *, size_t, const char *, ...) = snprintf;
static int (*scan)(const char *, const char *, ...) = sscanf;

int main(void)
{
    char text[3] = "", other[8] = "";
    sennit_bytes(text, 2, "text");
    (void)tests, (void)compare, (void)collate, (void)copy, (void)set, (void)get_memory, (void)print, (void)scan, (void)other;
#if defined PREDICATE
    if (tests[0]((unsigned char)text[0]))
        sennit_assert(text[0] != '7');
#elif defined COMPARE
    if (compare(text, "ab") == 0)
        sennit_assert(text[0] == 'a');
#elif defined COPY
    copy(other, text, 2);
    if (other[1] == 'x')
        sennit_assert(text[0] != 'y');
#elif defined ALLOCATE
    char *block = get_memory((unsigned char)text[0] & 7);
    block[3] = 1;
#elif defined PRINT
    print(other, sizeof other, "%d", (unsigned char)text[0]);
    sennit_assert(strcmp(other, "7") != 0);
#elif defined SCAN
    int number = 0;
    text[1] = 0;
    scan(text, "%d", &number);
    sennit_assert(number != 7);
#elif defined MODEL
    unsigned size = (unsigned char)text[0] & 3;
    set(other, 1, size);
    sennit_assert(size != 3);
#elif defined FOREIGN
    if (collate(text, "ab") == 0)
        sennit_assert(text[0] != 'a');
#elif defined ENVIRONMENT
    setenv("SENNIT_TEXT", text, 1);
    sennit_assert(getenv("SENNIT_TEXT")[0] != 'a');
#elif defined SEED
    srand((unsigned char)text[0]);
    sennit_assert(rand() % 2 || rand() % 3 || text[0] != 'a');
#endif
    return 0;
}
