/* assembly.c - inline assembly in the forms that programs use, against the processor itself
 *
 * Every function is translated by the instrumenter (instr/assembly): check_programs compiles with warnings off, and
 * tests/instr/check_assembly looks for assembly that is left.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __x86_64__

#define ADD(type, letter)                                                                                          \
    static type add_##letter(type *p, type v)                                                                      \
    {                                                                                                              \
        __asm__ __volatile__("lock; xadd" #letter " %1, %0" : "+m"(*p), "+q"(v) : : "memory", "cc");               \
        return v;                                                                                                  \
    }                                                                                                              \
    static bool add_is_zero_##letter(type *p, type v)                                                              \
    {                                                                                                              \
        bool zero;                                                                                                 \
        __asm__ __volatile__("lock add" #letter " %2, %0; setz %1" : "+m"(*p), "=rm"(zero) : "iq"(v) : "memory");  \
        return zero;                                                                                               \
    }                                                                                                              \
    static type sub_is_negative_##letter(type *p, type v)                                                          \
    {                                                                                                              \
        char negative;                                                                                             \
        __asm__ __volatile__("lock\n\tsub" #letter " %2, %0\n\tsets %1"                                            \
                             : "=m"(*p), "=q"(negative) : "q"(v), "m"(*p) : "memory");                             \
        return negative;                                                                                           \
    }                                                                                                              \
    static type swap_##letter(type *p, type v)                                                                     \
    {                                                                                                              \
        __asm__ __volatile__("xchg" #letter " %0, %1" : "=q"(v), "+m"(*p) : "0"(v) : "memory");                    \
        return v;                                                                                                  \
    }                                                                                                              \
    static type cas_##letter(type *p, type old, type new)                                                          \
    {                                                                                                              \
        __asm__ __volatile__("lock; cmpxchg" #letter " %2, %1" : "+a"(old), "+m"(*p) : "q"(new) : "memory");       \
        return old;                                                                                                \
    }                                                                                                              \
    static bool cas_byte_##letter(type *p, type old, type new)                                                     \
    {                                                                                                              \
        bool done;                                                                                                 \
        __asm__ __volatile__("lock cmpxchg" #letter " %2, %0; setz %1"                                             \
                             : "+m"(*p), "=a"(done) : "q"(new), "a"(old) : "memory", "cc");                        \
        return done;                                                                                               \
    }                                                                                                              \
    static bool cas_flag_##letter(type *p, type old, type new, type *found)                                        \
    {                                                                                                              \
        bool done;                                                                                                 \
        __asm__ __volatile__("lock cmpxchg" #letter " %3, %0"                                                      \
                             : "+m"(*p), "=@ccz"(done), "+a"(old) : "q"(new) : "memory", "cc");                    \
        *found = old;                                                                                              \
        return done;                                                                                               \
    }                                                                                                              \
    static int cas_goto_##letter(type *p, type old, type new)                                                      \
    {                                                                                                              \
        __asm__ goto("lock cmpxchg" #letter " %2, %0\n\tjne %l[failed]"                                            \
                     : : "m"(*p), "a"(old), "q"(new) : "memory", "cc" : failed);                                   \
        return 1;                                                                                                  \
    failed:                                                                                                        \
        return 0;                                                                                                  \
    }                                                                                                              \
    static void change_##letter(type *p, type v)                                                                   \
    {                                                                                                              \
        __asm__ __volatile__("lock; and" #letter " %1, %0" : "+m"(*p) : "iq"((type)(v | 0x55)) : "memory");        \
        __asm__ __volatile__("lock; or" #letter " %1, %0" : "+m"(*p) : "iq"(v) : "memory");                        \
        __asm__ __volatile__("lock; xor" #letter " $3, (%0)" : : "r"(p) : "memory");                               \
        __asm__ __volatile__("lock; inc" #letter " %0" : "=m"(*p) : "m"(*p));                                      \
        __asm__ __volatile__("lock; dec" #letter " 0(%0)" : : "r"(p) : "memory");                                  \
        __asm__ __volatile__("not" #letter " %0" : "+m"(*p));                                                      \
        __asm__ __volatile__("inc" #letter " %0" : "+m"(*p));                                                      \
    }                                                                                                              \
    static bool dec_and_test_##letter(type *p)                                                                     \
    {                                                                                                              \
        unsigned char zero;                                                                                        \
        __asm__ __volatile__("lock; dec" #letter " %0; sete %1" : "+m"(*p), "=qm"(zero) : : "memory");             \
        return zero;                                                                                               \
    }                                                                                                              \
    static type move_##letter(type *p, type v)                                                                     \
    {                                                                                                              \
        type found;                                                                                                \
        __asm__ __volatile__("mov" #letter " %1, %0" : "=q"(found) : "m"(*p) : "memory");                          \
        __asm__ __volatile__("mov" #letter " %1, %0" : "=m"(*p) : "iq"(v) : "memory");                             \
        __asm__ __volatile__("mov" #letter " $7, %0" : "=m"(p[1]) : : "memory");                                   \
        return found;                                                                                              \
    }                                                                                                              \
    static void all_##letter(type a, type b)                                                                       \
    {                                                                                                              \
        type p[2] = {a, 0}, found = 0;                                                                             \
        show(add_##letter(p, b), *p);                                                                              \
        show(add_is_zero_##letter(p, (type)-*p), *p);                                                              \
        show(add_is_zero_##letter(p, b), *p);                                                                      \
        show(sub_is_negative_##letter(p, a), *p);                                                                  \
        show(swap_##letter(p, a), *p);                                                                             \
        show(cas_##letter(p, b, 5), *p);                                                                           \
        show(cas_##letter(p, *p, b), *p);                                                                          \
        show(cas_byte_##letter(p, a, 9), *p);                                                                      \
        show(cas_byte_##letter(p, *p, a), *p);                                                                     \
        show(cas_flag_##letter(p, b, a, &found), found);                                                           \
        show(cas_flag_##letter(p, a, b, &found), found);                                                           \
        show(cas_goto_##letter(p, a, 11), *p);                                                                     \
        show(cas_goto_##letter(p, *p, b), *p);                                                                     \
        change_##letter(p, a);                                                                                     \
        show(0, *p);                                                                                               \
        *p = (type)(b & 1);                                                                                        \
        show(dec_and_test_##letter(p), *p);                                                                        \
        show(move_##letter(p, a), *p);                                                                             \
        show(p[1], 0);                                                                                             \
    }

static void show(unsigned long result, unsigned long memory) { printf("%lx %lx\n", result, memory); }

ADD(uint8_t, b)
ADD(uint16_t, w)
ADD(uint32_t, l)
ADD(uint64_t, q)

/* ---- Bits ------------------------------------------------------------------------- */

static int set_bit(uint64_t *p, long n)
{
    int old;
    __asm__ __volatile__("lock btsq %2, %1\n\tsbbl %0, %0" : "=r"(old), "+m"(*p) : "Ir"(n) : "memory");
    return old;
}

static bool clear_bit(uint32_t *p, int n)
{
    bool old;
    __asm__ __volatile__("lock; btrl %2, %0; setc %1" : "+m"(*p), "=q"(old) : "r"(n) : "memory", "cc");
    return old;
}

static bool flip_bit(uint64_t *p)
{
    bool old;
    __asm__ __volatile__("lock btcq $5, %0" : "+m"(*p), "=@ccc"(old) : : "memory");
    return old;
}

static void bits(uint64_t a, long n)
{
    uint64_t p[3] = {a, ~a, a};
    show((unsigned)set_bit(&p[1], n), p[1]);
    show((unsigned)set_bit(&p[1], n), p[0]);
    show(clear_bit((uint32_t *)&p[1], (int)n), p[1]);
    show(flip_bit(&p[2]), p[2]);
}

/* ---- Two words ----------------------------------------------------------------------- */

static bool cas_pair(uint64_t p[2], uint64_t old[2], const uint64_t new[2])
{
    bool done;
    __asm__ __volatile__("lock cmpxchg16b %0; setz %3"
                         : "+m"(*p), "=a"(old[0]), "=d"(old[1]), "=q"(done)
                         : "a"(old[0]), "d"(old[1]), "b"(new[0]), "c"(new[1]) : "memory", "cc");
    return done;
}

static bool cas_pair_pointer(uint64_t p[2], uint64_t old[2], const uint64_t new[2])
{
    bool done;
    __asm__ __volatile__("movq 0(%4), %%rax;"
                         "movq 8(%4), %%rdx;"
                         "lock; cmpxchg16b %0; setz %1"
                         : "+m"(*p), "=q"(done) : "b"(new[0]), "c"(new[1]), "q"(old)
                         : "memory", "cc", "%rax", "%rdx");
    return done;
}

static void load_pair(const uint64_t p[2], uint64_t v[2])
{
    __asm__ __volatile__("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2;"
                         : "=a"(v[0]), "=d"(v[1]) : "m"(*p) : "rbx", "rcx", "memory", "cc");
}

static void pairs(uint64_t a, uint64_t b)
{
    _Alignas(16) uint64_t p[2] = {a, b};
    uint64_t old[2] = {a, b + 1}, new[2] = {b, a}, v[2];
    show(cas_pair(p, old, new), old[1]);
    show(cas_pair(p, old, new), p[0] ^ p[1]);
    show(cas_pair_pointer(p, new, old), p[0] - p[1]);
    load_pair(p, v);
    show(v[0], v[1]);
    uint64_t word = a;
    uint32_t low = (uint32_t)a, high = (uint32_t)(a >> 32);
    __asm__ __volatile__("lock; cmpxchg8b %0" : "+m"(word), "+a"(low), "+d"(high)
                         : "b"((uint32_t)b), "c"((uint32_t)(b >> 32)) : "memory");
    show(low, word);
}

/* ---- Others ------------------------------------------------------------------------------ */

/* As the kernel's macros choose by size. */
#define EXCHANGE(p, v)                                                                                 \
    ({                                                                                                 \
        __typeof__(*(p)) value = (v);                                                                  \
        switch (sizeof *(p)) {                                                                         \
        case 4: __asm__ __volatile__("xchgl %k0, %1" : "+r"(value), "+m"(*(p)) : : "memory"); break;   \
        case 8: __asm__ __volatile__("xchgq %q0, %1" : "+r"(value), "+m"(*(p)) : : "memory"); break;   \
        }                                                                                              \
        value;                                                                                         \
    })

static double swap_double(double *p, double v)
{
    __asm__ __volatile__("xchgq %0, %1" : "+m"(*p), "+q"(v) : : "memory");
    return v;
}

static long system_call(long number, long a)
{
    long result;
    __asm__ __volatile__("syscall" : "=a"(result) : "0"(number), "D"(a) : "rcx", "r11", "memory");
    return result;
}

static void others(uint64_t a)
{
    uint32_t small = (uint32_t)a;
    void *pointer = &small;
    double d = 1.5;
    __asm__ __volatile__("mfence" : : : "memory");
    __asm__ __volatile__("lfence\n\tsfence" : : : "memory");
    __asm__ __volatile__("lock; addl $0,0(%%rsp)" : : : "memory");
    __asm__ __volatile__("lock; orl $0x0,-4(%%rsp)" : : : "memory", "cc");
    __asm__ __volatile__("prefetchw (%0)" : : "r"(&small) : "memory");
    __asm__ __volatile__("rep; nop\n\tpause" : : : "memory");
    show(EXCHANGE(&small, 6u), small);
    show(EXCHANGE(&pointer, NULL) == &small, pointer == NULL);
    show((unsigned long)swap_double(&d, 2.5), (unsigned long)(2 * d));
    uint32_t low, high, ticks_low, ticks_high;
    __asm__ __volatile__("rdtsc" : "=a"(low), "=d"(high));
    uint64_t ticks;
    __asm__ __volatile__("rdtsc; shlq $32, %%rdx; orq %%rdx, %0" : "=a"(ticks) : : "rdx");
    __asm__ __volatile__("rdtscp" : "=a"(ticks_low), "=d"(ticks_high) : : "rcx");
    show(((uint64_t)high << 32 | low) <= ticks, ticks <= ((uint64_t)ticks_high << 32 | ticks_low));
    show(system_call(3, -1) == -9, system_call(39, 0) > 0); /* close, getpid */
    unsigned order, value = (unsigned)a | 1;
    __asm__("bsrl %1, %0" : "=r"(order) : "rm"(value)); /* no memory: stays */
    show(order, value);
}

int main(void)
{
    static const uint64_t values[] = {0, 1, 5, 0x7f, 0x80, 0xff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffffffffffff,
                                      0x123456789abcdef0, 0x8000000000000000};
    enum { COUNT = sizeof values / sizeof *values };
    for (unsigned i = 0; i < COUNT; i++) {
        for (unsigned k = 0; k < COUNT; k++) {
            all_b((uint8_t)values[i], (uint8_t)values[k]);
            all_w((uint16_t)values[i], (uint16_t)values[k]);
            all_l((uint32_t)values[i], (uint32_t)values[k]);
            all_q(values[i], values[k]);
            pairs(values[i], values[k]);
        }
        for (long n = -60; n < 120; n += 13)
            bits(values[i], n);
        others(values[i]);
    }
    return 0;
}

#else
int main(void) { return 0; }
#endif
