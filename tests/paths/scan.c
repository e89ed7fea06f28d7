/* scan.c - scanf, getline and their like on standard input, files and texts that are inputs
 *
 * litmus: -DDECIMAL --sym-stdin 1 -> executions 5 verdict bounded
 * litmus: -DDECIMAL --sym-stdin 2 -> executions 12 verdict bounded
 * litmus: -DDECIMAL --sym-stdin 3 -> executions 22 verdict bounded
 * litmus: -DDECIMAL --sym-stdin 2 -DWRONG -> executions 13 verdict bounded bugs assertion
 * litmus: -DSTRING -> executions 17
 * litmus: -DHEX --sym-stdin 2 -> executions 18 verdict bounded
 * litmus: -DWORD --sym-stdin 3 -> executions 6 verdict bounded
 * litmus: -DSET --sym-file a.txt=2 -> executions 3 verdict bounded
 * litmus: -DLITERAL --sym-stdin 2 -> executions 4 verdict bounded
 * litmus: -DFLOAT --sym-stdin 1 -> executions 9 verdict bounded
 * litmus: -DFORMS -> executions 1
 * litmus: -DREAL -> executions 2
 * litmus: -DLINE --sym-stdin 3 -> executions 4 verdict bounded
 * litmus: -DLAST --sym-stdin 2 -> executions 4 verdict bounded
 * litmus: -DGETS --sym-stdin 2 -> executions 3 verdict bounded
 * litmus: -DUNGET --sym-stdin 2 -> executions 4 verdict bounded
 * litmus: -DUNGET_OTHER --sym-stdin 2 -> executions 4 verdict bounded
 * litmus: -DTHREADS --sym-stdin 2 -> executions 42 verdict bounded
 *
 * A number of k more bytes: D(0) = 1, D(k) = 1 + D(k - 1) paths, the next is a digit or not. Behind a
 * sign: S(0) = 1, S(k) = 1 + D(k - 1). All: P(0) = 1, P(n) = P(n - 1) + 2 S(n - 1) + D(n - 1) + 1: a blank, two
 * signs, a digit, something else; 5, 12, 22. WRONG: one number of two digits is told apart. STRING: the same, but
 * each byte may also end the text: D(k) = 2 + D(k - 1), S(k) = 2 + D(k - 1), P(n) = P(n - 1) + 2 S(n - 1) +
 * D(n - 1) + 2. HEX: a blank (6), signs (3 each), a zero (then x, a digit, something else), another digit (2), something
 * else. WORD: up to three blanks, and behind none or one a word of one byte or two. SET: none, one or two
 * members. LITERAL: no a; then a percent sign, a blank, something else. FLOAT: a blank, two signs, n, i, zero, another
 * digit, a point, something else. REAL: standard input is no input here. LINE, GETS: ends after 1, 2, 3 bytes or not at
 * all. LAST: each byte is an end of line or not. UNGET: the byte comes back as it was; UNGET_OTHER: another one
 * comes, which may be the same by chance. THREADS: who comes first reads a digit or sign (3, then 5 for the other), a
 * blank and one of 5, or neither; nobody reads in the middle of that: 21 for each of two orders.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whatever the input, this was not stored. */
enum { UNTOUCHED = 1000000 };

static void decimal(void)
{
    int n = UNTOUCHED, count = scanf("%d", &n);
#ifdef WRONG
    sennit_assert(n != 42);
#endif
    sennit_assert((count == 1) == (n > UNTOUCHED || n < UNTOUCHED));
    sennit_assert(count == 1 || count == 0 || (count == EOF && feof(stdin)));
}

static void string(void)
{
    char text[3] = "";
    int n = 0;
    sennit_bytes(text, 2, "text");
    if (sscanf(text, "%d", &n) == 1)
        sennit_assert(n > -10 && n < 100);
}

static void hex(void)
{
    unsigned n = 0;
    if (scanf("%x", &n) == 1)
        sennit_assert(n <= 0xff || n >= 0xfffffff1);
}

static void word(void)
{
    char text[3] = "..";
    if (scanf("%2s", text) == 1)
        sennit_assert(text[0] != ' ' && text[2] == 0);
}

static void set(void)
{
    char text[8];
    FILE *file = fopen("a.txt", "r");
    int count = fscanf(file, "%[a-c]", text);
    sennit_assert(count == 1 ? text[0] >= 'a' && text[0] <= 'c' : count == 0);
    fclose(file);
}

static void literal(void)
{
    int n = 0, count = scanf("a%%%n", &n);
    sennit_assert(n == 2 ? count == 0 : n == 0);
}

static void real_number(void)
{
    double x = 0;
    if (scanf("%lf", &x) == 1)
        sennit_assert(x > -10 && x < 100);
}

/* No inputs here, but tracked code. */
static void forms(void)
{
    signed char c;
    short s;
    long l, where;
    void *p;
    char letters[4] = "", rest[8], *block;
    float f;
    sennit_bool("tracked");
    int count = sscanf("-5 40000 0x7f 012,(nil)  abc", "%hhd%hd %li %*i,%p%3c%*c%*[c]d", &c, &s, &l, &p, letters);
    sennit_assert(count == 5 && c == -5 && s == (short)40000 && l == 0x7f && !p && strcmp(letters, "  a") == 0);
    count = sscanf("+1.5e1z  xyz", "%f%[a-z]%ln %ms", &f, rest, &where, &block);
    sennit_assert(count == 3 && f == 15 && strcmp(rest, "z") == 0 && where == 7 && strcmp(block, "xyz") == 0);
    free(block);
}

static void real(void)
{
    int n = 5;
    if (sennit_bool("b"))
        sennit_assert(scanf("%d", &n) == EOF && n == 5 && feof(stdin));
}

static void line(void)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t length = getline(&text, &room, stdin);
    sennit_assert(length >= 1 && length <= 3 && room == 120 && text[length] == 0);
    sennit_assert(length == 3 || text[length - 1] == '\n');
    sennit_assert(!!feof(stdin) == (text[length - 1] != '\n'));
    free(text);
}

static void last(void)
{
    char text[8];
    int lines = 0;
    while (!feof(stdin) && fgets(text, sizeof text, stdin))
        lines++;
    sennit_assert(lines == 1 || lines == 2);
}

char *gets(char *text);
static void get_line(void)
{
    char text[3] = "..";
    sennit_assert(gets(text) == text && text[0] != '\n' && text[1] != '\n' && text[2] == 0);
}

static void unget(int c)
{
    int first = getchar();
    sennit_assert(ungetc(c ? c : first, stdin) == (c ? c : first));
    int again = getchar(), second = getchar();
    sennit_assert(again == (c ? c : first));
    if (c && first == c)
        return;
    if (again == 'a')
        return;
    if (second == 'b')
        return;
    if (first == second)
        return;
}

static void *reader(void *result)
{
    *(int *)result = UNTOUCHED;
    scanf("%1d", (int *)result);
    return NULL;
}

static void threads(void)
{
    pthread_t t;
    int a, b;
    pthread_create(&t, NULL, reader, &a);
    reader(&b);
    pthread_join(t, NULL);
    sennit_assert(getchar() == EOF || a == UNTOUCHED || b == UNTOUCHED);
}

int main(void)
{
#ifdef DECIMAL
    decimal();
#elif defined STRING
    string();
#elif defined HEX
    hex();
#elif defined WORD
    word();
#elif defined SET
    set();
#elif defined LITERAL
    literal();
#elif defined FLOAT
    real_number();
#elif defined FORMS
    forms();
#elif defined REAL
    real();
#elif defined LINE
    line();
#elif defined LAST
    last();
#elif defined GETS
    get_line();
#elif defined UNGET
    unget(0);
#elif defined UNGET_OTHER
    unget('x');
#elif defined THREADS
    threads();
#endif
    return 0;
}
