/* assembly_arm.c - inline assembly of AArch64 in the forms that programs use
 *
 * check_assembly translates it, looks for assembly that is left, and runs what results: the code that it is translated
 * to does not depend on the processor. Compiled with -DDRIVER this file is the other half: what must come out.
 */
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long u64;

#ifndef DRIVER

/* ---- Exclusive loads and stores ----------------------------------------------------------- */

#define EXCLUSIVE(type, name, w, letter, zero)                                                                     \
    type add_##name(type *p, type v)                                                                               \
    {                                                                                                              \
        type old, new;                                                                                             \
        u32 status;                                                                                                \
        __asm__ __volatile__("1: ldxr" letter " %" w "0, [%3]\n"                                                   \
                             "add %" w "1, %" w "0, %" w "4\n"                                                     \
                             "stlxr" letter " %w2, %" w "1, [%3]\n"                                                \
                             "cbnz %w2, 1b\n"                                                                      \
                             "dmb ish"                                                                             \
                             : "=&r"(old), "=&r"(new), "=&r"(status) : "r"(p), "r"(v) : "memory", "cc");           \
        return (type)(old ^ new);                                                                                  \
    }                                                                                                              \
    type mask_##name(type *p, type v)                                                                              \
    {                                                                                                              \
        type new;                                                                                                  \
        u32 status;                                                                                                \
        __asm__ __volatile__("// a comment\n"                                                                      \
                             "    prfm pstl1strm, %2\n"                                                            \
                             "1:  ldxr" letter " %" w "0, %2\n"                                                    \
                             "    bic %" w "0, %" w "0, %" w "3\n"                                                 \
                             "    stxr" letter " %w1, %" w "0, %2\n"                                               \
                             "    cbnz %w1, 1b\n"                                                                  \
                             : "=&r"(new), "=&r"(status), "+Q"(*p) : "r"(v));                                      \
        return new;                                                                                                \
    }                                                                                                              \
    type invert_##name(type *p)                                                                                    \
    {                                                                                                              \
        type new;                                                                                                  \
        u32 status;                                                                                                \
        __asm__ __volatile__("1: ldaxr" letter " %" w "0, [%2]; mvn %" w "0, %" w "0;"                             \
                             "stxr" letter " %w1, %" w "0, [%2]; cbnz %w1, 1b"                                     \
                             : "=&r"(new), "=&r"(status) : "r"(p) : "memory");                                     \
        return new;                                                                                                \
    }                                                                                                              \
    type swap_##name(type *p, type v)                                                                              \
    {                                                                                                              \
        type old;                                                                                                  \
        u32 status;                                                                                                \
        __asm__ __volatile__("1:\nldaxr" letter " %" w "0, [%2]\nstlxr" letter " %w1, %" w "3, [%2]\ncbnz %w1, 1b" \
                             : "=&r"(old), "=&r"(status) : "r"(p), "r"(v) : "memory", "cc");                       \
        return old;                                                                                                \
    }                                                                                                              \
    type cas_##name(type *p, type expected, type v)                                                                \
    {                                                                                                              \
        type old;                                                                                                  \
        u32 status;                                                                                                \
        __asm__ __volatile__("1:\n"                                                                                \
                             "ldxr" letter " %" w "0, [%2]\n"                                                      \
                             "cmp %" w "0, %" w "4\n"                                                              \
                             "b.ne 2f\n"                                                                           \
                             "stxr" letter " %w1, %" w "3, [%2]\n"                                                 \
                             "cbnz %w1, 1b\n"                                                                      \
                             "2:"                                                                                  \
                             : "=&r"(old), "=&r"(status) : "r"(p), "r"(v), "r"(expected) : "memory", "cc");        \
        return old;                                                                                                \
    }                                                                                                              \
    type cas_kernel_##name(type *p, type expected, type v)                                                         \
    {                                                                                                              \
        type old;                                                                                                  \
        u64 difference;                                                                                            \
        __asm__ __volatile__("1: ldxr" letter " %" w "1, %2\n"                                                     \
                             "   eor %" w "0, %" w "1, %" w "3\n"                                                  \
                             "   cbnz %" w "0, 2f\n"                                                               \
                             "   stlxr" letter " %w0, %" w "4, %2\n"                                               \
                             "   cbnz %w0, 1b\n"                                                                   \
                             "   dmb ish\n"                                                                        \
                             "2:"                                                                                  \
                             : "=&r"(difference), "=&r"(old), "+Q"(*p) : "r"(expected), "r"(v) : "memory");        \
        return old;                                                                                                \
    }                                                                                                              \
    type large_##name(type *p, type a, type b)                                                                     \
    {                                                                                                              \
        type old, set, cleared, found = a;                                                                         \
        __asm__ __volatile__(".arch_extension lse\nldaddal" letter " %" w "1, %" w "0, [%2]"                       \
                             : "=r"(old) : "r"(a), "r"(p) : "memory");                                             \
        __asm__ __volatile__("ldset" letter " %" w "1, %" w "0, %2" : "=r"(set) : "r"(b), "Q"(*p) : "memory");     \
        __asm__ __volatile__("ldclra" letter " %" w "1, %" w "0, [%2]" : "=r"(cleared) : "r"(a), "r"(p) : "memory"); \
        __asm__ __volatile__("steor" letter " %" w "0, [%1]" : : "r"(b), "r"(p) : "memory");                       \
        __asm__ __volatile__("swpl" letter " %" w "0, %" w "0, [%1]" : "+r"(b) : "r"(p) : "memory");               \
        __asm__ __volatile__("casal" letter " %" w "0, %" w "1, [%2]" : "+r"(found) : "r"(old), "r"(p) : "memory"); \
        return (type)(old ^ set ^ cleared ^ (b << 1) ^ found);                                                     \
    }                                                                                                              \
    type move_##name(type *p, type v)                                                                              \
    {                                                                                                              \
        type a, b;                                                                                                 \
        __asm__ __volatile__("ldar" letter " %" w "0, [%1]" : "=r"(a) : "r"(p) : "memory");                        \
        __asm__ __volatile__("stlr" letter " %" w "1, %0" : "=Q"(*p) : "r"(v) : "memory");                         \
        __asm__ __volatile__("ldr" letter " %" w "0, [%1]" : "=r"(b) : "r"(p) : "memory");                         \
        __asm__ __volatile__("str" letter " " zero ", [%0]" : : "r"(p + 1) : "memory");                            \
        return (type)(a ^ b);                                                                                      \
    }

#define CAS_FLAG(type, name, w)                                                                                    \
    int cas_flag_##name(type *p, type expected, type v)                                                            \
    {                                                                                                              \
        type old;                                                                                                  \
        u32 done;                                                                                                  \
        __asm__ __volatile__("1: ldaxr %" w "0, [%2]\n"                                                            \
                             "cmp %" w "0, %" w "4\n"                                                              \
                             "bne 2f\n"                                                                            \
                             "stlxr %w1, %" w "3, [%2]\n"                                                          \
                             "cbnz %w1, 1b\n"                                                                      \
                             "2: cset %w1, eq"                                                                     \
                             : "=&r"(old), "=&r"(done) : "r"(p), "r"(v), "r"(expected) : "memory", "cc");          \
        return (int)done;                                                                                          \
    }

EXCLUSIVE(u64, x, "", "", "xzr")
EXCLUSIVE(u32, w, "w", "", "wzr")
EXCLUSIVE(u16, h, "w", "h", "wzr")
EXCLUSIVE(u8, b, "w", "b", "wzr")
CAS_FLAG(u64, x, "")
CAS_FLAG(u32, w, "w")

u64 pair(u64 p[2], u64 a, u64 b, u64 c, u64 d)
{
    register u64 x0 __asm__("x0") = a;
    register u64 x1 __asm__("x1") = b;
    register u64 x2 __asm__("x2") = c;
    register u64 x3 __asm__("x3") = d;
    __asm__ __volatile__("caspal x0, x1, x2, x3, [%4]" : "+r"(x0), "+r"(x1) : "r"(x2), "r"(x3), "r"(p) : "memory");
    return x0 + 3 * x1;
}

long closes(long descriptor)
{
    register long x8 __asm__("x8") = 3; /* close of x86-64: it is executed there */
    register long x0 __asm__("x0") = descriptor;
    __asm__ __volatile__("svc #0" : "+r"(x0) : "r"(x8) : "memory", "cc");
    return x0;
}

u64 barriers(void)
{
    u64 ticks;
    __asm__ __volatile__("dmb ishld" : : : "memory");
    __asm__ __volatile__("dmb ishst\n\tdsb sy\n\tisb" : : : "memory");
    __asm__ __volatile__("yield\n\twfe\n\tsev" : : : "memory");
    __asm__ __volatile__("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}

#else
#include <stdio.h>

static int failures;
static void check(const char *what, unsigned width, u64 a, u64 b, u64 found, u64 expected)
{
    if (found != expected && ++failures < 20)
        printf("%s%u of %lx, %lx: %lx, expected %lx\n", what, width, a, b, found, expected);
}

#define TEST(type, name, width)                                                                     \
    type add_##name(type *, type), mask_##name(type *, type), invert_##name(type *);                \
    type swap_##name(type *, type), cas_##name(type *, type, type);                                 \
    type cas_kernel_##name(type *, type, type), large_##name(type *, type, type), move_##name(type *, type); \
    static void test_##name(type a, type b)                                                         \
    {                                                                                               \
        type p[2] = {a, 1}, sum = (type)(a + b);                                                    \
        check("add", width, a, b, add_##name(p, b), (type)(a ^ sum));                               \
        check("added", width, a, b, *p, sum);                                                       \
        check("mask", width, a, b, mask_##name(p, b), (type)(sum & ~b));                            \
        check("masked", width, a, b, *p, (type)(sum & ~b));                                         \
        check("invert", width, a, b, invert_##name(p), (type) ~(sum & ~b));                         \
        check("swap", width, a, b, swap_##name(p, a), (type) ~(sum & ~b));                          \
        check("swapped", width, a, b, *p, a);                                                       \
        check("cas", width, a, b, cas_##name(p, b, 9), a);                                          \
        check("cas found", width, a, b, *p, a == b ? 9 : a);                                        \
        *p = a;                                                                                     \
        check("cas", width, a, b, cas_kernel_##name(p, a, b), a);                                   \
        check("cas found", width, a, b, *p, b);                                                     \
        check("cas", width, a, b, cas_kernel_##name(p, (type)~b, a), b);                            \
        check("cas found", width, a, b, *p, b);                                                     \
        *p = a;                                                                                     \
        type after = (type)((((type)(2 * a) | b) & ~a) ^ b);                                        \
        type cas = b == a ? a : b;                                                                  \
        type seen = (type)(a ^ (type)(2 * a) ^ ((type)(2 * a) | b) ^ ((type)(after << 1)) ^ cas);   \
        check("large", width, a, b, large_##name(p, a, b), seen);                                   \
        check("large left", width, a, b, *p, b);                                                    \
        *p = a;                                                                                     \
        check("move", width, a, b, move_##name(p, b), (type)(a ^ b));                               \
        check("moved", width, a, b, *p + p[1], b);                                                  \
    }
TEST(u64, x, 64)
TEST(u32, w, 32)
TEST(u16, h, 16)
TEST(u8, b, 8)
int cas_flag_x(u64 *, u64, u64), cas_flag_w(u32 *, u32, u32);
u64 pair(u64 *, u64, u64, u64, u64), barriers(void);
long closes(long);

static void test_flags(u64 a, u64 b)
{
    _Alignas(16) u64 p[2] = {a, b};
    u32 w = (u32)a;
    check("flag", 64, a, b, (u64)cas_flag_x(p, b, b), a == b);
    check("flag", 64, a, b, (u64)cas_flag_x(p, p[0], a), 1);
    check("flag", 32, a, b, (u64)cas_flag_w(&w, (u32)b, 3), (u32)a == (u32)b);
    check("pair", 64, a, b, pair(p, a, b, 5, 6), a + 3 * b);
    check("pair left", 64, a, b, p[0] * 10 + p[1], 56);
    check("pair", 64, a, b, pair(p, a, ~b, 7, 8), 5 + 3 * 6);
    check("pair left", 64, a, b, p[0] * 10 + p[1], 56);
}

int main(void)
{
    static const u64 values[] = {0, 1, 5, 0x7f, 0x80, 0xff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, ~0ul, 1ul << 63};
    enum { COUNT = sizeof values / sizeof *values };
    for (unsigned i = 0; i < COUNT; i++)
        for (unsigned k = 0; k < COUNT; k++) {
            test_x(values[i], values[k]);
            test_w((u32)values[i], (u32)values[k]);
            test_h((u16)values[i], (u16)values[k]);
            test_b((u8)values[i], (u8)values[k]);
            test_flags(values[i], values[k]);
        }
    u64 before = barriers();
    check("clock", 64, 0, 0, before <= barriers(), 1);
    check("close", 64, 0, 0, (u64)closes(-1), (u64)-9);
    printf("arm: %d failures\n", failures);
    return failures != 0;
}
#endif
