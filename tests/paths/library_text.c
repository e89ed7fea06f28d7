/* library_text.c - texts of inputs through the C library; structures that hold inputs
 *
 * litmus: -DSTRTOL -> executions 5
 * litmus: -DSTRTOUL_HEX -> executions 3 bugs assertion
 * litmus: -DBSEARCH -> executions 6
 * litmus: -DSTRTOK -> executions 7 bugs assertion
 * litmus: -DSNPRINTF_STRING -> executions 5 bugs assertion
 * litmus: -DSNPRINTF_HEX -> executions 5
 * litmus: -DPRINTED -> executions 20 bugs assertion
 * litmus: -DSTRTOD -> executions 9 verdict exhaustive-but-for
 * litmus: -DSSCANF -> executions 39 bugs assertion
 * litmus: -DFLOAT_INPUT -> executions 1 verdict exhaustive-but-for
 * litmus: -DSTRUCTURE -> executions 4 bugs assertion
 * litmus: -DUNION -> executions 2 bugs assertion
 * litmus: -DBITFIELD -> executions 3 bugs assertion
 * litmus: -DWIDE -> executions 2 bugs assertion
 * litmus: -DVECTOR -> executions 1 verdict exhaustive-but-for
 * litmus: -DASSEMBLY -> executions 1 verdict exhaustive-but-for
 * litmus: -DWIDE_FLOAT -> executions 1 verdict exhaustive-but-for
 * litmus: -DWAIT -> executions 2 bugs livelock
 *
 * STRTOL: a blank, two signs, a digit, something else: each kind of characters is one decision. STRTOUL_HEX: a digit or
 * not, and B or b. BSEARCH: found (3), and not found at three places, as nothing is between 2 and 3. SNPRINTF_HEX: one
 * to four digits, and zero. SNPRINTF_STRING: no, one or two bytes, and the first is an a or not. PRINTED: 1 to 10
 * digits, with a sign or without. SSCANF: 34 paths as in scan.c; on five of them it can be 42. STRTOD: a blank, two
 * signs, i, n, zero, another digit, a point, something else; a digit is taken as it is, which the verdict says. So is
 * floating point elsewhere, and a value that another thread waits for.
 */
#include <pthread.h>
#include <sennit/sennit.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Inner {
    short a;
    int b[2];
} Inner;

typedef struct Outer {
    char name[4];
    Inner inner;
} Outer;

static Outer pass(Outer outer, const Outer *other)
{
    Outer copy = outer;
    copy.inner = other->inner;
    return copy;
}

static int compare(const void *key, const void *item)
{
    int a = *(const int *)key, b = *(const int *)item;
    return (a > b) - (a < b);
}

static atomic_int flag;

static void *set_flag(void *argument)
{
    atomic_store(&flag, sennit_int("flag"));
    return argument;
}

int main(void)
{
    char text[8] = "", *end;
    (void)text, (void)end, (void)pass, (void)compare, (void)set_flag;
#if defined STRTOL
    sennit_bytes(text, 1, "text");
    sennit_assert(strtol(text, &end, 10) <= 9);
#elif defined STRTOUL_HEX
    unsigned char c;
    sennit_bytes(&c, 1, "c");
    sennit_assume((c >= '0') & (c <= 'f'));
    text[0] = '0', text[1] = 'x', text[2] = (char)c;
    sennit_assert(strtoul(text, &end, 0) != 11);
#elif defined BSEARCH
    static const int table[] = {2, 3, 5};
    int x = sennit_int("x");
    const int *found = bsearch(&x, table, 3, sizeof *table, compare);
    sennit_assert(!found || *found == x);
#elif defined STRTOK
    sennit_bytes(text, 2, "text");
    char *token = strtok(text, ",");
    sennit_assert(!token || token == text);
#elif defined SNPRINTF_STRING
    char copy[8];
    sennit_bytes(text, 2, "text");
    snprintf(copy, sizeof copy, "%s", text);
    sennit_assert(copy[0] != 'a');
#elif defined SNPRINTF_HEX
    unsigned short x = sennit_ushort("x");
    snprintf(text, sizeof text, "%x", x);
    sennit_assert(strtoul(text, NULL, 16) <= 0xffff);
#elif defined PRINTED
    sennit_assert(printf("%d", sennit_int("x")) != 3);
#elif defined STRTOD
    sennit_bytes(text, 1, "text");
    sennit_assert(strtod(text, &end) >= 0);
    sennit_assert(end == text || (text[0] >= '0' && text[0] <= '9'));
#elif defined SSCANF
    int x = 0;
    sennit_bytes(text, 3, "text");
    sscanf(text, "%d", &x);
    sennit_assert(x != 42);
#elif defined FLOAT_INPUT
    sennit_assert(sennit_float("x") != 42);
#elif defined STRUCTURE
    Outer first = {.inner = {.b = {0, sennit_int("x")}}}, second = {.inner = {.a = sennit_short("y")}};
    sennit_bytes(first.name, 1, "name");
    second = pass(first, &second);
    sennit_assert(second.inner.b[1] == 0);
    sennit_assert(second.name[0] != 'n' || second.inner.a != 77 || first.inner.b[1] != 3);
#elif defined UNION
    union {
        float f;
        unsigned u;
        unsigned char bytes[4];
    } word = {.u = sennit_uint("x")};
    word.bytes[0] = 1;
    sennit_assert(word.u != 0x01020301);
#elif defined BITFIELD
    struct {
        unsigned a : 3;
        int b : 5;
    } bits = {.a = sennit_uint("a") & 7, .b = sennit_int("b") % 16};
    if (bits.b < -14)
        sennit_assert(bits.a != 5);
#elif defined WIDE
    __int128 x = (__int128)sennit_long("x") * sennit_long("y");
    sennit_assert(x != (__int128)3 << 80);
#elif defined WIDE_FLOAT
    __int128 x = ((__int128)sennit_long("x") << 64) - 5;
    sennit_assert((double)x < 0);
#elif defined VECTOR
    typedef int Four __attribute__((vector_size(16)));
    Four v = {sennit_int("x"), 2, 3, 4};
    v = v + v;
    sennit_assert(v[0] != 10);
#elif defined ASSEMBLY
    int x = sennit_int("x");
    __asm__("" : "+r"(x));
    sennit_assert(x != 12);
#elif defined WAIT
    pthread_t thread;
    pthread_create(&thread, NULL, set_flag, NULL);
    while (atomic_load(&flag) != 7)
        continue;
    pthread_join(thread, NULL);
#endif
    return 0;
}
