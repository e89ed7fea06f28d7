/* atomics.c - all widths and operations, results printed */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define INTEGER(type, format)                                                          \
    static _Atomic type v_##type;                                                      \
    static void try_##type(void)                                                       \
    {                                                                                  \
        type e = 5;                                                                    \
        v_##type = 5;                                                                  \
        bool ok = atomic_compare_exchange_strong(&v_##type, &e, (type)-3);             \
        bool no = atomic_compare_exchange_weak(&v_##type, &e, (type)9);                \
        printf(#type " %d %d " format " " format "\n", ok, no, e, (type)v_##type);     \
        type a = atomic_fetch_add(&v_##type, 7), b = atomic_fetch_sub(&v_##type, 2);   \
        type c = atomic_fetch_or(&v_##type, 8), d = atomic_fetch_and(&v_##type, 0x1b); \
        type f = atomic_fetch_xor(&v_##type, 0x11), g = atomic_exchange(&v_##type, 77); \
        printf(format " " format " " format " " format " " format " " format "\n", a, b, c, d, f, g); \
        v_##type += 3; v_##type <<= 1; v_##type |= 1; v_##type *= 3; ++v_##type; v_##type--; \
        printf(format "\n", (type)v_##type);                                           \
        type w[2] = {1, 2};                                                            \
        type h = __atomic_fetch_max(&w[0], (type)-1, 5), i = __atomic_fetch_min(&w[1], (type)-1, 5); \
        type j = __atomic_fetch_nand(&w[0], 3, 5), k = __sync_fetch_and_add(&w[1], 4); \
        type l = __sync_lock_test_and_set(&w[0], 6), m = __sync_val_compare_and_swap(&w[1], w[1], 8); \
        printf(format " " format " " format " " format " " format " " format " " format " " format "\n", h, i, j, k, l, m, w[0], w[1]); \
    }

typedef signed char schar;
typedef unsigned char uchar;
typedef unsigned long ulong_;
INTEGER(schar, "%d") INTEGER(uchar, "%u") INTEGER(short, "%d") INTEGER(int, "%d") INTEGER(long, "%ld")
INTEGER(uint16_t, "%u") INTEGER(uint32_t, "%u") INTEGER(ulong_, "%lu")

struct three { char c[3]; };
struct eight { int a, b; };
struct forty { long v[5]; };
static _Atomic float f;
static _Atomic double d;
static _Atomic long double ld;
static _Atomic(int *) p;
static atomic_bool flag;
static atomic_flag set = ATOMIC_FLAG_INIT;
static _Atomic struct three s3;
static _Atomic struct eight s8;
static _Atomic struct forty s40;
static _Atomic unsigned __int128 wide = 1;

int main(void)
{
    try_schar(); try_uchar(); try_short(); try_int(); try_long(); try_uint16_t(); try_uint32_t(); try_ulong_();
    f = 1.5f; f += 2; f *= 3; d = f; d -= 0.25; ld = d; ld += 1;
    float g = 1; __atomic_fetch_add(&g, 2.5f, 5); float h = __atomic_fetch_sub(&g, 1.0f, 5);
    printf("%g %g %Lg %g %g\n", f, d, ld, g, h);
    int numbers[4] = {10, 20, 30, 40};
    p = numbers; p++; atomic_fetch_add(&p, 2); int *before = atomic_fetch_sub(&p, 1); int *e = before;
    bool same = atomic_compare_exchange_strong(&p, &e, numbers);
    printf("%d %d %d %d\n", *before, *p, same, *e);
    bool old = atomic_exchange(&flag, true); flag ^= 1; flag |= 1;
    printf("%d %d %d", old, flag, atomic_flag_test_and_set(&set));
    printf(" %d", atomic_flag_test_and_set(&set)); atomic_flag_clear(&set);
    printf(" %d\n", atomic_flag_test_and_set(&set));
    s3 = (struct three){"ab"}; struct three t3 = atomic_exchange(&s3, ((struct three){"xy"}));
    s8 = (struct eight){1, 2}; struct eight t8 = s8, n8 = {3, 4}; bool swapped = atomic_compare_exchange_strong(&s8, &t8, n8);
    s40 = (struct forty){{1, 2, 3, 4, 5}}; struct forty t40 = s40;
    struct forty u40 = atomic_exchange(&s40, ((struct forty){{9, 8, 7}}));
    bool failed = atomic_compare_exchange_strong(&s40, &u40, t40);
    printf("%s %s %d %d %d %ld %ld %d\n", t3.c, ((struct three)s3).c, t8.b, ((struct eight)s8).a, swapped, t40.v[4], u40.v[0], failed);
    wide += 5; wide <<= 70; wide |= 3; unsigned __int128 w = atomic_fetch_sub(&wide, 1), x = atomic_exchange(&wide, 4);
    printf("%lx %lx %lx %lx\n", (long)(w >> 64), (long)w, (long)x, (long)wide);
    atomic_thread_fence(memory_order_acq_rel); __sync_synchronize();
    printf("%d %d\n", atomic_is_lock_free(&f), (int)sizeof s40);
    return 0;
}
